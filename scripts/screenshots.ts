/**
 * Makes docs/screenshots/ from real runs: a scripted model, real tools, the page of `pawl inspect` in a real browser.
 * Run by `npm run screenshots`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';

const root = path.resolve(import.meta.dirname, '..');
const OUT = path.join(root, 'docs/screenshots');
const PAWL = path.join(root, 'dist/cli.js');
const home = mkdtempSync(path.join(os.tmpdir(), 'pawl-screenshots-'));
const env = { ...process.env, PAWL_HOME: path.join(home, 'state') };

const SCRIPT = [
  {
    content: [
      { type: 'thinking', thinking: 'First look at the file, then run it.', signature: 'scripted' },
      { type: 'text', text: 'I will look at the workspace first.' },
      { type: 'tool_use', id: 'toolu_01', name: 'list_files', input: {} },
      { type: 'tool_use', id: 'toolu_02', name: 'read_file', input: { path: 'main.py' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 1_200, cache_creation_input_tokens: 3_400, output_tokens: 210 },
  },
  { fault: { status: 529 } },
  {
    text: 'I will run it.',
    calls: [{ name: 'run_main', input: {} }],
    usage: {
      input_tokens: 340,
      cache_creation_input_tokens: 900,
      cache_read_input_tokens: 3_400,
      output_tokens: 96,
    },
  },
  {
    text: 'It divides by zero. I will mend it.',
    calls: [{ name: 'edit_file', input: { path: 'main.py', old_string: '10 / 0', new_string: '10 / 2' } }],
    usage: {
      input_tokens: 420,
      cache_creation_input_tokens: 700,
      cache_read_input_tokens: 4_300,
      output_tokens: 340,
    },
  },
  {
    text: 'Once more.',
    calls: [{ name: 'run_main', input: {} }],
    usage: {
      input_tokens: 300,
      cache_creation_input_tokens: 800,
      cache_read_input_tokens: 5_000,
      output_tokens: 120,
    },
  },
  {
    text: 'main.py runs now and prints 5.0. It divided by zero in its only line; I changed the divisor to 2.',
    usage: {
      input_tokens: 250,
      cache_creation_input_tokens: 600,
      cache_read_input_tokens: 5_800,
      output_tokens: 280,
    },
  },
];

function play(): void {
  const [script, workspace] = [path.join(home, 'script.json'), path.join(home, 'workspace')];
  writeFileSync(script, JSON.stringify(SCRIPT));
  cpSync(path.join(root, 'examples/run-main/workspace'), workspace, { recursive: true });
  const flags = ['--script', script, '-C', workspace, '--yes', '--model', 'claude-sonnet-5-5'];
  const limits = ['--max-turns', '20', '--max-budget-usd', '0.50'];
  const task = 'make main.py run without an error, and say what was wrong';
  execFileSync(process.execPath, [PAWL, 'run', ...flags, ...limits, task], { env, stdio: 'ignore' });
}

/** The printed address, and what ends the server. */
async function inspect(): Promise<{ address: string; end: () => Promise<unknown> }> {
  const [journal = ''] = readdirSync(path.join(env.PAWL_HOME, 'runs')).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const runId = path.basename(journal, '.jsonl');
  const child = spawn(process.execPath, [PAWL, 'inspect', '--no-open', runId], { env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  while (!/http:\S+/.test(printed)) {
    if (child.exitCode !== null) throw new Error(printed);
    await wait(50);
  }
  const address = /http:\S+/.exec(printed)?.[0] ?? '';
  return {
    address,
    end: () => {
      child.kill('SIGINT');
      return once(child, 'exit');
    },
  };
}

async function shoot(page: Page, name: string): Promise<void> {
  // Colours move to where they belong when the theme changes.
  await wait(800);
  await page.screenshot({ path: path.join(OUT, `${name}.png`) });
}

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

mkdirSync(OUT, { recursive: true });
play();
const { address, end } = await inspect();
const browser = await launchChromium();
const page = await browser.newPage({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
await page.goto(address);
await page.locator('[data-state-now="answered"]').waitFor();
const run = page.url();
await shoot(page, 'run-light');

await page.emulateMedia({ colorScheme: 'dark' });
await page.reload();
await page.locator('[data-state-now="answered"]').waitFor();
await page.locator('[data-state="validating.gate"] .face').click();
for (let step = 0; step < 4; step += 1) await page.getByRole('button', { name: 'Zoom in' }).click();
await page.mouse.move(500, 300);
await page.mouse.down();
await page.mouse.move(400, 210, { steps: 4 });
await page.mouse.up();
await shoot(page, 'guards-dark');

await page.goto(run.replace(/[?#].*/, '?demo'));
await page.emulateMedia({ colorScheme: 'light' });
await page.reload();
await page.getByLabel('Scenario').selectOption('one-allowed');
for (let step = 0; step < 4; step += 1)
  await page.getByRole('button', { name: 'One step of the story' }).click();
await shoot(page, 'demo-light');

await page.setViewportSize(NARROW);
await page.emulateMedia({ colorScheme: 'dark' });
await page.goto(run);
await page.reload();
await page.locator('[data-state-now="answered"]').waitFor();
await page.getByRole('tab', { name: 'Transcript' }).click();
await shoot(page, 'narrow-dark');

await browser.close();
await end();
rmSync(home, { recursive: true });
