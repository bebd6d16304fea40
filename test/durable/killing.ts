/** A run whose processes are killed at instants that a seed decides, one after the other, until one may end it. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { foldRecords } from '../../src/journal/fold.ts';
import { proveRecords } from '../../src/journal/read.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import { RunPlace } from '../cli/resumes.ts';
import type { Fields } from '../helpers/strict-form.ts';
import { violations } from '../helpers/strict-rules.ts';
import { sentIn, wire } from './recovery.ts';

const zod = pathToFileURL(path.resolve(import.meta.dirname, '../../node_modules/zod/index.js')).href;
const NOTE = `import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '${zod}';
export default [{
  name: 'note', description: 'Notes a line.', effect: 'effectful', input: z.strictObject({ line: z.string() }),
  run: async ({ line }, { workspace }) => {
    appendFileSync(path.join(workspace, 'log.txt'), line + '\\n');
    return 'noted';
  },
}];`;

/** Longer than a process needs to begin, and about as long as it needs for ten calls. */
const LONGEST_START_MS = 250;
const LONGEST_WORK_MS = 90;

/** Numbers from 0 to 1, the same ones for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What a run came to after its processes were killed. */
export interface Survived {
  readonly status: unknown;
  readonly resumptions: number;
  /** Kills after which a record was missing that had been there. */
  readonly lost: number;
  readonly lines: readonly string[];
  /** Calls with a result of their own, and those whose outcome nobody knows. */
  readonly done: readonly string[];
  readonly unknown: readonly string[];
  /** What the service would have found wrong in any request. */
  readonly violations: readonly string[];
}

export async function killedRun(seed: number, kills: number): Promise<Survived> {
  const place = new RunPlace();
  try {
    const random = numbersFrom(seed);
    place.write('tools.mjs', NOTE);
    place.write('a.md', '---\ntool_module: tools.mjs\n---\n');
    copyFileSync(path.join(import.meta.dirname, 'programs/endless.mjs'), place.file('s.mjs'));
    writeFileSync(path.join(place.base, 'requests.jsonl'), '');
    const seen: Buffer[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      await killOnce(place, random);
      if (place.ids.length > 0) seen.push(readFileSync(place.journal()));
    }
    place.write('stop', '');
    await place.start(commandFor(place)).finished;
    return judge(place, seen);
  } finally {
    place.remove();
  }
}

const commandFor = (place: RunPlace): string[] => {
  const shown = ['--yes', '--output-format', 'stream-json'];
  return place.ids.length > 0
    ? ['resume', '--last', ...shown]
    : ['run', '--agent', 'a.md', '--script', 's.mjs', '--max-turns', '100000', ...shown, 'the task'];
};

/** One of five processes is killed while it begins, the others while they work. */
async function killOnce(place: RunPlace, random: () => number): Promise<void> {
  const { child, finished } = place.start(commandFor(place));
  const isEarly = random() < 0.2;
  const waitMs = random() * (isEarly ? LONGEST_START_MS : LONGEST_WORK_MS);
  if (!isEarly)
    await new Promise((resolve) => {
      child.stdout?.once('data', resolve);
      child.once('exit', resolve);
    });
  await sleep(waitMs);
  child.kill('SIGKILL');
  const { code, stderr } = await finished;
  // A process that came to no record has begun no run.
  if (place.ids.length > 0 && place.bytes() === '') rmSync(place.journal());
  if (code !== null) throw new Error(`the process ended before it was killed (${code}): ${stderr}`);
}

function judge(place: RunPlace, seen: readonly Buffer[]): Survived {
  const bytes = readFileSync(place.journal());
  const { records } = proveRecords('the journal', bytes);
  const kept = seen.filter((before) => {
    // A torn end may go; nothing before it.
    const sound = before.subarray(0, before.lastIndexOf('\n') + 1);
    return bytes.subarray(0, sound.length).equals(sound);
  });
  const ends = records.flatMap((record) => (record.type === 'tool.finished' ? [record] : []));
  const isUnknown = ({ content }: { readonly content: unknown }) =>
    String(content).includes('outcome is unknown');
  const effects = ends.filter(({ callId }) => !callId.endsWith('look'));
  return {
    status: foldRecords(records).snapshot.value,
    resumptions: records.filter(({ type }) => type === 'run.resumed').length,
    lost: seen.length - kept.length,
    lines: existsSync(place.file('log.txt')) ? place.read('log.txt').trimEnd().split('\n') : [],
    done: effects.filter((end) => !isUnknown(end)).map(({ callId }) => callId),
    unknown: effects.filter(isUnknown).map(({ callId }) => callId),
    violations: violationsIn(
      readFileSync(path.join(place.base, 'requests.jsonl'), 'utf8').split('\n').flatMap(requestIn),
      sentIn(records),
    ),
  };
}

const violationsIn = (requests: readonly Fields[], sent: ReturnType<typeof sentIn>): string[] =>
  requests.flatMap((body, at) =>
    violations(body, { requests: requests.slice(Math.max(0, at - 1), at), sent }),
  );

/** A kill in the middle of a line leaves a part of it, which the next line is glued to: neither can be read. */
function requestIn(line: string): Fields[] {
  try {
    return [wire(JSON.parse(line) as ModelRequest)];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
