/** More output than anybody can keep; a smaller one is in test/sandbox/process.test.ts. */
import { describe, expect, it } from 'vitest';
import { SANDBOXES } from '../field/sandboxes.ts';
import { call, calls, play, resultsIn, says } from '../field/support.ts';

describe.each(SANDBOXES)('a command, $name,', ({ sandbox }) => {
  it('that prints 200 MB in one line leaves head, tail and the true size, and little in memory', async () => {
    const before = process.memoryUsage().rss;
    const command = "printf BEGIN; head -c 200000000 /dev/zero | tr '\\0' z; printf END";
    const { server } = await play([calls(call('toolu_aw1', 'bash', { command })), says('ok')], { sandbox });
    const content = resultsIn(server, 2)[0]?.content ?? '';
    expect(content).toMatch(/BEGIN[\s\S]*END/);
    expect(content).toMatch(/200,?000,?008 bytes/);
    expect(server.requests[1]?.raw.length).toBeLessThan(1_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6);
  });
});
