/** The page in a real browser, over the real server: of runs that go on, and of journals that real runs have left. */
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../../scripts/chromium.ts';
import { changeAsDiff } from '../../src/cli/call-to-decide.ts';
import { pageWith } from '../../src/inspector/export.ts';
import { EXPORT_PAGE, PAGE_FOLDER, Pages } from '../../src/inspector/pages.ts';
import { acquireLock } from '../../src/journal/lock.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { askForEffects } from '../../src/permissions/policy.ts';
import { scratchFolder } from '../helpers/scratch.ts';
import { start, TWO_WRITES } from '../inspector/served-run.ts';
import { journalOf, serve, stateFolder } from '../inspector/support.ts';
import { recordsOf, shortRun } from './journals.ts';

// A browser beside all other tests on two processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let browser: Browser;
let page: Page;
let leaks: string[];

beforeAll(async () => {
  // The browser of the package is unpacked when it is first used. One page serves all tests: each costs a process.
  browser = await launchChromium();
  page = await browser.newPage({ viewport: WIDE, reducedMotion: 'reduce' });
  page.on('pageerror', (error) => leaks.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|file:|data:|blob:)/.test(request.url()))
      leaks.push(`request: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) leaks.push(message.text());
  });
});
afterAll(() => browser?.close());
beforeEach(() => {
  leaks = [];
});
afterEach(async () => {
  await page.goto('about:blank');
  await page.setViewportSize(WIDE);
  expect(leaks).toEqual([]);
});

const WIDE = { width: 960, height: 600 };
const PAGES = new Pages();
const stateIs = (state: string) => page.locator(`[data-state-now="${state}"]`).waitFor();
const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Whether nothing covers its middle or cuts it off. */
const isOnTop = (name: string) =>
  page.evaluate(`(() => {
    const element = document.querySelector('[aria-label="${name}"]');
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  })()`);

type Journals = Readonly<Record<string, readonly JournalRecord[]>>;
/** The page over a folder with these journals. @param at "#/runs" or the like, which the way past the token leaves as it is */
async function openJournals(journals: Journals, at: string) {
  const folder = stateFolder(journals);
  const server = await serve({ folder }, 0, PAGES);
  await page.goto(`${server.open('')}${at}`);
  return { address: server.address, folder };
}

/** A run of this process, held before its first request, and its page. */
async function openHeld(setting: Parameters<typeof start>[0] = {}) {
  const one = await start({
    ...setting,
    pages: PAGES,
    steering: { breakpoints: ['asking'], ...setting.steering },
  });
  await one.held();
  await page.goto(one.server?.open('run=own') ?? '');
  await stateIs('asking.requesting');
  return one;
}

/** All that are open to servers of this process, and those that are tried. @returns ends it */
function cutConnections(): () => void {
  for (const socket of sockets) socket.destroy();
  isCut = true;
  return () => {
    isCut = false;
  };
}
let isCut = false;
/** What is loaded behind the run. */
const HAS_DETAILS = `performance.getEntriesByType('resource').some(({ name }) => name.endsWith('details.js'))`;
const sockets = new Set<Socket>();
diagnostics.subscribe('net.server.socket', (message) => {
  const { socket } = message as { readonly socket: Socket };
  if (isCut) socket.destroy();
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});

describe('a run', () => {
  it('is followed live to its end', async () => {
    const one = await openHeld();
    expect(await page.locator('[data-state="asking.requesting"].active').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove the breakpoint asking' }).click();
    await button('Continue').click();
    await stateIs('answered');
    expect(await page.locator('.end.active').textContent()).toContain('answered');
    await page.locator('.reply', { hasText: 'done' }).waitFor();
    expect(await one.outcome).toMatchObject({ status: 'answered' });
  });

  it('is held by a click at a state: nothing is done until it is stepped, and then one call', async () => {
    const one = await openHeld();
    await button(/: state executing\.running/).press('Enter');
    await button('Hold the run at executing.running').click();
    await button('Remove the breakpoint asking').click();
    await button('Continue').click();
    await page
      .getByText('Held before the call of write_file, turn 1 · breakpoint executing.running')
      .waitFor();
    await page.waitForTimeout(100);
    expect([one.has('a'), one.has('b')]).toEqual([false, false]);
    await button('Let one effect pass').click();
    await expect.poll(() => one.has('a')).toBe(true);
    expect(one.has('b')).toBe(false);
    await button('Continue').click();
    await stateIs('answered');
    expect(one.has('b')).toBe(true);
  });

  it('is held at an arrow and at a tool, paused and cancelled', async () => {
    const one = await openHeld();
    await page.locator('[data-arrow="asking.requesting backingOff"]').press('Enter');
    await button('Hold the run at asking.requesting->backingOff').click();
    await page.getByLabel('Hold the run at a tool').selectOption('tool:write_file');
    await page.getByRole('list', { name: 'Breakpoints' }).getByText('tool:write_file').waitFor();
    expect(one.controls.state.breakpoints).toEqual([
      'asking',
      'asking.requesting->backingOff',
      'tool:write_file',
    ]);
    await button('Continue').click();
    await page.getByText('breakpoint tool:write_file').waitFor();
    await button('Cancel the run').click();
    await stateIs('cancelled');
    expect(one.has('a')).toBe(false);
  });

  it('has its calls approved and denied, with the change in view and a reason', async () => {
    const edit = { path: 'a', old_string: 'old', new_string: '<b>new</b>' };
    const one = await openHeld({
      policy: askForEffects,
      files: { a: 'old\n', b: 'kept\n' },
      replies: [
        {
          calls: [
            { name: 'edit_file', input: edit },
            { name: 'write_file', input: { path: 'b', content: 'lost\n' } },
          ],
        },
        { text: 'done' },
      ],
      steering: { diffOf: changeAsDiff },
    });
    await button('Remove the breakpoint asking').click();
    await button('Continue').click();
    await page.locator('.approval .removed', { hasText: '-old' }).waitFor();
    await page.locator('.approval .added', { hasText: '+<b>new</b>' }).waitFor();
    await button('Approve edit_file').press('Enter');
    // Whoever answers by the keyboard goes on with the next question.
    await page.locator('.approval:focus', { hasText: 'write_file' }).waitFor();
    // The file as it is now, which the call does not name.
    await page.locator('.approval .removed', { hasText: '-kept' }).waitFor();
    await page.getByLabel('Reason, for the model').fill('not this file');
    await button('Deny write_file').click();
    await stateIs('answered');
    const { denials } = await one.outcome;
    expect(denials).toEqual([expect.objectContaining({ tool: 'write_file' })]);
    expect(['a', 'b'].map((name) => readFileSync(path.join(one.workspace, name), 'utf8'))).toEqual([
      '<b>new</b>\n',
      'kept\n',
    ]);
    await page.locator('.call .added', { hasText: '+<b>new</b>' }).waitFor();
    await page.locator('.call', { hasText: 'not this file' }).waitFor();
  });

  it('is there again after a reload, goes on where it was when the connection comes back, and outlives its server', async () => {
    const one = await openHeld();
    await page.reload();
    await stateIs('asking.requesting');
    await expect.poll(() => page.evaluate(HAS_DETAILS)).toBe(true);
    const mended = cutConnections();
    await page.locator('[data-connection="waiting"]').waitFor();
    one.controls.gate.clear('asking');
    one.controls.gate.continue();
    await one.outcome;
    mended();
    await stateIs('answered');
    expect(await page.locator('.frame-line .of').textContent()).toBe(`of ${one.records.length - 1}`);
    await one.server?.close();
    await page.locator('[data-connection="over"]').waitFor();
    await button(/: state validating\.gate/).press('Enter');
    await page.getByText('Only a complete reply without contradictions').waitFor();
  });

  it('is shown at an earlier record by scrubbing back, in every panel, and is played from its beginning', async () => {
    await openJournals({ one: await shortRun() }, '#/runs/one');
    await stateIs('answered');
    await page.locator('.scrub').fill('1');
    await stateIs('validating.reviewing');
    expect(await page.getByText('It is there.').count()).toBe(0);
    expect(await page.getByRole('meter', { name: 'Turns' }).getAttribute('aria-valuenow')).toBe('1');
    await page.keyboard.press('ArrowLeft');
    expect(await page.locator('.frame-line code').textContent()).toBe('#0 run.started');
    await page.keyboard.press('End');
    await stateIs('answered');
    await page.getByLabel('Speed').selectOption('16×');
    await button('Play').click();
    await page.locator('.frame-line code', { hasText: /^#[0-4] / }).waitFor();
    await stateIs('answered');
  });

  it('tells what a state is for, and what its guards looked at', async () => {
    const limited = await recordsOf([{ calls: [{ name: 'look', input: {} }] }, { text: 'sum' }], {
      limits: { maxTurns: 1 },
    });
    await openJournals({ one: limited }, '#/runs/one');
    await stateIs('max_turns');
    // The chart is one stop for the keyboard; in it, the keys up and down go on.
    expect(await page.locator('.sheet [tabindex="0"]').count()).toBe(0);
    await page.locator('.sheet').press('ArrowDown');
    expect(await page.locator('.sheet :focus').getAttribute('data-state')).toBe('max_turns');
    await button(/: state asking\.checking/).press('Enter');
    await page.getByText('No request is sent past a limit.').waitFor();
    expect(await page.locator('.guard-row.is-yes').textContent()).toContain('1 of 1 turns');
    await page.locator('[data-arrow="asking.requesting persisting.response"]').press('Enter');
    await page.getByRole('heading', { name: /asking\.requesting.*persisting\.response/ }).waitFor();
    // The summary is no turn more, and what nobody knows the price of costs no "$0.00".
    await page.getByRole('tab', { name: 'Transcript' }).click();
    expect(await page.locator('.transcript').textContent()).toContain('Request · summary');
    expect(await page.locator('.frame-line').textContent()).toContain('1 turn');
    expect(await page.locator('body').textContent()).not.toContain('$0.00');
  });

  it('can be forked from the record that is shown: the command is there to be copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openJournals({ one: await shortRun() }, '#/runs/one');
    await stateIs('answered');
    await page.locator('.scrub').fill('2');
    await page.getByText('Fork command').click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('pawl fork one --at 2');
  });

  it('of another process can be watched, and the page says why it cannot be steered, and whether anybody is at work', async () => {
    const [header, reply, reviewed] = (await shortRun()) as [JournalRecord, JournalRecord, JournalRecord];
    const verdicts = reviewed.type === 'calls.reviewed' ? reviewed.verdicts : [];
    const asking = { ...reviewed, verdicts: verdicts.map((one) => ({ ...one, verdict: 'ask' })) };
    const journals = { one: [header], two: [header, reply, asking as JournalRecord] };
    const server = await openJournals(journals, '#/runs/one');
    const lock = acquireLock(journalOf(server.folder, 'one'));
    await page.getByText('Watched only').waitFor();
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
    expect(await button('Cancel the run').count()).toBe(0);
    lock.release();
    await page.getByText(/To go on: pawl resume \S+/).waitFor();
    await page.goto(`${server.address}/#/runs/nobody`);
    await page.locator('[data-connection="missing"]').waitFor();
    await page.goto(`${server.address}/#/runs/two`);
    await page.getByText(/Waits for a person: pawl approve \S+ \w+, then pawl resume/).waitFor();
    await page.locator('.connection', { hasText: 'Waits, no process runs it' }).waitFor();
    // Neither the state nor the timeline says that anything moves.
    expect(await page.locator('.connection.is-live, .pill-state.live').count()).toBe(0);
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    acquireLock(journalOf(server.folder, 'two'));
    await page.getByText('Watched only').waitFor();
    await page.locator('.connection', { hasText: 'Live' }).waitFor();
  });
});

