/**
 * Confinement on macOS by the package @anthropic-ai/sandbox-runtime, which writes profiles for `sandbox-exec`. It is an
 * optional peer: who wants it installs it. There are no pid namespaces, so what leaves its process group survives a call.
 */
import path from 'node:path';
import { localSandbox, type Wrapper } from './process.ts';
import type { ProcessRequest, Sandbox } from './sandbox.ts';
import { toolchainPaths } from './toolchains.ts';
import type { View } from './view.ts';

/** What is used of the package (0.0.78), in its words. */
interface Runtime {
  readonly SandboxManager: {
    initialize(config: RuntimeConfig): Promise<void>;
    /** @returns a line for a shell */
    wrapWithSandbox(
      command: string,
      shell: string,
      config: Pick<RuntimeConfig, 'filesystem'>,
    ): Promise<string>;
  };
}
interface RuntimeConfig {
  /** Without a list of domains, all are allowed. */
  readonly network: {
    readonly allowedDomains?: readonly string[];
    readonly deniedDomains: readonly string[];
  };
  readonly filesystem: {
    readonly denyRead: readonly string[];
    readonly allowRead: readonly string[];
    readonly allowWrite: readonly string[];
    readonly denyWrite: readonly string[];
  };
}

const PACKAGE: string = '@anthropic-ai/sandbox-runtime';

/** Where people have their files; what a program needs of it is allowed again. */
const PRIVATE = ['/Users', '/Volumes', '/private/var/root'];

/** @returns a text where there is none */
export async function sandboxRuntime(view: View): Promise<Sandbox | string> {
  try {
    const { SandboxManager } = (await import(PACKAGE)) as Runtime;
    const network = { ...(view.network ? {} : { allowedDomains: [] }), deniedDomains: [] };
    await SandboxManager.initialize({ network, filesystem: filesystem(view, []) });
    return localSandbox({ environment: view.environment, wrapper: wrapper(view, SandboxManager) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ERR_MODULE_NOT_FOUND'
      ? `the package ${PACKAGE} is not installed`
      : `${PACKAGE} does not work here: ${message}`;
  }
}

function wrapper(view: View, manager: Runtime['SandboxManager']): Wrapper {
  const withheld = `${view.network ? '' : 'there is no network, and '}only the workspace can be written to`;
  return {
    isContaining: false,
    variables: {},
    wrap: async ({ command, args, visible = [] }) => {
      const line = [command, ...args].map(quoted).join(' ');
      const config = { filesystem: filesystem(view, visible) };
      return { command: 'bash', args: ['-c', await manager.wrapWithSandbox(line, 'bash', config)] };
    },
    unwrap: (result) => ({ ...result, withheld }),
  };
}

const filesystem = (
  view: View,
  visible: NonNullable<ProcessRequest['visible']>,
): RuntimeConfig['filesystem'] => ({
  denyRead: [...PRIVATE, ...view.hidden],
  allowRead: [view.workspace, ...toolchainPaths(view), ...visible],
  allowWrite: [view.workspace],
  denyWrite: [path.join(view.workspace, '.pawl'), ...view.hidden],
});

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
