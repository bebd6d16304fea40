import path from 'node:path';
import { BOOLEAN, checkShape, OBJECT, type Shapes, TEXT, TEXTS } from '../checks/shape.ts';
import { bubblewrapSandbox } from './bubblewrap.ts';
import { isOwnUnfit, OWN } from './mounts.ts';
import type { Sandbox } from './sandbox.ts';
import { sandboxRuntime } from './sandbox-runtime.ts';
import { unfitWorkspace, type View } from './view.ts';

/** A sandbox that was tried out; or why there is none, and what can be done about it. One sentence each. */
export type Confinement =
  | { readonly by: 'bubblewrap' | 'sandbox-runtime'; readonly sandbox: Sandbox }
  | { readonly by: null; readonly reason: string; readonly remedy: string };

const VIEW = { workspace: TEXT, network: BOOLEAN, hidden: TEXTS, environment: OBJECT } satisfies Shapes<View>;

/** Looks for a way to confine programs here, and proves it by running one. @throws OptionsError for a view that says something else */
export async function confine(
  view: View,
  platform: NodeJS.Platform = process.platform,
): Promise<Confinement> {
  checkShape('confine()', view, VIEW, Object.keys(VIEW));
  const unfit = unfitWorkspace(view);
  if (unfit !== undefined)
    return { by: null, reason: unfit, remedy: 'Name a folder of its own as the workspace (--cd FOLDER).' };
  if (isOwnUnfit(view.workspace))
    return {
      by: null,
      reason: `${path.join(view.workspace, OWN)} is a file or a link, and programs could give themselves rights there`,
      remedy: 'Put a folder in its place, with a copy of what it leads to.',
    };
  switch (platform) {
    case 'linux':
      return tried('bubblewrap', bubblewrapSandbox(view), view, remedyOnLinux);
    case 'darwin': {
      const sandbox = await sandboxRuntime(view);
      return typeof sandbox === 'string'
        ? {
            by: null,
            reason: sandbox,
            remedy: 'Install it: npm install --global @anthropic-ai/sandbox-runtime.',
          }
        : tried('sandbox-runtime', sandbox, view, () => 'See its documentation for what it needs.');
    }
    default:
      return { by: null, reason: `pawl knows no sandbox on ${platform}`, remedy: 'Use Linux, macOS or WSL.' };
  }
}

const PROBE_TIMEOUT_MS = 10_000;

async function tried(
  by: 'bubblewrap' | 'sandbox-runtime',
  sandbox: Sandbox,
  { workspace }: View,
  remedyFor: (reason: string) => string,
): Promise<Confinement> {
  const { end, stderr } = await sandbox.run({
    command: 'true',
    args: [],
    cwd: workspace,
    timeoutMs: PROBE_TIMEOUT_MS,
    maxCharacters: 500,
    signal: new AbortController().signal,
  });
  if (end.kind === 'exited' && end.exitCode === 0) return { by, sandbox };
  const reason = end.kind === 'not started' ? end.reason : `${Object.values(end).join(' ')} ${stderr.text}`;
  const isMissing = MISSING.test(reason);
  return {
    by: null,
    reason: isMissing ? 'there is no program bwrap in PATH' : `${by} does not work here: ${reason.trim()}`,
    remedy: remedyFor(reason),
  };
}

const MISSING = /^there is no program bwrap,/;

const remedyOnLinux = (reason: string): string =>
  MISSING.test(reason)
    ? 'Install bubblewrap: apt-get install bubblewrap, dnf install bubblewrap, or the like.'
    : 'It needs user namespaces: see the sysctls user.max_user_namespaces, kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns; a container must allow them.';
