/** What people's commands run in: nothing, and a sandbox where there is one. */
import { bubblewrapSandbox } from '../../src/sandbox/bubblewrap.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { hasBubblewrap } from '../helpers/bubblewrap.ts';

const confined = (workspace: string): Sandbox =>
  bubblewrapSandbox({ workspace, network: false, hidden: [], environment: process.env });

export const SANDBOXES: readonly {
  readonly name: string;
  readonly sandbox: ((workspace: string) => Sandbox) | undefined;
  /** The same for the command line. */
  readonly flags: readonly string[];
}[] = [
  { name: 'unconfined', sandbox: undefined, flags: ['--sandbox', 'off'] },
  ...(hasBubblewrap ? [{ name: 'in a sandbox', sandbox: confined, flags: ['--sandbox', 'require'] }] : []),
];
