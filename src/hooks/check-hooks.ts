import { END_STATUSES } from '../../machines/status.ts';
import {
  checkShape,
  FUNCTION,
  LIST,
  listOf,
  MILLISECONDS,
  type Shapes,
  TEXT,
  TEXTS,
} from '../checks/shape.ts';
import type { EndHookCommand, HookCommand } from './command-hook.ts';
import type { EndHook, Hook, Hooks } from './hook.ts';

const STATUSES = listOf([...Object.keys(END_STATUSES), 'suspended']);

const ASKED = { name: TEXT, timeoutMs: MILLISECONDS, run: FUNCTION };
const HOOK = { ...ASKED, tools: TEXTS } satisfies Shapes<Hook<never>>;
const END_HOOK = { ...ASKED, statuses: STATUSES } satisfies Shapes<EndHook>;
const HOOKS = { beforeCall: LIST, afterCall: LIST, afterRun: LIST } satisfies Shapes<Hooks>;

/** A hook that is misspelt is one that is never asked. @throws OptionsError in one line */
export function checkHooks(hooks: Hooks): void {
  checkShape('hooks', hooks, HOOKS);
  for (const kind of ['beforeCall', 'afterCall', 'afterRun'] as const)
    for (const [index, hook] of (hooks[kind] ?? []).entries())
      checkShape(`hooks.${kind}, hook ${index + 1}`, hook, kind === 'afterRun' ? END_HOOK : HOOK, [
        'name',
        'run',
      ]);
}

const COMMAND = { name: TEXT, timeoutMs: MILLISECONDS, command: TEXT };
const HOOK_COMMAND = { ...COMMAND, tools: TEXTS } satisfies Shapes<HookCommand>;
const END_HOOK_COMMAND = { ...COMMAND, statuses: STATUSES } satisfies Shapes<EndHookCommand>;

/** @throws OptionsError in one line */
export const checkHookCommand = (hook: HookCommand): void =>
  checkShape('commandHook()', hook, HOOK_COMMAND, ['name', 'command']);

/** @throws OptionsError in one line */
export const checkEndHookCommand = (hook: EndHookCommand): void =>
  checkShape('commandEndHook()', hook, END_HOOK_COMMAND, ['name', 'command']);