it('what a tool, a model or a person wrote stays text, and nothing of it is run', async () => {
  const payload =
    '<img src=x onerror="window.hit=1"><script>window.hit=2</script></script><script>window.hit=3</script><a href="javascript:window.hit=4">x</a><img src="https://evil.example/x.png">';
  const records = await recordsOf(
    [
      { text: payload, calls: [{ name: 'look', input: { at: payload } }] },
      { calls: [{ name: 'look', input: {} }] },
      { text: `${payload} [y](javascript:window.hit=6)` },
    ],
    { task: payload, results: [payload, `!${payload}`] },
  );
  await openJournals({ one: records }, '#/runs');
  await page.locator('.run-row', { hasText: 'onerror' }).click();
  await stateIs('answered');
  await page.locator('.reply', { hasText: '[y](javascript:window.hit=6)' }).waitFor();
  await page.locator('.scrub').fill('5');
  await page.locator('.call', { hasText: payload }).first().waitFor();
  await page.waitForTimeout(200);
  expect(await page.evaluate('window.hit')).toBeUndefined();
  expect(await page.locator('#page img, #page script, #page a[href^="javascript"]').count()).toBe(0);
});

it('runs are searched, and two of them compared where they part', async () => {
  const found = { task: 'find the bug' };
  const journals = {
    one: await shortRun(found),
    two: await shortRun({ ...found, results: ['something else'] }),
    three: await shortRun({ task: 'write a test' }),
  };
  await openJournals(journals, '#/runs');
  await page.getByRole('searchbox').fill('bug find');
  await expect.poll(() => page.locator('.run-row').count()).toBe(2);
  await page.getByLabel('Compare one').check();
  await page.getByLabel('Compare two').check();
  await page.getByText('Compare the two').click();
  await page.getByText('they part at #4').waitFor();
  expect(await page.locator('.differences th').first().textContent()).toBe('content');
  expect(await page.locator('.compare-row.is-parting').getAttribute('data-place')).toBe('4');
});

