/** What every model client promises, as one suite that runs on each of them. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../machines/protocol.ts';
import { type ModelClient, ModelFailure } from '../../src/model/client.ts';
import type { ScriptReply } from '../../src/model/script.ts';
import { modelRequest, noAbort, resultOf, userSays } from '../helpers/model-request.ts';

/** A client whose model gives the replies of a script. */
export interface Backend {
  readonly client: ModelClient;
  /** Content of a reply as it left the model: a service may put its own signatures in. */
  sent(index: number): readonly ContentBlock[];
  close(): Promise<void>;
}

const CALL = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: 'a.txt' } };

export function modelClientSuite(name: string, start: (script: readonly ScriptReply[]) => Promise<Backend>) {
  describe(`a model client: ${name}`, () => {
    let backend: Backend | undefined;
    const play = async (...script: ScriptReply[]) => {
      backend = await start(script);
      return backend;
    };
    const ask = ({ client }: Backend, changes = {}) =>
      client.ask(modelRequest(changes), { signal: noAbort() });
    const failureOf = async (reply: ScriptReply) => {
      const failure = await ask(await play(reply)).catch((error: unknown) => error);
      if (!(failure instanceof ModelFailure)) throw new Error(`no failure: ${JSON.stringify(failure)}`);
      return failure;
    };
    afterEach(async () => {
      await backend?.close();
      backend = undefined;
    });

    it('gives the content as it was sent: order, empty thinking, unknown blocks and unknown fields', async () => {
      const played = await play({
        content: [
          { type: 'thinking', thinking: '', signature: 'c2ln' },
          { type: 'text', text: 'Reading both.' },
          CALL,
          { type: 'redacted_thinking', data: 'b3BhcXVl' },
          { type: 'thinking', thinking: 'a second thought', signature: 'c2ln' },
          { type: 'hologram', layers: [{ depth: 1 }, null], note: '' },
          { ...CALL, id: 'toolu_2', caller: { type: 'direct' }, novelty: [1, { two: null }] },
        ],
      });
      const message = await ask(played);
      expect(message.content).toEqual(played.sent(0));
      expect(message.content.map(({ type }) => type)).toEqual([
        'thinking',
        'text',
        'tool_use',
        'redacted_thinking',
        'thinking',
        'hologram',
        'tool_use',
      ]);
    });

    it.each([
      ['an object with odd keys', { path: 'ä "quoted" 😀', $and: [1.5, null, { deep: true }] }],
      ['nothing', {}],
      ['null', null],
      ['a text', 'ls'],
      ['a list', []],
    ])('gives the input of a call as it was sent: %s', async (_, input) => {
      const message = await ask(await play({ content: [{ ...CALL, input }] }));
      expect(message.content).toEqual([{ ...CALL, input }]);
    });

    it('gives an empty reply as an empty reply', async () => {
      const message = await ask(await play({ content: [], stop_reason: 'end_turn' }));
      expect(message).toMatchObject({ content: [], stop_reason: 'end_turn' });
    });

    it('gives the usage in the words of the service', async () => {
      const usage = {
        input_tokens: 7,
        output_tokens: 40,
        cache_read_input_tokens: 3,
        service_tier: 'standard',
      };
      expect((await ask(await play({ text: 'hello', usage }))).usage).toMatchObject(usage);
    });

    it.each([
      'end_turn',
      'tool_use',
      'max_tokens',
      'stop_sequence',
      'pause_turn',
      'refusal',
      'model_context_window_exceeded',
      'a_reason_of_tomorrow',
      null,
    ])('gives the stop reason as it was sent: %s', async (stopReason) => {
      const played = await play({ content: [CALL], stop_reason: stopReason });
      expect((await ask(played)).stop_reason).toBe(stopReason);
    });

    it('tells the text in pieces that add up to it', async () => {
      const text = 'Grüße aus 東京 — 😀👨‍👩‍👧 and a rather long tail of plain words\n\nwith lines.';
      const { client } = await play({ content: [{ type: 'text', text }, CALL, { type: 'text', text: '!' }] });
      const pieces: string[] = [];
      let activity = 0;
      await client.ask(modelRequest(), {
        signal: noAbort(),
        onText: (piece) => pieces.push(piece),
        onActivity: () => {
          activity += 1;
        },
      });
      expect(pieces.join('')).toBe(`${text}!`);
      expect(pieces.length).toBeGreaterThan(2);
      expect(activity).toBeGreaterThanOrEqual(pieces.length);
    });

    it('answers one request after the other, each extending the one before', async () => {
      const played = await play(
        { content: [{ type: 'thinking', thinking: 'hm', signature: '' }, CALL] },
        { text: 'It says A.' },
      );
      const first = await ask(played);
      const messages = [
        userSays('What is in a.txt?'),
        { role: 'assistant' as const, content: first.content },
        resultOf('toolu_1', 'A'),
      ];
      expect(await ask(played, { messages })).toMatchObject({
        content: [{ type: 'text', text: 'It says A.' }],
        stop_reason: 'end_turn',
      });
    });

    it.each([
      [{ status: 400 }, false, undefined],
      [{ status: 401 }, false, undefined],
      [{ status: 402 }, false, undefined],
      [{ status: 403 }, false, undefined],
      [{ status: 404 }, false, undefined],
      [{ status: 408 }, true, undefined],
      [{ status: 409 }, true, undefined],
      [{ status: 413 }, false, undefined],
      [{ status: 429, retry_after: 3 }, true, 3000],
      [{ status: 500 }, true, undefined],
      [{ status: 529, retry_after: 0.5 }, true, 500],
    ])('fails on %o: retryable %s, after %s ms', async (fault, retryable, retryAfterMs) => {
      const failure = await failureOf({ fault: { ...fault, message: 'said the server' } });
      expect(failure).toMatchObject({ kind: 'http', status: fault.status, retryable, retryAfterMs });
      expect(failure.message).toContain(`HTTP ${fault.status}: said the server`);
    });

    it.each([
      'prompt is too long: 250000 tokens > 200000 maximum',
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    ])('calls a request that is too large for the model by its name: %s', async (message) => {
      expect(await failureOf({ fault: { status: 400, message } })).toMatchObject({
        kind: 'context',
        retryable: false,
      });
    });

    it('fails when there is no connection, and another try may help', async () => {
      expect(await failureOf({ fault: 'connection' })).toMatchObject({ kind: 'connection', retryable: true });
    });

    it('takes a stream without its end for a failure, whatever came before', async () => {
      const { client } = await play({ fault: 'cut', text: 'Half an answer' });
      let heard = '';
      const failure = await client
        .ask(modelRequest(), { signal: noAbort(), onText: (text) => (heard += text) })
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: 'ModelFailure', kind: 'interrupted', retryable: true });
      expect(heard).toBe('Half an answer');
    });

    it('lets go of a silent model as soon as it is aborted', async () => {
      const { client } = await play({ fault: 'hang', text: 'Let me' });
      const abort = new AbortController();
      const asked = client.ask(modelRequest(), {
        signal: abort.signal,
        onText: () => abort.abort(new Error('enough')),
      });
      await expect(asked).rejects.toBeInstanceOf(Error);
    }, 30_000);

    it('sends nothing once it is aborted', async () => {
      const played = await play({ text: 'unheard' });
      await expect(played.client.ask(modelRequest(), { signal: AbortSignal.abort() })).rejects.toThrow();
      expect(await ask(played)).toMatchObject({ content: [{ text: 'unheard' }] });
    });

    it('fails for good when asked more often than there are replies', async () => {
      const played = await play({ text: 'only this' });
      await ask(played);
      await expect(ask(played)).rejects.toMatchObject({ name: 'ModelFailure', retryable: false });
    });
  });
}
