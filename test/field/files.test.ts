import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../machines/protocol.ts';
import { call, calls, type Place, place, play, resultsIn, says } from './support.ts';

const read = (id: string, file: string) => call(id, 'read_file', { path: file });
const write = (id: string, file: string, content = 'x') => call(id, 'write_file', { path: file, content });

/** A work folder with neighbours, and links out of it and within it. */
function neighbours() {
  const base = place();
  const at = (name: string) => path.join(base.folder, name);
  for (const folder of ['W', 'W-evil', 'OUTSIDE', 'W/inner', 'W/a']) mkdirSync(at(folder));
  writeFileSync(at('OUTSIDE/secret'), 'CLASSIFIED');
  symlinkSync('../OUTSIDE', at('W/outbox'));
  symlinkSync('inner', at('W/alias'));
  symlinkSync('W', at('link-to-W'));
  const W: Place = { ...base, folder: at('W'), read: (name) => readFileSync(at(`W/${name}`), 'utf8') };
  return { W, at };
}

describe('a work folder with links in it', () => {
  it('is not left by any of them, nor for a neighbour with a like name; links that stay inside work', async () => {
    const { W, at } = neighbours();
    const out = [
      write('toolu_bg1', 'outbox/x'),
      read('toolu_bg2', 'outbox/secret'),
      read('toolu_bg3', 'a/../../OUTSIDE/secret'),
      read('toolu_bg4', '/etc/hostname'),
      write('toolu_bg6', '../W-evil/y'),
      call('toolu_bg7', 'edit_file', { path: 'outbox/secret', old_string: 'CLASSIFIED', new_string: 'x' }),
    ];
    const { server } = await play([calls(...out, write('toolu_bg5', 'alias/ok.txt', 'ok')), says('ok')], {
      at: W,
    });
    const results = resultsIn(server, 2);
    expect(results.slice(0, out.length).map((result) => result.is_error)).toEqual(out.map(() => true));
    expect(JSON.stringify(results)).not.toContain('CLASSIFIED');
    expect(W.read('inner/ok.txt')).toBe('ok');
    expect([readdirSync(at('OUTSIDE')), readdirSync(at('W-evil'))]).toEqual([['secret'], []]);
    expect(readFileSync(at('OUTSIDE/secret'), 'utf8')).toBe('CLASSIFIED');
  });

  it('may itself be reached through a link', async () => {
    const { W, at } = neighbours();
    const { server } = await play(
      [
        calls(
          write('toolu_1', 'alias/ok.txt', 'ok'),
          read('toolu_2', path.join(at('link-to-W'), 'inner/ok.txt')),
          read('toolu_3', 'outbox/secret'),
        ),
        says('ok'),
      ],
      { at: { ...W, folder: at('link-to-W') } },
    );
    const [, inside, outside] = resultsIn(server, 2);
    expect([inside?.content, outside?.is_error]).toEqual(['ok', true]);
  });
});

describe('two file names that look the same', () => {
  it('are two files to every tool, and a third spelling is told which names are close, in escaped form', async () => {
    const at = place();
    at.write('caf\u00e9.md', 'COMPOSED\n');
    at.write('cafe\u0301.md', 'DECOMPOSED\n');
    const { server } = await play(
      [
        calls(
          read('toolu_bq1', 'caf\u00e9.md'),
          read('toolu_bq2', 'cafe\u0301.md'),
          write('toolu_bq3', 'cafe\u0301.md', 'NEW\n'),
          read('toolu_bq4', 'caf\u00e9.md'),
          read('toolu_bq5', '\uff43\uff41\uff46\u00e9.md'),
        ),
        says('ok'),
      ],
      { at },
    );
    const results = resultsIn(server, 2);
    expect(results.map(({ content }) => content).filter((_, index) => index !== 2 && index !== 4)).toEqual([
      'COMPOSED\n',
      'DECOMPOSED\n',
      'COMPOSED\n',
    ]);
    expect([at.read('caf\u00e9.md'), at.read('cafe\u0301.md')]).toEqual(['COMPOSED\n', 'NEW\n']);
    expect(results[4]).toMatchObject({ is_error: true });
    for (const spelling of ['caf\\u00e9.md', 'cafe\\u0301.md'])
      expect(results[4]?.content).toContain(spelling);
  });
});

describe('a huge result', () => {
  it('enters the history as head and tail with its true size, and a request that is too long is not repeated', async () => {
    const command = "head -c 24000000 /dev/zero | tr '\\0' a";
    const tooLong = {
      error: { type: 'invalid_request_error', message: 'prompt is too long: 9999999 tokens > 1000000' },
    };
    const shell = (id: string) => calls(call(id, 'bash', { command }));
    const { outcome, server } = await play([shell('toolu_t1'), says('It is large.')]);
    expect(outcome).toMatchObject({ status: 'answered', result: 'It is large.' });
    expect(server.requests[1]?.raw.length).toBeLessThan(1_000_000);
    expect(resultsIn(server, 2)[0]?.content).toMatch(/24,?000,?000/);
    const refused = await play([
      shell('toolu_t1'),
      { fault: 'status', status: 400, body: tooLong },
      says('never'),
    ]);
    expect(refused.outcome.status).toBe('context_exhausted');
    expect(refused.server.requests).toHaveLength(2);
  });
});

describe('a picture in the work folder', () => {
  it('reaches the model as a picture, in a form that the service takes', async () => {
    const at = place();
    const data =
      'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEUlEQVR4nGP4z8DAAMYMQAoAH+4C/m1SZV0AAAAASUVORK5CYII=';
    writeFileSync(path.join(at.folder, 'a.png'), Buffer.from(data, 'base64'));
    const { outcome, server } = await play([calls(read('toolu_1', 'a.png')), says('grey')], { at });
    expect(outcome.status).toBe('answered');
    expect(server.requests.flatMap(({ violations }) => violations)).toEqual([]);
    expect(resultsIn(server, 2)[0]?.content as unknown as readonly ContentBlock[]).toEqual([
      { type: 'text', text: expect.stringContaining('PNG picture (3 × 2 pixels') },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    ]);
    expect(existsSync(path.join(at.folder, '.pawl'))).toBe(false);
  });
});