describe('the scenario player', () => {
  it('works from a server of files alone, and goes the way that is chosen, with its source beside it', async () => {
    const files = http.createServer(async ({ url }, response) => {
      const file = await PAGES.find(url ?? '');
      response.writeHead(file ? 200 : 404, file && { 'Content-Type': file.type }).end(file?.content);
    });
    files.listen(0, '127.0.0.1');
    await once(files, 'listening');
    await page.goto(`http://127.0.0.1:${(files.address() as AddressInfo).port}/`);
    await page.locator('.source .here').first().waitFor();
    await page.getByLabel('Scenario').selectOption('cut');
    await button('One step of the story').click();
    await page.locator('[data-choice="saved"]').click();
    await page.locator('[data-choice="contradicts"]').click();
    await page.locator('[data-choice="saved"]').click();
    await stateIs('protocol_error');
    await page.goto('about:blank');
    files.close();
  });

  it('plays a script of one’s own, and says what is wrong with it', async () => {
    await openJournals({}, '#/demo');
    await page.getByRole('tab', { name: 'Script', exact: true }).click();
    await page.locator('textarea').fill('{}');
    await button('Play this script').click();
    await page.getByText('A script is a list of replies').waitFor();
    await page.locator('textarea').fill('[{"text": "mine"}]');
    await button('Play this script').click();
    await page.locator('[data-choice="script"]').click();
    await page.locator('[data-choice="saved"]').click();
    await stateIs('answered');
  });
});

