/** Runs that somebody goes on with: made, left behind and taken up by the command itself. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeLine, GENESIS } from '../../src/journal/line.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { type Finished, Place } from './support.ts';

export interface Ending {
  readonly status: string;
  readonly exit_code: number;
  readonly result: string | null;
  readonly run_id: string;
  readonly num_turns: number;
  readonly journal: string;
  readonly errors: readonly string[];
}

export const bash = (command: string, id?: string) => ({
  calls: [{ name: 'bash', input: { command }, ...(id && { id }) }],
});

export class RunPlace extends Place {
  /** Runs to its end. @param flags further flags; the script is written to s.json */
  async run(script: readonly object[], flags: readonly string[] = ['--yes']): Promise<Ending> {
    this.write('s.json', script);
    const { stdout, stderr } = await this.pawl([
      'run',
      '--script',
      's.json',
      '--output-format',
      'json',
      ...flags,
      'the task',
    ]);
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Ending;
  }

  /** A run whose process was killed while it waited for the reply behind those of the script. */
  async interrupted(script: readonly object[], flags: readonly string[] = ['--yes']): Promise<string> {
    this.write('s.json', [...script, { delay_ms: 60_000, text: 'late' }]);
    const { child, finished } = this.start(['run', '--script', 's.json', ...flags, 'the task']);
    await this.until(() => this.replies === script.length && this.asked);
    child.kill('SIGKILL');
    await finished;
    this.write('s.json', script);
    return this.ids[0] ?? '';
  }

  resume(...args: readonly string[]): Promise<Finished> {
    return this.pawl(['resume', ...args]);
  }

  /** The same with the document for scripts. */
  async resumed(...args: readonly string[]): Promise<Ending & { readonly stderr: string }> {
    const { stdout, stderr } = await this.resume('--output-format', 'json', ...args);
    if (stdout === '') throw new Error(stderr);
    return { ...(JSON.parse(stdout) as Ending), stderr };
  }

  get runsFolder(): string {
    return path.join(this.home, 'pawl', 'runs');
  }

  /** Newest first. */
  get ids(): string[] {
    try {
      return readdirSync(this.runsFolder)
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => path.basename(name, '.jsonl'))
        .sort()
        .reverse();
    } catch {
      return [];
    }
  }

  journal(id = this.ids[0]): string {
    return path.join(this.runsFolder, `${id}.jsonl`);
  }

  bytes(id?: string): string {
    return readFileSync(this.journal(id), 'utf8');
  }

  records(id?: string): JournalRecord[] {
    return this.bytes(id)
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as JournalRecord);
  }

  types(id?: string): string[] {
    return this.records(id).map(({ type }) => type);
  }

  /** Writes the journal again with records that were changed; every line follows from the one before it. */
  rewrite(id: string, change: (record: JournalRecord) => JournalRecord): void {
    let sum = GENESIS;
    const lines = this.records(id).map((record) => {
      const { sum: _, ...body } = record as JournalRecord & { sum?: string };
      const line = encodeLine(change(body as JournalRecord), sum);
      sum = line.sum;
      return line.text;
    });
    writeFileSync(this.journal(id), lines.join(''));
  }

  get replies(): number {
    return this.ids.length === 0 ? -1 : this.types().filter((type) => type === 'reply.received').length;
  }

  /** Whether the records say that the model is to be asked next. */
  private get asked(): boolean {
    return ['run.started', 'results.recorded'].includes(this.types().at(-1) ?? '');
  }
}
