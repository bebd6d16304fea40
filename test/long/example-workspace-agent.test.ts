/** The example workspace-agent: its experiments as scenarios, what goes wrong with calls, and the real SDK. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunPlace } from '../cli/resumes.ts';
import { playAll, playLive, violationsOf } from '../examples/played.ts';
import { call, calls, says } from '../field/support.ts';
import { hasBubblewrap } from '../helpers/bubblewrap.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { startStrictServer } from '../helpers/strict-server.ts';

describe('workspace-agent, offline', () => {
  const played = playAll('workspace-agent');

  it('basic: the transcript has usage and stop reason of every turn; the call and its result come back as input', () => {
    const { transcript, cost_usd } = played('basic');
    expect(
      transcript.replies.map(({ turn, stop_reason, usage }) => [turn, stop_reason, usage.input_tokens]),
    ).toEqual([
      [1, 'tool_use', 671],
      [2, 'end_turn', 751],
    ]);
    // $0.10 and $0.50 for a million tokens, in and out.
    expect(cost_usd).toBeCloseTo((1_422 * 0.1 + 200 * 0.5) / 1e6, 12);
    expect(transcript.messages.at(-1)?.content[0]).toEqual({
      type: 'thinking',
      thinking: '',
      signature: 'c2NyaXB0ZWQ=',
    });
  });

  it.each([
    ['parallel', ['Spring', 'Fall']],
    ['limit', ['name,score', 'Spring', 'Fall']],
  ])('%s: the results of one reply are one message, in the order of its calls', (scenario, beginnings) => {
    const message = played(scenario).transcript.messages.findLast(
      ({ content }) => content[0]?.type === 'tool_result',
    );
    const contents = message?.content
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => String(content));
    expect(contents).toHaveLength(beginnings.length);
    contents?.forEach((content, at) => {
      expect(content).toContain(beginnings[at]);
    });
  });

  it('errors: each of the seven is a result that is an error and says what can be done', () => {
    const { results, transcript } = played('errors');
    const words = [
      /outside the workspace, so it was not touched/,
      /^There is no grades\.csv\. Use list_files, or a program, to see/,
      /no UTF-8 text/,
      /^exit_code=3\n/,
      /^timed out after 5 s/,
      /^There is no tool named "send_mail"\. Available tools: read_file, run_python\.$/,
      /path/,
    ];
    expect(results.map(({ is_error }) => is_error)).toEqual(words.map(() => true));
    words.forEach((pattern, at) => {
      expect(results[at]?.content).toMatch(pattern);
    });
    expect(transcript.messages).toHaveLength(4);
  });

  it('approve and decline: nothing ran before the answer, and a no reaches the model with its reason', () => {
    expect(played('approve').results[1]).toMatchObject({ content: 'exit_code=0\n12.75 11.4\n' });
    expect(played('decline').results[1]).toMatchObject({
      ...{ is_error: true, tool_use_id: 'compute' },
      content: 'The person denied this call. Reason: Ask me how I want it to be done, and do not try again.',
    });
  });

  it('limit: what the last round has read is answered from, by one request more without tools', () => {
    const { transcript, exit_code } = played('limit');
    expect(exit_code).toBe(10);
    expect(transcript.replies).toHaveLength(3);
    expect(transcript.messages.at(-2)?.content.at(-1)).toMatchObject({
      type: 'text',
      text: expect.stringContaining('limit'),
    });
  });

  it('budget: the call has an answer, so that the run can be taken up again', () => {
    expect(played('budget').results).toMatchObject([
      { is_error: true, content: expect.stringMatching(/^Not executed/) },
    ]);
  });
});

describe('workspace-agent, live', () => {
  it('gives back what the model thought, byte for byte, and reads side by side', async () => {
    const thinking = { type: 'thinking', thinking: 'Both at once.', signature: '' };
    const replies = [
      calls(
        thinking,
        call('toolu_1', 'read_file', { path: 'scores.csv' }),
        { type: 'redacted_thinking', data: 'b3BhcXVl' },
        call('toolu_2', 'read_file', { path: 'notes/fall.md' }),
      ),
      says('83'),
    ];
    const lived = await playLive('workspace-agent', replies, scratchFolder());
    expect(lived.document).toMatchObject({ status: 'answered', result: '83' });
    expect(violationsOf(lived)).toEqual([]);
    const { body } = lived.server.requests[1] ?? {};
    expect(body?.messages).toMatchObject([
      {},
      { content: [{ thinking: 'Both at once.' }, {}, { data: 'b3BhcXVl' }, {}] },
      {},
    ]);
    expect(lived.server.requests[0]?.body).toMatchObject({
      model: 'claude-haiku-5-5',
      output_config: { effort: 'medium' },
    });
  });

  it('says what its tools and its prompt come to, before anything is asked', async () => {
    const server = await startStrictServer([]);
    const place = new RunPlace();
    const { stdout } = await place.pawl(
      ['tokens', '--agent', path.resolve('examples/workspace-agent/agent.md'), '--json', 'What?'],
      {
        ...{ ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url },
      },
    );
    await server.close();
    place.remove();
    const counted = JSON.parse(stdout);
    expect(counted.tool_names).toEqual(['read_file', 'run_python']);
    expect(counted.first_request).toBe(counted.task + counted.system + counted.tools);
    expect(server.counts).toHaveLength(3);
    expect(server.requests).toEqual([]);
  });
});

/** A check in one tool is no boundary where another one runs programs. */
it.runIf(hasBubblewrap)(
  'what read_file refuses, run_python cannot reach either: it is confined',
  async () => {
    const place = new RunPlace();
    place.write('secret.txt', 'the secret');
    const workspace = path.join(place.folder, 'inner');
    const code = `print(open(${JSON.stringify(place.file('secret.txt'))}).read())`;
    const script = [
      { calls: [{ name: 'run_python', input: { code } }] },
      { when: 'FileNotFoundError', text: 'It is not there.' },
    ];
    mkdirSync(workspace);
    const { result } = await place.run(script, ['--yes', '--sandbox', 'require', '-C', 'inner']);
    place.remove();
    expect(result).toBe('It is not there.');
  },
);