describe('what is exported', () => {
  it('is a run as one file that opens without a server and without a network, and says no word of complaint', async () => {
    const template = readFileSync(path.join(PAGE_FOLDER, EXPORT_PAGE), 'utf8');
    const records = await shortRun({ task: '</script><script>window.hit=1</script>' });
    const file = path.join(scratchFolder(), 'run.html');
    writeFileSync(file, pageWith(template, records) ?? '');
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.context().setOffline(true);
    await page.goto(pathToFileURL(file).href);
    await stateIs('answered');
    await page.locator('.scrub').fill('0');
    await stateIs('asking.requesting');
    await button(/: state validating\.gate/).press('Enter');
    await page.getByText('Only a complete reply without contradictions').waitFor();
    await page.context().setOffline(false);
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.locator('[data-connection="file"]').count()).toBe(1);
    expect(await page.locator('a').count()).toBe(0);
    expect(said).toEqual([]);
  });

  it('is the chart, as SVG and as PNG', async () => {
    await openJournals({ one: await shortRun() }, '#/runs/one');
    await stateIs('answered');
    const saved = async (kind: string) => {
      const download = page.waitForEvent('download');
      await button(`Save the chart as ${kind.toUpperCase()}`).click();
      const file = path.join(scratchFolder(), `chart.${kind}`);
      await (await download).saveAs(file);
      return file;
    };
    expect(
      readFileSync(await saved('png'))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const svg = await saved('svg');
    expect(readFileSync(svg, 'utf8')).toContain('persisting');
    await page.goto(pathToFileURL(svg).href);
    expect(await page.locator('text').count()).toBeGreaterThan(80);
  });
});

