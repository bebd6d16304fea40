import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/actors/fingerprint.ts';
import { JournalError } from '../../src/journal/journal.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { deferred } from '../helpers/job-scope.ts';
import { toolOf, toolStage } from './tool-stage.ts';

/** A run that tells of itself. The story is looked up late: it belongs to the stage that the tool is for. */
const tell = (story: () => string[]) => (word: string) => {
  story().push(`run ${word}`);
  return 'ok';
};
const times = (count: number, name: string) => Array.from({ length: count }, () => ({ name }));

describe('a secret', () => {
  it('is in no result, whatever form that has', async () => {
    const plain = toolOf('plain', () => 'KEY=sk-secret;sk-secret');
    const blocks = toolOf('blocks', () => ({
      content: [
        { type: 'text', text: 'a sk-secret' },
        { type: 'image', source: 1 },
      ],
      isError: false,
    }));
    const failing = toolOf('failing', () => Promise.reject(new Error('no sk-secret here')));
    const { run, outcomes } = toolStage(
      [plain, blocks, failing],
      [{ name: 'plain' }, { name: 'blocks' }, { name: 'failing' }],
    );
    await run();
    expect(outcomes().map(({ content }) => content)).toEqual([
      'KEY=[redacted];[redacted]',
      [
        { type: 'text', text: 'a [redacted]' },
        { type: 'image', source: 1 },
      ],
      expect.stringContaining('no [redacted] here'),
    ]);
  });
});

