/**
 * `npm run examples`: plays all scenarios of all examples offline and prints a table.
 * `npm run examples -- NAME [SCENARIO]` plays those of one; with `--live`, asks a real model, in a copy of the workspace.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { copyWorkspace, type Played, playScenario, startWords } from './play.ts';
import { type Example, exampleNames, readExample, scenarioOf } from './scenarios.ts';

const AT_ONCE = 2;

const USAGE = `npm run examples                              all scenarios of all examples, offline
npm run examples -- NAME [SCENARIO]           those of one example, or one of them
npm run examples -- NAME [SCENARIO] --live    asks a real model
NAME is one of ${exampleNames().join(', ')}.`;

const { values, positionals } = readWords();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const [name, wanted] = positionals;
// What npm was given without "--" it keeps for itself, and says so here.
const isLive = values.live === true || process.env.npm_config_live === 'true';
const newFolder = () => realpathSync(mkdtempSync(path.join(os.tmpdir(), 'pawl-examples-')));

function readWords() {
  try {
    return parseArgs({
      options: { live: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    console.error(`error: ${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

/** Two side by side: most of the time is spent waiting for programs. */
async function playOffline(examples: readonly Example[], wanted: string | undefined): Promise<void> {
  const plays = examples.flatMap((example) =>
    Object.keys(wanted === undefined ? example.scenarios : { [wanted]: scenarioOf(example, wanted) }).map(
      (scenario) => ({ example, scenario }),
    ),
  );
  const base = newFolder();
  const rows: (readonly string[])[] = [];
  const queue = [...plays.entries()];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [at, { example, scenario }] = next;
      const played = await playScenario(example, scenario, path.join(base, example.name, scenario));
      rows[at] = rowOf(example, scenario, played);
      for (const difference of played.differences)
        console.error(`${example.name} ${scenario}: ${difference}`);
      if (played.differences.length > 0) process.exitCode = 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() =>
    rmSync(base, { recursive: true, force: true }),
  );
  print([['example', 'scenario', 'status', 'turns', 'calls', 'errors', '', 'what is seen'], ...rows]);
}

const rowOf = ({ name: example, scenarios }: Example, scenario: string, played: Played): string[] => [
  example,
  scenario,
  played.status,
  String(played.num_turns),
  String(played.tool_calls),
  String(played.results.filter(({ is_error }) => is_error === true).length),
  played.differences.length === 0 ? '✓' : '✗',
  played.differences.length === 0 ? (scenarios[scenario]?.about ?? '') : whatHappened(played),
];

/** The run's own words, where it has any: what differs is told above the table. */
const whatHappened = ({ errors, differences }: Played): string =>
  (errors.length > 0 ? errors : differences).join('; ').replaceAll(/\s+/g, ' ');

function print(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

/** The first scenario, or the one that is named, with the person at the terminal to ask. The copy stays, to be looked at. */
async function playLive([example]: readonly Example[], wanted: string | undefined): Promise<void> {
  if (example === undefined || name === undefined)
    throw new Error(`Name the example to be played live: ${exampleNames().join(', ')}.`);
  const scenarioName = wanted ?? Object.keys(example.scenarios)[0] ?? '';
  const scenario = scenarioOf(example, scenarioName);
  if (!scenario.live)
    throw new Error(`The scenario ${scenarioName} lies in its script: it can only be played offline.`);
  const workspace = copyWorkspace(example, scenario, path.join(newFolder(), 'workspace'));
  const words = startWords(example, scenario, workspace, scenario.program ? [] : example.live_flags);
  console.error(`workspace: ${workspace}`);
  const [code] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'close');
  process.exitCode = code ?? 1;
}

try {
  const examples = (name === undefined ? exampleNames() : [name]).map(readExample);
  if (isLive) await playLive(examples, wanted);
  else await playOffline(examples, wanted);
} catch (error) {
  console.error(`error: ${(error as Error).message}`);
  process.exitCode = 2;
}