it('on a narrow screen nothing is wider than the screen, each part has a tab, and a question is in view', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = () => page.evaluate('document.documentElement.scrollWidth');
  const server = await openJournals({ one: await shortRun() }, '#/runs');
  for (const at of ['#/runs', '#/demo', '#/runs/one']) {
    await page.goto(`${server.address}/${at}`);
    await page.locator('.home').waitFor();
    expect(await wide()).toBeLessThanOrEqual(390);
  }
  await page.getByRole('tab', { name: 'Figures' }).click();
  await page.getByRole('meter', { name: 'Tokens' }).last().waitFor();
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await page.getByText('It is there.').waitFor();
  const one = await start({ policy: askForEffects, replies: TWO_WRITES, pages: PAGES });
  await one.asked();
  await page.goto(one.server?.open('') ?? '');
  await page.getByText('waiting', { exact: true }).waitFor();
  await page.goto(one.server?.open('run=own') ?? '');
  await button('Approve write_file').click();
  await button('Deny write_file').click();
  await stateIs('answered');
});

it.each([
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])(
  'however long a call is that waits, what steers, what answers and the transcript are in view: %o',
  async (size) => {
    await page.setViewportSize(size);
    const content = 'a line\n'.repeat(200);
    const calls = [{ name: 'write_file', input: { path: 'a', content } }];
    const one = await start({ policy: askForEffects, replies: [{ calls }, { text: 'done' }], pages: PAGES });
    await one.asked();
    await page.goto(one.server?.open('run=own') ?? '');
    await page.locator('.approval').waitFor();
    await page.getByRole('tab', { name: 'Transcript' }).click();
    for (const name of ['Pause before the next effect', 'Cancel the run', 'Approve write_file'])
      expect([name, await isOnTop(name)]).toEqual([name, true]);
    const panel = await page.locator('.panel').boundingBox();
    expect(panel?.height).toBeGreaterThan(200);
    await page.locator('.approvals').hover();
    await page.mouse.wheel(0, 100_000);
    await page.getByLabel('Reason, for the model').fill('read to its end');
    expect(await isOnTop('Pause before the next effect')).toBe(true);
    await button('Approve write_file').click();
    await stateIs('answered');
  },
);

it('the page is dark where the system is, and stays as it was chosen', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openJournals({}, '#/demo');
  await button('Show it light').click();
  await page.reload();
  await button('Show it dark').waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
  await page.emulateMedia({ colorScheme: null });
});
