import { describe, expect, it } from 'vitest';
import { NOTHING_UNSETTLED } from '../../machines/budget.ts';
import { NO_COUNTERS } from '../../machines/limits.ts';
import { NO_USAGE } from '../../machines/reply.ts';
import { closingLines } from '../../src/cli/report.ts';
import type { Ended } from '../../src/cli/reporter.ts';
import { styleOf } from '../../src/cli/style.ts';
import { BY_ANSWERING, nobody } from '../../src/permissions/nobody.ts';
import { noAbort } from '../helpers/model-request.ts';
import { plain } from './screen.ts';

const JOURNAL = '/home/somebody with blanks/.local/state/pawl/runs/20261130-094512-k3x9q.jsonl';
const ended = (changes: Partial<Ended> = {}): Ended => ({
  status: 'answered',
  exitCode: 0,
  result: 'x',
  runId: 'r',
  journal: JOURNAL,
  stopReason: 'end_turn',
  signal: null,
  usage: NO_USAGE,
  costUsd: 0,
  unsettled: NOTHING_UNSETTLED,
  counters: { ...NO_COUNTERS, turns: 3, toolCalls: 12 },
  errors: [],
  waiting: [],
  verified: null,
  checks: 0,
  repairs: 0,
  denials: [{ callId: 'a', tool: 'bash', reason: 'denied, see --yes' }],
  durationMs: 1_000,
  messages: [],
  replies: [],
  ...changes,
});
const SCRIPTED = { isScripted: true };
const lines = (changes: Partial<Ended>, columns: number) =>
  closingLines(ended(changes), SCRIPTED, plain, columns).join('\n').split('\n');

describe('the last lines', () => {
  it('break at blanks in a narrow terminal, and leave the path of the journal whole', () => {
    const shown = lines(
      { status: 'max_turns', exitCode: 10, errors: ['No summary was given. '.repeat(6)] },
      60,
    );
    expect(shown).toContain(`    ${JOURNAL}`);
    const others = shown.filter((line) => !line.includes(JOURNAL));
    expect(Math.max(...others.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(others.join(' ').replace(/ +/g, ' ')).toContain(
      'export ANTHROPIC_API_KEY=… and leave out --script.',
    );
  });

  it('are a line each where there is no terminal', () => {
    expect(lines({ errors: ['e'.repeat(200)] }, Infinity)).toHaveLength(5);
  });

  it('count what was denied before this process, and advise about the rest', () => {
    const denial = { callId: 'a', tool: 'bash', reason: 'denied, see --yes' };
    const told = (earlierDenials: number) =>
      closingLines(
        ended({ denials: [denial, denial] }),
        { ...SCRIPTED, earlierDenials },
        plain,
        Infinity,
      ).join('\n');
    for (const earlier of [0, 1, 2]) expect(told(earlier)).toContain('· 2 denied ·');
    expect(told(1)).toContain('Calls were denied');
    expect(told(2)).not.toContain('Calls were denied');
  });

  it('name what works for a run that an engine has: its journal is pulled, and its calls wait if nothing is said', () => {
    const engine = 'http://engine:8080';
    const facts = { isScripted: false, engine };
    const denials = [
      { callId: 'a', tool: 'bash', reason: 'denied, see --yes' },
      { callId: 'b', tool: 'bash', reason: `denied: ${BY_ANSWERING}` },
    ];
    const told = closingLines(ended({ denials, journal: 'memory' }), facts, plain, Infinity).join('\n');
    expect(told).toContain(`  journal at the engine; to read it: pawl pull r --restate ${engine}\n`);
    const wait = `leave out --on-ask deny, and they wait for pawl approve RUN CALL --restate ${engine}`;
    expect(told).toContain(`Allow all calls with --yes, or ${wait}\n`);
    expect(told).toContain(`Change the rule that asks, or ${wait}`);
    expect(told).not.toContain('terminal');
  });

  it('speak of a summary where there is one, and not where one was only asked for', () => {
    const limited = {
      status: 'max_turns',
      exitCode: 10,
      counters: { ...NO_COUNTERS, turns: 2, summaries: 1 },
    } as const;
    const none = ['No summary was given: the model called a tool, which was not run.'];
    expect(lines(limited, Infinity)[0]).toContain('2 turns and a summary');
    for (const missing of [{ errors: none, result: null }, { result: null }])
      expect(lines({ ...limited, ...missing }, Infinity).join()).not.toContain('and a summary');
  });

  it('say what would allow the calls that were denied: --yes only where it would', async () => {
    const denied = async (inEveryMode: boolean) => {
      const answer = await nobody('with --yes').ask(
        { tool: 't', rule: 'x asks', inEveryMode } as never,
        noAbort(),
      );
      const { reason } = answer as { reason: string };
      return { reason, told: lines({ denials: [{ callId: 'a', tool: 't', reason }] }, Infinity).join() };
    };
    const plainOne = await denied(false);
    expect(plainOne.reason).toContain('can allow such calls with --yes');
    expect(plainOne.told).toContain('allow all calls with --yes');
    const firm = await denied(true);
    expect(firm.reason).toMatch(/needs an approval \(x asks\).*only by answering for each, at a terminal/);
    expect(firm.told).toMatch(/Start it in a terminal.*--on-ask suspend/);
    expect(firm.reason + firm.told).not.toContain('--yes');
  });

  it('tell what cost nothing as that where the price is known, and no cost where it is not, or nothing was read', () => {
    const usage = { ...NO_USAGE, input: 5 };
    expect(lines({ usage, costUsd: 0 }, Infinity)[0]).toContain(' · $0.00 · ');
    expect(lines({ usage, costUsd: null }, Infinity)[0]).not.toContain('$');
    expect(lines({ costUsd: 0 }, Infinity)[0]).not.toContain('$');
  });

  it('name every exit code but 0, and none with 0', () => {
    expect(lines({ exitCode: 1 }, Infinity)[0]).toMatch(/^✓ answered · .* · exit code 1$/);
    expect(lines({ exitCode: 0 }, Infinity)[0]).not.toContain('exit code');
  });

  it('do not let an error of any length flood the terminal', () => {
    expect(lines({ errors: ['e'.repeat(1_000_000)] }, Infinity)[0]).toHaveLength(2_007);
  });

  it('of a run that could not be saved say how it goes on once that is mended, or where else it can be saved if nothing was', () => {
    const failed = { status: 'journal_error', exitCode: 50, denials: [] } as const;
    const header = { role: 'user', content: [] } as const;
    expect(lines({ ...failed, messages: [header] }, Infinity)).toContain(
      '  once that is mended: pawl resume r',
    );
    const remedy = '  Set PAWL_HOME to a folder that you can write to, or run with --ephemeral.';
    expect(lines({ ...failed, messages: [header] }, Infinity)).not.toContain(remedy);
    for (const nothing of [{ messages: [] }, { messages: [], journal: null }]) {
      expect(lines({ ...failed, ...nothing }, Infinity).join('\n')).not.toContain('pawl resume');
      expect(lines({ ...failed, ...nothing }, Infinity)).toContain(remedy);
    }
  });

  it('are coloured by what they say', () => {
    const [line] = closingLines(ended(), { isScripted: false }, styleOf(true), 60);
    expect(line).toContain('\x1b[32m✓ answered\x1b[39m\x1b[2m · 3 turns');
  });
});
