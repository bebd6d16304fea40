import { describeMachine, toMermaid } from '../../../machines/describe.ts';
import { loopMachine } from '../../../machines/loop.machine.ts';

/** `pawl diagram`: the loop machine as it is, read from the machine itself. */
export function diagramCommand(asJson: boolean): number {
  const description = describeMachine(loopMachine);
  const text = asJson ? JSON.stringify(description, null, 2) : toMermaid(description).trimEnd();
  process.stdout.write(`${text}\n`);
  return 0;
}
