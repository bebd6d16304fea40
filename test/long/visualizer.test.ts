/** A run of 10,000 records in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../scripts/chromium.ts';
import { longJournal } from '../visualizer/journals.ts';
import { type StandIn, StandInRun, startStandIn } from '../visualizer/stand-in.ts';

const RECORDS = 10_000;
/** The aim is 1 s and 100 ms; beside other tests on two cores it was 2.8 s and 196 ms. These bounds find what grows. */
const OPENED_MS = 8_000;
/** From the input to the next picture. */
const SCRUBBED_MS = 1_000;
const TRIES = 5;

let browser: Browser;
let server: StandIn;
let page: Page;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchChromium(), startStandIn()]);
  server.runs.set('long', new StandInRun(longJournal(RECORDS)));
  page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Counted in the page, from the beginning of its navigation to the picture with the last record in it. */
const OPENED = `new Promise((resolve) => {
  const look = () => {
    const text = document.querySelector('.frame-line')?.textContent ?? '';
    if (text.startsWith('#${RECORDS - 1} ')) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

async function openedMs(): Promise<number> {
  await page.goto('about:blank');
  await page.goto(`${server.url}/#/runs/long`);
  return page.evaluate<number>(OPENED);
}

it('is opened within seconds, however long the run', async () => {
  const tries: number[] = [];
  for (let count = 0; count < TRIES; count += 1) tries.push(await openedMs());
  console.log('opened in ms:', tries.map(Math.round).join(' '));
  expect(Math.min(...tries)).toBeLessThan(OPENED_MS);
});

it('is scrubbed with a delay that is bounded', async () => {
  await openedMs();
  const tries = await page.evaluate<number[]>(`(async () => {
    const scrub = document.querySelector('.scrub');
    const times = [];
    for (let step = 1; step <= 40; step += 1) {
      const began = performance.now();
      scrub.value = String((step * 2477) % ${RECORDS});
      scrub.dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      times.push(performance.now() - began);
    }
    return times;
  })()`);
  const sorted = tries.sort((a, b) => a - b);
  console.log('scrubbed in ms, median and longest:', sorted[20], sorted[39]);
  expect(sorted[Math.floor(tries.length / 2)]).toBeLessThan(SCRUBBED_MS);
});

it('has no more in the document than can be seen', async () => {
  await openedMs();
  expect(await page.locator('*').count()).toBeLessThan(3_000);
  expect(await page.locator('.virtual-item').count()).toBeLessThan(60);
});

it('has its visits counted soon behind', async () => {
  await openedMs();
  await page.locator('[data-state="validating.reviewing"] .figures', { hasText: '×2k' }).waitFor();
});
