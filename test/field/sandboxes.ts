/** What people's commands run in: nothing, and a sandbox where there is one. */
import path from 'node:path';
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import { confine } from '../../src/sandbox/confine.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

const viewOf = (workspace: string) => ({ workspace, network: false, hidden: [], environment: process.env });
const found = await confine(viewOf(path.resolve(import.meta.dirname, '..')));
if (found.by === null) console.log(`nothing is played in a sandbox: ${found.reason}`);

export const SANDBOXES: readonly {
  readonly name: string;
  readonly sandbox: ((workspace: string) => Sandbox) | undefined;
}[] = [
  { name: 'unconfined', sandbox: undefined },
  ...(found.by === 'bubblewrap'
    ? [{ name: 'in a sandbox', sandbox: (workspace: string) => bubblewrapSandbox(viewOf(workspace)) }]
    : []),
];
