import { afterEach, describe, expect, it } from 'vitest';
import type { Block } from '../helpers/strict-form.ts';
import { type StrictServer, startStrictServer } from '../helpers/strict-server.ts';

const text = (value: string) => ({ type: 'text', text: value });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const hello = user(text('hello'));
const body = (messages: unknown[], more: object = {}) => ({ model: 'm', max_tokens: 1, messages, ...more });

describe('the strict server', () => {
  let server: StrictServer;
  afterEach(() => server.close());
  const post = async (request: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'anthropic-version': '2026-10-21', ...headers },
      body: typeof request === 'string' ? request : JSON.stringify(request),
    });
    return {
      status: response.status,
      body: (await response.json()) as { content: Block[]; error: { message: string } },
    };
  };
  const thought = { content: [{ type: 'thinking', thinking: 'hm' }, text('hi')], stop_reason: 'end_turn' };

  it('signs thinking over everything before it and refuses it anywhere else', async () => {
    server = await startStrictServer([thought, thought]);
    const { content } = (await post(body([hello]))).body;
    await server.close();
    server = await startStrictServer([thought]);
    const elsewhere = await post(body([user(text('other')), assistant(...content), hello]));
    expect(elsewhere.status).toBe(400);
    expect(elsewhere.body.error.message).toMatch(
      /^messages\.1\.content\.0: Invalid `signature` in `thinking` block\. /,
    );
    expect((await post(body([hello, assistant(...content), hello]))).status).toBe(200);
  });

  it('takes over what an earlier server has seen', async () => {
    server = await startStrictServer([thought]);
    await post(body([hello]));
    const { history } = server;
    await server.close();
    server = await startStrictServer([thought], { history });
    expect((await post(body([user(text('other'))]))).body.error.message).toContain(
      'differs from the request before',
    );
  });

  it('answers violations and the end of its replies with 400, and notes them', async () => {
    server = await startStrictServer([]);
    expect((await post('{')).body.error.message).toContain('not valid JSON');
    expect((await post(body([hello]))).body.error.message).toBe('no more replies');
    expect(server.requests.map((request) => request.violations.length)).toEqual([1, 0]);
  });

  it('only notes violations where it is lenient', async () => {
    server = await startStrictServer([thought], { lenient: true });
    expect((await post(body([hello], { top_p: 1 }))).status).toBe(200);
    expect(server.requests[0]?.violations).toHaveLength(1);
  });

  it('wants a credential, a version and the right path', async () => {
    server = await startStrictServer([]);
    expect((await post(body([hello]), { authorization: 'Bearer' })).status).toBe(401);
    expect((await post(body([hello]), { 'anthropic-version': '' })).body.error.message).toContain(
      'anthropic-version',
    );
    expect((await fetch(`${server.url}/v1/v1/messages`, { method: 'POST' })).status).toBe(404);
  });

  it('asks a function for its reply, and says so where that fails', async () => {
    server = await startStrictServer([
      (request) => ({ content: [text(`asked for ${request.body.model}`)], stop_reason: 'end_turn' }),
      () => {
        throw new Error('wrong test');
      },
    ]);
    expect((await post(body([hello]))).body.content).toEqual([text('asked for m')]);
    expect((await post(body([hello]))).body.error.message).toContain('wrong test');
  });
});
