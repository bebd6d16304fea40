/** The page in a real browser, fed by a stand-in for the server. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { launchChromium } from '../../scripts/chromium.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { SCENARIOS } from '../../visualizer/demo/scenarios.ts';
import { recordsOf, shortRun } from './journals.ts';
import { PAGE_FOLDER, type StandIn, StandInRun, startStandIn } from './stand-in.ts';

// A browser beside all other tests on two processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
let server: StandIn;
let page: Page;
let leaks: string[];

beforeAll(async () => {
  // The browser of the package is unpacked when it is first used.
  [browser, server] = await Promise.all([launchChromium(), startStandIn()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  leaks = [];
  page.on('pageerror', (error) => leaks.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|file:|data:|blob:)/.test(request.url()))
      leaks.push(`request: ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) leaks.push(message.text());
  });
});
afterEach(async () => {
  await page.close();
  server.runs.clear();
  expect(leaks).toEqual([]);
});

const stateIs = (state: string) => page.locator(`[data-state-now="${state}"]`).waitFor();
const frameLine = () => page.locator('.frame-line code').textContent();
const open = (route: string) => page.goto(`${server.url}/${route}`);

function serve(runId: string, records: readonly JournalRecord[]): StandInRun {
  const run = new StandInRun([...records]);
  server.runs.set(runId, run);
  return run;
}

describe('a run', () => {
  it('is followed live to its end', async () => {
    const records = await shortRun();
    const run = serve('one', records.slice(0, 1));
    await open('?run=one');
    await stateIs('asking.requesting');
    expect(await page.locator('[data-state="asking.requesting"].active').count()).toBe(1);
    for (const record of records.slice(1)) run.append(record);
    await stateIs('answered');
    expect(await page.locator('.end.active').textContent()).toContain('answered');
    expect(await page.getByText('It is there.').count()).toBe(1);
  });

  it('shows what the machine does before it is recorded', async () => {
    const [header] = await shortRun();
    const run = serve('one', [header as JournalRecord]);
    await open('#/runs/one');
    await stateIs('asking.requesting');
    run.tell('transition', {
      from: 'asking.requesting',
      state: 'backingOff',
      event: 'model.failed',
      turn: 1,
    });
    await stateIs('backingOff');
  });

  it('is shown at an earlier record by scrubbing back, in every panel', async () => {
    serve('one', await shortRun());
    await open('#/runs/one');
    await stateIs('answered');
    await page.locator('.scrub').fill('1');
    await stateIs('validating.reviewing');
    expect(await page.getByText('It is there.').count()).toBe(0);
    expect(await page.locator('.gauge').first().textContent()).toContain('1 of 50');
    await page.keyboard.press('ArrowLeft');
    expect(await frameLine()).toBe('#0 run.started');
    await page.keyboard.press('End');
    await stateIs('answered');
  });

  it('is played from its beginning', async () => {
    const records = await shortRun();
    serve('one', records);
    await open('#/runs/one');
    await stateIs('answered');
    await page.getByLabel('Speed').selectOption('16×');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.locator('.frame-line code', { hasText: /^#[0-4] / }).waitFor();
    await stateIs('answered');
  });

  it('is there again after a reload', async () => {
    serve('one', await shortRun());
    await open('#/runs/one');
    await stateIs('answered');
    await page.reload();
    await stateIs('answered');
  });

  it('goes on where it was when the connection comes back', async () => {
    const records = await shortRun();
    const run = serve('one', records.slice(0, 3));
    await open('#/runs/one');
    await page.locator('[data-connection="live"]').waitFor();
    run.drop();
    run.records.push(...records.slice(3));
    await stateIs('answered');
    expect(await page.locator('.frame-line .of').textContent()).toBe(`of ${records.length - 1}`);
  });

  it('says that its server has ended, and that there is no such run', async () => {
    const run = serve('one', await shortRun());
    await open('#/runs/one');
    await stateIs('answered');
    run.tell('over', { command: 'pawl inspect one' });
    await page.locator('[data-connection="over"]').waitFor();
    await open('#/runs/nobody');
    await page.locator('[data-connection="missing"]').waitFor();
  });

  it('tells what a state is for, and what its guards looked at', async () => {
    serve(
      'one',
      await recordsOf([{ calls: [{ name: 'look', input: {} }] }, { text: 'sum' }], {
        limits: { maxTurns: 1 },
      }),
    );
    await open('#/runs/one');
    await stateIs('max_turns');
    await page.getByRole('button', { name: /^State asking\.checking/ }).press('Enter');
    await page.getByText('No request is sent past a limit.').waitFor();
    expect(await page.locator('.guard-row.is-yes').textContent()).toContain('1 of 1 turns');
    await page.locator('[data-arrow="asking.requesting persisting.response"]').press('Enter');
    await page.getByRole('heading', { name: /asking\.requesting.*persisting\.response/ }).waitFor();
  });

  it('can be forked from the record that is shown: the command is there to be copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    serve('one', await shortRun());
    await open('#/runs/one');
    await stateIs('answered');
    await page.locator('.scrub').fill('2');
    await page.getByText('Fork from here').click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('pawl fork one --at 2');
  });
});

describe('a run that this process works on', () => {
  const question = {
    callId: 'c1',
    tool: 'write_file',
    input: { path: 'a' },
    diff: '--- a\n+++ a\n-old\n+<b>new</b>',
  };

  it('is paused, stepped, continued and cancelled', async () => {
    const [header] = await shortRun();
    const run = serve('one', [header as JournalRecord]);
    run.control = { ...run.control, isControlled: true };
    await open('#/runs/one');
    await page.getByRole('button', { name: 'Pause before the next effect' }).click();
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await page.getByRole('button', { name: 'Let one effect pass' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await expect
      .poll(() => run.commands.map(({ command }) => command))
      .toEqual(['pause', 'step', 'continue', 'cancel']);
  });

  it('is held at a state, an arrow and a tool that are clicked', async () => {
    const [header] = await shortRun();
    const run = serve('one', [header as JournalRecord]);
    run.control = { ...run.control, isControlled: true };
    await open('#/runs/one');
    await page.getByRole('button', { name: /^State executing\.running/ }).press('Enter');
    await page.getByRole('button', { name: 'Hold the run at executing.running' }).click();
    await page.locator('[data-arrow="asking.requesting backingOff"]').press('Enter');
    await page.getByRole('button', { name: 'Hold the run at asking.requesting->backingOff' }).click();
    await page.getByLabel('Hold the run at a tool').selectOption('tool:look');
    await page.getByRole('list', { name: 'Breakpoints' }).getByText('tool:look').waitFor();
    expect(run.control.breakpoints).toEqual([
      'executing.running',
      'asking.requesting->backingOff',
      'tool:look',
    ]);
    await page.getByRole('button', { name: 'Remove the breakpoint tool:look' }).click();
    await expect.poll(() => run.control.breakpoints.length).toBe(2);
  });

  it('has its calls approved and denied, with the change in view and a reason', async () => {
    const [header] = await shortRun();
    const run = serve('one', [header as JournalRecord]);
    run.control = {
      ...run.control,
      isControlled: true,
      questions: [
        question,
        { ...question, callId: 'c2', tool: 'bash', input: { command: 'rm -r x' }, diff: null },
      ],
    };
    await open('#/runs/one');
    await page.locator('.diff .added', { hasText: '+<b>new</b>' }).waitFor();
    await page.locator('[data-question="c1"] input').fill('not this file');
    await page.getByRole('button', { name: 'Deny write_file' }).click();
    await page.getByText('rm -r x').waitFor();
    await page.getByRole('button', { name: 'Approve bash' }).click();
    await expect
      .poll(() => run.decisions)
      .toEqual([
        { callId: 'c1', granted: false, reason: 'not this file' },
        { callId: 'c2', granted: true },
      ]);
    await expect.poll(() => page.locator('.approval').count()).toBe(0);
  });
});

it('a run of another process can be watched, and the page says why it cannot be steered', async () => {
  const [header] = await shortRun();
  const run = serve('one', [header as JournalRecord]);
  await open('#/runs/one');
  await page.getByText('Watched only').waitFor();
  await page.getByRole('button', { name: 'Cancel the run' }).click({ force: true });
  expect(run.commands).toEqual([]);
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
  serve(payload, records);
  await open('#/runs');
  await page.locator('.run-row', { hasText: 'onerror' }).waitFor();
  await open(`#/runs/${encodeURIComponent(payload)}`);
  await stateIs('answered');
  await page.locator('.reply', { hasText: '[y](javascript:window.hit=6)' }).waitFor();
  await page.locator('.scrub').fill('5');
  await page.locator('.call', { hasText: payload }).first().waitFor();
  await page.waitForTimeout(200);
  expect(await page.evaluate('window.hit')).toBeUndefined();
  expect(await page.locator('#page img, #page script, #page a[href^="javascript"]').count()).toBe(0);
});

it('runs are searched, and two of them compared where they part', async () => {
  serve('one', await shortRun({ task: 'find the bug' }));
  serve('two', await shortRun({ task: 'find the bug', results: ['something else'] }));
  serve('three', await shortRun({ task: 'write a test' }));
  await open('#/runs');
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
  it('works from a server of files alone', async () => {
    const files = await startStandIn(false);
    await page.goto(`${files.url}/`);
    await page.locator('.demo').waitFor();
    await files.close();
  });

  it.each(
    SCENARIOS.filter(({ id }) => ['mended', 'one-allowed', 'cut', 'cancelled'].includes(id)).map(
      (one) => [one.title, one] as const,
    ),
  )('%s is stepped to its end, with its source beside it', async (_, { id, ends }) => {
    await open('#/demo');
    await page.getByLabel('Scenario').selectOption(id);
    await page.locator('.source .here').first().waitFor();
    for (let step = 0; step < 60 && (await page.locator('.choice').count()) > 0; step += 1)
      await page.getByRole('button', { name: 'One step of the story' }).click();
    await stateIs(ends);
  });

  it('goes the way that is chosen', async () => {
    await open('?demo');
    await page.locator('[data-choice="contradicts"]').click();
    await page.locator('[data-choice="saved"]').click();
    await stateIs('protocol_error');
  });

  it('plays a script of one’s own, and says what is wrong with it', async () => {
    await open('#/demo');
    await page.getByRole('tab', { name: 'Script', exact: true }).click();
    await page.locator('textarea').fill('{}');
    await page.getByRole('button', { name: 'Play this script' }).click();
    await page.getByText('A script is a list of replies').waitFor();
    await page.locator('textarea').fill('[{"text": "mine"}]');
    await page.getByRole('button', { name: 'Play this script' }).click();
    await page.locator('[data-choice="script"]').click();
    await page.locator('[data-choice="saved"]').click();
    await stateIs('answered');
  });
});

describe('what is exported', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pawl-export-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('a run, as one file that opens without a server', async () => {
    const template = await readFile(path.join(PAGE_FOLDER, 'export.html'), 'utf8');
    const records = JSON.stringify(
      await shortRun({ task: '</script><script>window.hit=1</script>' }),
    ).replaceAll('<', '\\u003c');
    const empty = '<script type="application/json" id="pawl-records">';
    expect(template.split(empty)).toHaveLength(2);
    const file = path.join(folder, 'run.html');
    await writeFile(
      file,
      template.replace(empty, () => empty + records),
    );
    await page.goto(pathToFileURL(file).href);
    await stateIs('answered');
    await page.locator('.scrub').fill('0');
    await stateIs('asking.requesting');
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.locator('[data-connection="file"]').count()).toBe(1);
  });

  it.each([
    ['SVG', 'svg'],
    ['PNG', 'png'],
  ])('the chart, as %s', async (button, ending) => {
    serve('one', await shortRun());
    await open('#/runs/one');
    await stateIs('answered');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `Save the chart as ${button}` }).click();
    const file = path.join(folder, `chart.${ending}`);
    await (await download).saveAs(file);
    const content = await readFile(file);
    if (ending === 'png') expect(content.subarray(1, 4).toString()).toBe('PNG');
    else {
      expect(content.toString()).toContain('persisting');
      await page.goto(pathToFileURL(file).href);
      expect(await page.locator('text').count()).toBeGreaterThan(80);
    }
  });
});

describe('on a narrow screen', () => {
  it('nothing is wider than the screen, and each part has a tab', async () => {
    serve('one', await shortRun());
    await page.setViewportSize({ width: 390, height: 844 });
    for (const route of ['#/runs', '#/runs/one', '#/demo']) {
      await open(route);
      await page.locator('.home').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
    await open('#/runs/one');
    await page.getByRole('tab', { name: 'Figures' }).click();
    await page.getByRole('meter', { name: 'Tokens' }).waitFor();
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await page.getByText('It is there.').waitFor();
  });
});

it('the page is dark where the system is, and stays as it was chosen', async () => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open('#/demo');
  await page.getByRole('button', { name: 'Show it light' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Show it dark' }).waitFor();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
});
