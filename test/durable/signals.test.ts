/** What a signal leaves behind: no process, a journal with every call answered, and a run that can be gone on with. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { readJournal } from '../../src/journal/read.ts';
import { Transcript } from '../../src/journal/transcript.ts';
import { RunPlace } from '../cli/resumes.ts';
import { runs, toolModule } from '../cli/support.ts';
import { unanswered } from '../helpers/history.ts';

/** A shell, a child of it, and one that has begun a session of its own; each writes down its pid. */
const TREE = [
  'echo $$ >> pids',
  "(bash -c 'echo $$ >> pids; exec sleep 40' &)",
  "setsid bash -c 'echo $$ >> pids; exec sleep 40' &",
  'while [ $(wc -l < pids) -lt 3 ]; do sleep 0.02; done; touch begun; sleep 40',
].join('\n');
const SCRIPT = [
  {
    calls: [
      { id: 'first', name: 'bash', input: { command: 'echo one > one.txt' } },
      { id: 'tree', name: 'bash', input: { command: TREE } },
      { id: 'third', name: 'bash', input: { command: 'touch third.txt' } },
    ],
  },
  { when: 'cancelled', text: 'done' },
];

function runPlace(): RunPlace {
  const place = new RunPlace();
  onTestFinished(() => place.remove());
  return place;
}

async function messagesIn(place: RunPlace) {
  const { records, tornBytes } = await readJournal(place.journal());
  expect(tornBytes).toBe(0);
  const transcript = new Transcript();
  for (const record of records) transcript.apply(record);
  return transcript.messages;
}

describe('the first signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '(%s) ends the process tree, answers all calls, saves that, and ends with %i',
    async (signal, code) => {
      const place = runPlace();
      place.write('s.json', SCRIPT);
      const { child, finished } = place.start(['run', '--yes', '--script', 's.json', 't']);
      await place.until(() => place.has('begun'));
      child.kill(signal);
      expect((await finished).code).toBe(code);

      const pids = place.read('pids').trim().split('\n').map(Number);
      expect(pids).toHaveLength(3);
      expect(pids.filter(runs)).toEqual([]);
      expect(place.has('third.txt')).toBe(false);
      const messages = await messagesIn(place);
      expect(unanswered(messages)).toEqual([]);
      expect(messages.at(-1)?.content).toMatchObject([
        { tool_use_id: 'first' },
        { tool_use_id: 'tree', is_error: true },
        { tool_use_id: 'third', is_error: true, content: expect.stringContaining('Not executed') },
      ]);
      expect(place.records().at(-1)).toMatchObject({ type: 'run.ended', status: 'cancelled', signal });

      expect(await place.resumed('--last', '--yes')).toMatchObject({ status: 'answered', result: 'done' });
    },
  );
});

describe('a second Ctrl-C', () => {
  it('leaves at once: what was saved until then is sound, and the run can be gone on with', async () => {
    const place = runPlace();
    const deaf = "fs.writeFileSync('begun', ''); return new Promise((done) => setTimeout(done, 30_000));";
    place.write(
      'tools.mjs',
      `import fs from 'node:fs'; ${toolModule(`run: () => { ${deaf} }`).replace("'read'", "'effectful'")}`,
    );
    place.write('a.md', '---\ntool_module: tools.mjs\n---\n');
    place.write('s.json', [
      {
        calls: [
          { id: 'deaf', name: 'mine' },
          { id: 'next', name: 'list_files', input: {} },
        ],
      },
      { when: 'outcome is unknown', text: 'done' },
    ]);
    const { child, finished } = place.start(['run', '--yes', '--agent', 'a.md', '--script', 's.json', 't']);
    await place.until(() => place.has('begun'));
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 400));
    const begun = performance.now();
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
    expect(performance.now() - begun).toBeLessThan(15_000);

    const { records, tornBytes } = await readJournal(place.journal());
    expect({ tornBytes, last: records.at(-1) }).toMatchObject({
      tornBytes: 0,
      last: { type: 'tool.started', callId: 'deaf' },
    });
    const resumed = await place.resumed('--last', '--yes');
    expect(resumed).toMatchObject({ status: 'answered', result: 'done' });
    expect(resumed.stderr).toContain('The call mine (deaf) was started, and its outcome is unknown.');
    expect(unanswered(await messagesIn(place))).toEqual([]);
  });
});