describe('the calls of a reply', () => {
  it('that read run side by side: each of sixteen waits for all others', async () => {
    let running = 0;
    const all = deferred();
    const look = toolOf(
      'look',
      async (word) => {
        running += 1;
        if (running === 16) all.resolve();
        await all.promise;
        return word;
      },
      { effect: 'read' },
    );
    const { run, outcomes, events } = toolStage([look], times(16, 'look'));
    await run();
    expect(outcomes()).toHaveLength(16);
    expect(events.at(-1)).toEqual({ type: 'calls.finished', turn: 1 });
  });

  it('that have effects run strictly one after the other, in call order', async () => {
    const story: string[] = [];
    const work = async (word: string) => {
      story.push(`begin ${word}`);
      await nextTurn();
      story.push(`end ${word}`);
      return word;
    };
    const tools = [toolOf('write', work), toolOf('set', work, { effect: 'idempotent' })];
    await toolStage(tools, [{ name: 'write' }, { name: 'set' }, { name: 'write' }]).run();
    expect(story).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('see the effects of the calls above them', async () => {
    let content = 'old';
    const tools = [
      toolOf('look', () => content, { effect: 'read' }),
      toolOf('write', async (word) => {
        await nextTurn();
        content = `written by ${word}`;
        return 'ok';
      }),
    ];
    const { run, outcomes } = toolStage(tools, [{ name: 'look' }, { name: 'write' }, { name: 'look' }]);
    await run();
    expect(outcomes().map((outcome) => outcome.content)).toEqual(['old', 'ok', 'written by 2']);
  });

  it('get the workspace, the input that was proved, and the calls that ended before', async () => {
    const seen: unknown[] = [];
    const note = (word: string, { workspace, finishedCalls }: ToolContext) => {
      seen.push({ word, workspace, before: [...finishedCalls()] });
      return 'ok';
    };
    await toolStage([toolOf('note', note)], times(2, 'note')).run();
    expect(seen).toEqual([
      { word: '1', workspace: '/somewhere', before: [] },
      {
        word: '2',
        workspace: '/somewhere',
        before: [{ name: 'note', input: { word: '1' }, isError: false }],
      },
    ]);
  });

  it('are recorded as they end, with a digest of name, input and result and the time they took', async () => {
    const first = deferred<string>();
    const look = toolOf('look', (word) => (word === '1' ? first.promise : 'second'), { effect: 'read' });
    const { run, written, events } = toolStage([look], times(2, 'look'));
    const running = run();
    await nextTurn();
    first.resolve('first');
    await running;
    const finished = written().filter(({ type }) => type === 'tool.finished');
    expect(finished).toMatchObject([
      { callId: '2', content: 'second', fingerprint: fingerprint('look', { word: '2' }, 'second') },
      { callId: '1', content: 'first', fingerprint: fingerprint('look', { word: '1' }, 'first') },
    ]);
    for (const record of finished)
      expect(record).toMatchObject({ isError: false, durationMs: expect.any(Number) });
    expect(events.map((event) => ('callId' in event ? `${event.type} ${event.callId}` : event.type))).toEqual(
      ['tool.started 1', 'tool.started 2', 'tool.finished 2', 'tool.finished 1', 'calls.finished'],
    );
  });
});

it('many reads at once are not taken for a leak of listeners', async () => {
  const warnings: unknown[] = [];
  const note = (warning: unknown) => void warnings.push(warning);
  process.on('warning', note);
  const listen = (_: string, { signal }: ToolContext) => {
    signal.addEventListener('abort', () => {});
    return 'ok';
  };
  await toolStage([toolOf('look', listen, { effect: 'read' })], times(30, 'look')).run();
  await nextTurn();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

describe('the order of record and effect', () => {
  it.each(['effectful', 'idempotent'] as const)(
    'of an %s call: its intent is on the disk before it runs, its outcome before the next begins',
    async (effect) => {
      const { run, story } = toolStage(
        [
          toolOf(
            'write',
            tell(() => story),
            { effect },
          ),
        ],
        times(2, 'write'),
      );
      await run();
      expect(story).toEqual([
        ...['write tool.started', 'disk', 'run 1', 'write tool.finished', 'disk'],
        ...['write tool.started', 'disk', 'run 2', 'write tool.finished', 'disk'],
      ]);
    },
  );

  it('of a read: its intent is written before it runs, and no disk is waited for', async () => {
    const { run, story } = toolStage(
      [
        toolOf(
          'look',
          tell(() => story),
          { effect: 'read' },
        ),
      ],
      times(1, 'look'),
    );
    await run();
    expect(story).toEqual(['write tool.started', 'run 1', 'write tool.finished']);
  });
});

describe('a call that cannot run', () => {
  it('because of its precondition is answered with it, and neither run nor recorded as started', async () => {
    const { run, story, outcomes } = toolStage(
      [
        toolOf(
          'write',
          tell(() => story),
          { precondition: async () => 'look first' },
        ),
      ],
      times(1, 'write'),
    );
    await run();
    expect(outcomes()).toEqual([{ callId: '1', content: 'look first', isError: true }]);
    expect(story).toEqual(['write tool.finished', 'disk']);
  });

  it('because its precondition fails is answered so', async () => {
    const precondition = () => {
      throw new Error('no such rule');
    };
    const { run, outcomes } = toolStage([toolOf('write', () => 'ok', { precondition })], times(1, 'write'));
    await run();
    expect(outcomes()).toEqual([
      {
        callId: '1',
        content: 'Not executed: the rule that guards this tool failed (no such rule).',
        isError: true,
      },
    ]);
  });

  it.each([null, false, 5, { reason: 'no' }])(
    'because its precondition answers with %j, which is no text, is answered so',
    async (word) => {
      const precondition = () => word as unknown as string;
      const { run, story, outcomes } = toolStage(
        [toolOf('write', () => 'ok', { precondition })],
        times(1, 'write'),
      );
      await run();
      const content = expect.stringMatching(
        /^Not executed: the rule that guards this tool failed \(it answered with .*, and not with a text\)\.$/,
      );
      expect(outcomes()).toEqual([{ callId: '1', content, isError: true }]);
      expect(story).toEqual(['write tool.finished', 'disk']);
    },
  );

  it('because its tool is gone, or takes another input by now, is answered with what there is', async () => {
    const { run, outcomes } = toolStage(
      [toolOf('write', () => 'ok')],
      [{ name: 'gone' }, { name: 'write', input: { letter: 'x' } }],
    );
    await run();
    expect(outcomes()).toEqual([
      { callId: '1', content: expect.stringContaining('Available tools: write'), isError: true },
      { callId: '2', content: expect.stringContaining('Wrong input for write'), isError: true },
    ]);
  });
});

describe('what a tool answers', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
  const text = (words: string) => ({ type: 'text', text: words });
  const rows: readonly (readonly [title: string, output: unknown, content: unknown, isError: boolean])[] = [
    ['text', 'seen', 'seen', false],
    ['nothing', '', '', false],
    ['an expected failure', { content: 'exit code 1', isError: true }, 'exit code 1', true],
    ['blocks', { content: [text('seen'), image], isError: false }, [text('seen'), image], false],
    ['half characters in a text', 'a\ud800b', 'a\ufffdb', false],
    [
      'half characters in a block',
      { content: [text('a\ud800b')], isError: false },
      [text('a\ufffdb')],
      false,
    ],
    ['blank blocks', { content: [text(' '), image, { type: 'text' }], isError: false }, [image], false],
    [
      'blocks that cannot be saved',
      { content: [{ type: 'x', of: 1n }], isError: false },
      /^The tool odd failed: .*BigInt/,
      true,
    ],
    ...(
      [
        ['no output at all', undefined, 'undefined'],
        ['a number', 5, 'a number'],
        ['a list of blocks', [text('seen')], 'a list'],
        ['no content', { isError: false }, 'another object'],
        ['no word on whether it is an error', { content: 'seen' }, 'another object'],
        ['a word for whether it is an error', { content: 'seen', isError: 'no' }, 'another object'],
        ['content that is an object', { content: text('seen'), isError: false }, 'another object'],
        ['blocks that are none', { content: ['seen'], isError: false }, 'another object'],
        ['a null among blocks', { content: [null], isError: false }, 'another object'],
      ] as const
    ).map(
      ([what, output, kind]) =>
        [
          `${what}: the model is told that the tool is at fault, and goes on without it`,
          output,
          `The tool odd failed: it returned neither a text nor { content, isError }, but ${kind}. That is a defect of the tool and not of the call: it may have done its work, and would answer so again. Go on without it.`,
          true,
        ] as const,
    ),
  ];
  it.each(rows)('%s', async (_, output, content, isError) => {
    const { run, outcomes } = toolStage([toolOf('odd', () => output as string)], times(1, 'odd'));
    await run();
    const expected = content instanceof RegExp ? expect.stringMatching(content) : content;
    expect(outcomes()).toEqual([{ callId: '1', content: expected, isError }]);
  });
});

describe('a journal that fails', () => {
  it('lets no tool run whose intent it could not save', async () => {
    const { run, log, story } = toolStage(
      [
        toolOf(
          'write',
          tell(() => story),
        ),
      ],
      times(2, 'write'),
    );
    log.save = () => Promise.reject(new JournalError('no space left'));
    await expect(run()).rejects.toThrow('no space left');
    expect(story).toEqual([]);
  });

  it('stops the reads beside the one that could not be recorded, and is reported when they have ended', async () => {
    const story: string[] = [];
    const look = toolOf(
      'look',
      (word, { signal }) => {
        if (word === '2') return 'seen';
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            setImmediate(() => {
              story.push(`${word} ended`);
              resolve('stopped');
            });
          }),
        );
      },
      { effect: 'read' },
    );
    const { run, log, events } = toolStage([look], times(3, 'look'));
    const note = log.note.bind(log);
    log.note = (body) => {
      if (body.type === 'tool.finished') throw new JournalError('no space left');
      note(body);
    };
    await expect(run()).rejects.toThrow('no space left');
    expect(story).toEqual(['1 ended', '3 ended']);
    expect(events.map(({ type }) => type)).toEqual(['tool.started', 'tool.started', 'tool.started']);
  });
});
