/** Plays a scenario offline: the command as people start it, a scripted model, and real files and processes in a copy of the workspace. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Example, type Expectation, type Scenario, scenarioOf } from './scenarios.ts';

export const PAWL = path.join(import.meta.dirname, '../dist/cli.js');

interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What `--transcript` keeps. */
export interface Transcript {
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
  readonly replies: readonly {
    readonly turn: number;
    readonly stop_reason: string | null;
    readonly usage: Readonly<Record<string, number>>;
  }[];
}

/** What `--output-format json` says, as far as it is looked at here. */
interface Document {
  readonly status: string;
  readonly exit_code: number;
  readonly run_id: string;
  readonly result: string | null;
  readonly num_turns: number;
  readonly tool_calls: number;
  readonly cost_usd: number | null;
  readonly verified: boolean | null;
  readonly counters: Readonly<Record<string, number>>;
  readonly waiting: readonly { readonly call_id: string }[];
  readonly errors: readonly string[];
}

export interface Played extends Document {
  readonly workspace: string;
  readonly transcript: Transcript;
  readonly results: readonly Block[];
  readonly stderr: string;
  /** Where it came to something else than the scenario says. */
  readonly differences: readonly string[];
}

/**
 * What node is started with: the command with its flags, or the program that the example has in its place.
 * @param more further flags
 */
export function startWords(
  { folder, flags, task }: Example,
  scenario: Scenario,
  workspace: string,
  more: readonly string[],
): string[] {
  const behind = [...more, '-C', workspace, '--', scenario.task ?? task];
  return scenario.program
    ? ['--import', import.meta.resolve('tsx'), path.join(folder, scenario.program), ...behind]
    : [PAWL, 'run', '--agent', path.join(folder, 'agent.md'), ...flags, ...scenario.flags, ...behind];
}

/** @returns the folder's path */
export function copyWorkspace({ folder }: Example, { files }: Scenario, to: string): string {
  mkdirSync(to, { recursive: true });
  if (existsSync(path.join(folder, 'workspace')))
    cpSync(path.join(folder, 'workspace'), to, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(to, name), content);
  return to;
}

/** What came of a command. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
}
/** Starts node with these words: in a process, or in whatever has the command in it already. */
export type Start = (words: readonly string[], folder: string, env: NodeJS.ProcessEnv) => Promise<Ended>;

/** @param base an empty folder: the copy, the records of the run and its transcript are made in it */
export async function playScenario(
  example: Example,
  name: string,
  base: string,
  start: Start = startProcess,
): Promise<Played> {
  const scenario = scenarioOf(example, name);
  const workspace = copyWorkspace(example, scenario, path.join(base, 'workspace'));
  const transcriptFile = path.join(base, 'transcript.json');
  const env = { ...process.env, PAWL_HOME: path.join(base, 'state'), XDG_CONFIG_HOME: base };
  const kept = ['--transcript', transcriptFile];
  // What the script has run is known: it needs no sandbox, which not every machine has.
  const always = ['--output-format', 'json', '--sandbox', 'off', ...kept];
  const script = ['--script', path.join(example.folder, scenario.script)];
  const more = [...script, ...(scenario.program ? kept : always)];
  let { stdout, stderr } = await start(startWords(example, scenario, workspace, more), base, env);
  for (const words of scenario.next) {
    const { run_id, waiting } = documentIn(stdout, stderr);
    const named = words.map((word) =>
      word === 'RUN' ? run_id : word === 'CALL' ? (waiting[0]?.call_id ?? '') : word,
    );
    const isRun = named[0] === 'resume';
    const ended = await start([PAWL, ...named, ...(isRun ? always : [])], base, env);
    if (isRun) stdout = ended.stdout;
    stderr += ended.stderr;
  }
  const document = documentIn(stdout, stderr);
  const transcript = JSON.parse(readFileSync(transcriptFile, 'utf8')) as Transcript;
  const results = transcript.messages.flatMap(({ content }) =>
    content.filter(({ type }) => type === 'tool_result'),
  );
  const played = { ...document, workspace, transcript, results, stderr };
  return { ...played, differences: differencesFrom(scenario.expect, played) };
}

const startProcess: Start = (words, cwd, env) =>
  new Promise((resolve) => {
    execFile(process.execPath, words, { env, cwd }, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });

/** @throws Error with what was said where nothing was begun */
function documentIn(stdout: string, stderr: string): Document {
  if (!stdout.startsWith('{')) throw new Error(stderr.trim() || 'nothing was printed');
  return JSON.parse(stdout) as Document;
}

function differencesFrom(expected: Expectation, played: Omit<Played, 'differences'>): string[] {
  const found = {
    status: played.status,
    turns: played.num_turns,
    calls: played.tool_calls,
    errors: played.results.filter(({ is_error }) => is_error === true).length,
    messages: played.transcript.messages.length,
  };
  const figures = Object.entries(found).flatMap(([name, value]) => {
    const wanted = expected[name as keyof typeof found] ?? value;
    return wanted === value ? [] : [`${name}: ${value}, not ${wanted}`];
  });
  const texts = Object.entries(expected.files ?? {}).flatMap(([name, pattern]) => {
    const file = path.join(played.workspace, name);
    return difference(name, existsSync(file) ? readFileSync(file, 'utf8') : null, pattern);
  });
  return [...figures, ...difference('result', played.result, expected.result), ...texts];
}

function difference(name: string, text: string | null, pattern: string | null | undefined): string[] {
  if (pattern === undefined) return [];
  const fits = pattern === null || text === null ? pattern === text : new RegExp(pattern).test(text);
  return fits ? [] : [`${name}: ${JSON.stringify(text)} does not fit ${JSON.stringify(pattern)}`];
}
