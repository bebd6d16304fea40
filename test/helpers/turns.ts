/** Runs of the script turns.mjs, and whether each of them came to what it must, whatever happened to its workers. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JournalRecord } from '../../src/journal/record.ts';
import { verifyRecords } from '../../src/journal/verify.ts';
import type { ModelRequest } from '../../src/model/client.ts';
import { sentIn, wire } from '../durable/recovery.ts';
import type { EnginePlace } from './engine-place.ts';
import type { Fields } from './strict-form.ts';
import { violations } from './strict-rules.ts';

const zod = pathToFileURL(path.resolve(import.meta.dirname, '../../node_modules/zod/index.js')).href;
/** Takes a moment, in which the process may be killed. */
const NOTE = `import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from '${zod}';
export default [{
  name: 'note', description: 'Notes a line.', effect: 'effectful', input: z.strictObject({ line: z.string() }),
  run: async ({ line }, { workspace }) => {
    await sleep(15);
    appendFileSync(path.join(workspace, 'log.txt'), line + '\\n');
    await sleep(15);
    return 'noted';
  },
}];`;

export interface TurnsRun {
  readonly runId: string;
  readonly folder: string;
}

export class Turns {
  readonly #options;

  constructor(private readonly place: EnginePlace) {
    place.write('tools.mjs', NOTE);
    const agent = place.write('agent.md', '---\ntool_module: tools.mjs\n---\n');
    const script = place.file('turns.mjs');
    copyFileSync(path.join(import.meta.dirname, '../restate/programs/turns.mjs'), script);
    this.#options = { yes: true, agent, script };
  }

  async submit(name: string, turns: number): Promise<TurnsRun> {
    const folder = path.join(this.place.base, 'runs', name);
    mkdirSync(folder, { recursive: true });
    const workspace = realpathSync(folder);
    const task = JSON.stringify({ turns, folder: workspace });
    return { runId: await this.place.submit(this.#options, { task, workspace }), folder };
  }
}

/** @returns what is wrong with a run: nothing, where each effect was made once, or is called unknown and was made at most once */
export function flawsOf({ folder }: TurnsRun, records: readonly JournalRecord[]): string[] {
  const read = (name: string) =>
    existsSync(path.join(folder, name))
      ? readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n')
      : [];
  const lines = read('log.txt');
  const notes = records.flatMap((record) =>
    record.type === 'tool.finished' && record.callId.endsWith('note') ? [record] : [],
  );
  const isUnknown = ({ content }: { readonly content: unknown }) =>
    String(content).includes('outcome is unknown');
  const unknown = notes.filter(isUnknown).map(({ callId }) => callId);
  const done = notes.filter((note) => !isUnknown(note)).map(({ callId }) => callId);
  const last = records.at(-1);
  const requestFiles = readdirSync(folder).filter((name) => name.startsWith('requests-'));
  const sent = sentIn(records);
  return [
    ...(last?.type === 'run.ended' && last.status === 'answered'
      ? []
      : [`it ended with ${JSON.stringify(last)}`]),
    ...lines.filter((line, at) => lines.indexOf(line) !== at).map((line) => `${line} was made twice`),
    ...done.filter((id) => !lines.includes(id)).map((id) => `${id} was not made`),
    ...lines
      .filter((line) => !done.includes(line) && !unknown.includes(line))
      .map((line) => `${line} is not told of`),
    ...[verifyRecords(records)].flatMap((found) => found ?? []).map(({ problem }) => problem),
    ...requestFiles.flatMap((name) => {
      const requests = read(name).flatMap(requestIn);
      return requests.flatMap((body, at) =>
        violations(body, { requests: requests.slice(Math.max(0, at - 1), at), sent }),
      );
    }),
  ];
}

/** A kill in the middle of a line leaves a part of it, which the next line is glued to: neither can be read. */
function requestIn(line: string): Fields[] {
  try {
    return [wire(JSON.parse(line) as ModelRequest)];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
