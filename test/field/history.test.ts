import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { foldRecords } from '../../src/index.ts';
import {
  call,
  calls,
  goOn,
  isAlive,
  MIXED,
  mark,
  messagesIn,
  place,
  play,
  resultsIn,
  says,
  text,
} from './support.ts';

describe('the history stays one that the service accepts', () => {
  it('after a cancel in the middle of a round: one result for each call, in call order, in one message', async () => {
    const at = place();
    const controller = new AbortController();
    const stop = async () => {
      while (!isAlive(`sleep ${mark(31)}`)) await sleep(20);
      await sleep(100);
      controller.abort('SIGINT');
    };
    const replies = [
      calls(
        text('Checking.'),
        call('toolu_a1', 'bash', { command: 'echo one > one.txt; echo one' }),
        call('toolu_a2', 'bash', { command: `sleep ${mark(31)}` }),
        call('toolu_a3', 'bash', { command: 'echo three > three.txt' }),
      ),
    ];
    const [{ outcome, server, records }] = await Promise.all([
      play(replies, { at, options: { signal: controller.signal } }),
      stop(),
    ]);
    expect(outcome).toMatchObject({ status: 'cancelled', exitCode: 130, signal: 'SIGINT' });
    expect(isAlive(`sleep ${mark(31)}`)).toBe(false);
    const { messages } = foldRecords(records).transcript;
    expect(messages.at(-1)).toMatchObject({
      role: 'user',
      content: [
        { tool_use_id: 'toolu_a1', content: 'exit_code=0\none\n' },
        { tool_use_id: 'toolu_a2', is_error: true },
        { tool_use_id: 'toolu_a3', is_error: true, content: expect.stringContaining('cancelled') },
      ],
    });
    expect(await goOn(server, messages, 'and now?')).toMatchObject({ status: 200, violations: [] });
  });

  it('when one call of three is denied: the others run, all results go back together and in order', async () => {
    const { outcome, server, at } = await play(
      [
        calls(...[1, 2, 3].map((n) => call(`toolu_c${n}`, 'bash', { command: `echo ${n} >> log.txt` }))),
        says('ok'),
      ],
      { approvals: [true, false, true] },
    );
    expect(outcome.status).toBe('answered');
    expect(at.read('log.txt')).toBe('1\n3\n');
    expect(resultsIn(server, 2)).toMatchObject([
      { tool_use_id: 'toolu_c1', content: 'exit_code=0\n(no output)' },
      { tool_use_id: 'toolu_c2', is_error: true, content: expect.stringContaining('said no') },
      { tool_use_id: 'toolu_c3', content: 'exit_code=0\n(no output)' },
    ]);
    expect(outcome.denials).toMatchObject([{ callId: 'toolu_c2', tool: 'bash' }]);
  });

  it('with thinking, redacted and unknown parts: they come back as they were received, also from the journal', async () => {
    const at = place();
    at.write('a.txt', 'A');
    at.write('b.txt', 'B');
    const content = MIXED;
    const { outcome, server, records } = await play([calls(...content), says('A and B')], { at });
    expect(outcome.result).toBe('A and B');
    const sent = server.history.sent[0];
    const returned = messagesIn(server, 2)[1];
    expect(returned?.content).toMatchObject(content.map(({ type }) => ({ type })));
    expect(returned?.content).toEqual(sent?.content);
    const restarted = foldRecords(JSON.parse(JSON.stringify(records))).transcript.messages;
    expect(restarted[1]).toEqual(returned);
    expect(await goOn(server, restarted, 'again?')).toMatchObject({ status: 200, violations: [] });
  });

  it('after an empty reply: it is no answer, it is kept, and nothing empty is ever sent', async () => {
    const nothing = { content: [], stop_reason: 'end_turn' };
    const { outcome, server, records } = await play([nothing, nothing]);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]?.raw).toContain('Your reply was empty');
    expect(outcome).toMatchObject({ status: 'model_stopped', result: null });
    expect(outcome.exitCode).not.toBe(0);
    expect(outcome.errors.join()).toContain('empty reply');
    expect(records.map((record) => record.type)).toContain('reply.received');
    const { messages } = foldRecords(records).transcript;
    expect(await goOn(server, messages, 'are you there?')).toMatchObject({ status: 200, violations: [] });
  });
});

describe('strange calls', () => {
  it('are answered one by one with what is wrong and what is allowed; none runs, and the run goes on', async () => {
    const at = place();
    at.write('a.txt', 'A');
    const strange = [
      call('toolu_k1', 'bash', null),
      call('toolu_k2', 'bash', 'ls'),
      call('toolu_k3', 'bash', []),
      call('toolu_k4', 'read_file', {}),
      call('toolu_k5', 'read_file', { path: 'a.txt', mode: 'wild' }),
      call('toolu_k6', 'no_such_tool', { x: 1 }),
      call('toolu_k7', 'constructor', {}),
      call('toolu_k8', '__proto__', { command: 'touch pwned' }),
    ];
    const { outcome, server, records } = await play([calls(...strange), says('sorry')], { at });
    expect(outcome).toMatchObject({ status: 'answered', result: 'sorry' });
    const results = resultsIn(server, 2);
    expect(results.map((result) => result.tool_use_id)).toEqual(strange.map((one) => one.id));
    expect(results.every((result) => result.is_error)).toBe(true);
    for (const result of results.slice(0, 3)) expect(result.content).toContain('command');
    expect(results[3]?.content).toContain('path');
    expect(results[4]?.content).toContain('mode');
    for (const result of results.slice(5)) expect(result.content).toMatch(/no tool named .*read_file/);
    expect(records.some((record) => record.type === 'tool.started')).toBe(false);
    expect(messagesIn(server, 2)[1]?.content).toEqual(strange);
  });
});
