/** Journals of short runs in a place's state folder, for the commands that read them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordBody } from '../../src/journal/record.ts';
import { finished, header, message, recorded, reply, text, toolUse } from '../helpers/records.ts';
import { linesOf } from '../journal/lines.ts';
import type { Place } from './support.ts';

export const ID = '20261130-094512-aaaaa';

export const reviewed = (turn: number, callId: string): RecordBody => ({
  type: 'calls.reviewed',
  turn,
  verdicts: [{ callId, verdict: 'approve', effect: 'effectful', fingerprint: callId }],
});

/** One call, then an answer: eight records. */
export const ANSWERED: readonly RecordBody[] = [
  header({ runId: ID, task: 'count\nthem' }),
  reply(1, message('tool_use', text('I look.'), toolUse('a', 'bash', { command: 'ls \u001b[31m' }))),
  reviewed(1, 'a'),
  { type: 'tool.started', turn: 1, callId: 'a' },
  finished(1, 'a', 'three\nfiles'),
  recorded(1, 'a'),
  reply(2, message('end_turn', text('three'))),
  {
    type: 'run.ended',
    status: 'answered',
    turns: 2,
    usage: { input: 6, cacheWrite: 0, cacheRead: 0, output: 4 },
    costUsd: 0,
  },
];

export class Journals {
  constructor(private readonly place: Place) {
    mkdirSync(this.folder, { recursive: true });
  }

  get folder(): string {
    return path.join(this.place.home, 'pawl', 'runs');
  }

  file(id = ID): string {
    return path.join(this.folder, `${id}.jsonl`);
  }

  /** @returns the id */
  put(bodies: readonly RecordBody[] = ANSWERED, id = ID): string {
    writeFileSync(this.file(id), linesOf(bodies).join(''));
    return id;
  }

  /** Changes a line, from 1, behind the back of its checksum. */
  damage(line: number, id = ID): void {
    const lines = readFileSync(this.file(id), 'utf8').split('\n');
    lines[line - 1] = lines[line - 1]?.replace('"turn"', '"torn"').replace('"task"', '"tusk"') ?? '';
    writeFileSync(this.file(id), lines.join('\n'));
  }

  append(tail: string, id = ID): void {
    writeFileSync(this.file(id), tail, { flag: 'a' });
  }
}
