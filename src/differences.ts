/** What is not as it was recorded, and what becomes of work that was under way: sentences for a person. */
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../machines/turn.ts';
import type { Fold } from './journal/fold.ts';
import type { OpenedJournal } from './journal/journal.ts';
import type { RunResumed, RunStarted } from './journal/record.ts';
import type { ToolRegistry } from './tools/registry.ts';

/** @param fold the run before it is taken up */
export function differences(
  { tornBytes, records }: OpenedJournal,
  fold: Fold,
  resumed: RunResumed,
  registry: ToolRegistry,
): string[] {
  const { header } = fold;
  return [
    ...(tornBytes > 0
      ? [
          `An incomplete last record (${tornBytes} bytes) was dropped: the run was interrupted while it was written.`,
        ]
      : []),
    ...(header.pawl === resumed.pawl
      ? []
      : [`The run was last worked on by pawl ${header.pawl}; this is ${resumed.pawl}.`]),
    ...(header.workspace === resumed.workspace
      ? []
      : [`The workspace is now ${resumed.workspace}; it was ${header.workspace}.`]),
    ...header.tools.flatMap((tool) => toolDifference(tool, registry)),
    ...(fold.snapshot.status === 'active' ? openWork(fold, isFreshFork(fold, records)) : []),
    ...(fold.state === 'verifying'
      ? ['The run was interrupted when its answer was to be checked. The check is run, from its beginning.']
      : []),
  ];
}

function toolDifference(recorded: RunStarted['tools'][number], registry: ToolRegistry): string[] {
  const { name, effect } = recorded;
  const now = registry.specs.find((spec) => spec.name === name);
  if (now === undefined)
    return [
      `The tool ${name} is gone: the model still believes in it, and its calls are answered with an error.`,
    ];
  const changed = [
    ...(now.description === recorded.description ? [] : ['description']),
    ...(isDeepStrictEqual(now.inputSchema, recorded.inputSchema) ? [] : ['input schema']),
  ];
  return [
    ...(changed.length === 0
      ? []
      : [`The tool ${name} has another ${changed.join(' and ')} now; the model keeps the recorded one.`]),
    ...(now.effect === effect
      ? []
      : [`The tool ${name} is now ${now.effect}; it was recorded as ${effect}.`]),
  ];
}

/** Nobody has worked on it yet: there are the copied records, and perhaps the word for the model, which has the time of the fork. */
function isFreshFork({ header: { origin } }: Fold, records: OpenedJournal['records']): boolean {
  if (origin === undefined) return false;
  const own = records.slice(origin.seq + 1);
  return own.length === 0 || (own.length === 1 && own[0]?.at === origin.at);
}

function openWork({ snapshot }: Fold, isFresh: boolean): string[] {
  if (snapshot.matches({ asking: 'requesting' }) || snapshot.matches('finishing'))
    return isFresh
      ? []
      : [
          'The run was interrupted when the model was to be asked. It is asked again; if a reply was on its way, it is paid for twice.',
        ];
  return snapshot.context.calls.flatMap(callNotice);
}

function callNotice(call: Call): string[] {
  if (call.progress !== 'started') return [];
  return call.effect === 'effectful'
    ? [
        `The call ${call.name} (${call.id}) was started, and its outcome is unknown. It is not repeated; the model is told.`,
      ]
    : [`The call ${call.name} (${call.id}) was started. It is ${call.effect}, so it is repeated.`];
}
