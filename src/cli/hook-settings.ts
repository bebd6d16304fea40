/**
 * Hooks from the settings of the person and from the agent file. A file that lies in a project is not asked: it may come with
 * a clone, and cloning must not start programs.
 */
import { commandEndHook, commandHook } from '../hooks/command-hook.ts';
import type { Hooks } from '../hooks/hook.ts';
import type { Agent } from './agent.ts';
import type { HookSettings } from './hook-schema.ts';
import { readUserSettings, userSettingsFile } from './settings-file.ts';

/** Of a command that has no name of its own. */
const LONGEST_NAME = 60;

/** Those of the person are asked first. @throws UsageError for a file that cannot be read or says something else */
export async function hookSettings(
  env: NodeJS.ProcessEnv,
  agent: Agent | undefined,
): Promise<Required<Hooks>> {
  const { hooks = {} } = await readUserSettings(userSettingsFile(env));
  const both = [hooks, agent?.settings.hooks ?? {}];
  const named = (kind: 'beforeCall' | 'afterCall') =>
    both
      .flatMap((given) => given[kind] ?? [])
      .map(({ tools, ...hook }) => ({ ...commandOf(hook), ...(tools && { tools }) }));
  return {
    beforeCall: named('beforeCall').map((hook) => commandHook(hook)),
    afterCall: named('afterCall').map((hook) => commandHook(hook)),
    afterRun: both
      .flatMap(({ afterRun = [] }) => afterRun)
      .map(({ statuses, ...hook }) => commandEndHook({ ...commandOf(hook), ...(statuses && { statuses }) })),
  };
}

type Written = NonNullable<HookSettings['beforeCall']>[number];

const commandOf = ({ name, command, timeout }: Pick<Written, 'name' | 'command' | 'timeout'>) => ({
  name: name ?? command.slice(0, LONGEST_NAME),
  command,
  ...(timeout !== undefined && { timeoutMs: timeout }),
});
