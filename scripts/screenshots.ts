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
import { playScenario } from '../examples/play.ts';
import { readExample } from '../examples/scenarios.ts';
import { launchChromium } from './chromium.ts';
import { smallPng } from './small-png.ts';

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

interface Served {
  readonly address: string;
  readonly end: () => Promise<unknown>;
}

/** A command that prints the address of its page, and what ends it. @param state folder of the runs */
async function serve(state: string, ...args: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [PAWL, ...args], { env: { ...env, PAWL_HOME: state } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  while (!/http:\S+/.test(printed)) {
    if (child.exitCode !== null) throw new Error(printed);
    await wait(50);
  }
  return {
    address: /http:\S+/.exec(printed)?.[0] ?? '',
    end: () => {
      child.kill('SIGINT');
      return once(child, 'exit');
    },
  };
}

/** The one run in the folder. */
function inspect(state: string): Promise<Served> {
  const [journal = ''] = readdirSync(path.join(state, 'runs')).filter((name) => name.endsWith('.jsonl'));
  return serve(state, 'inspect', '--no-open', path.basename(journal, '.jsonl'));
}

/** A run that waits for a word of a person, since it was not started with --yes. */
function ask(): Promise<Served> {
  const [script, workspace] = [path.join(home, 'ask.json'), path.join(home, 'asking')];
  const calls = [
    { name: 'edit_file', input: { path: 'main.py', old_string: '10 / 0', new_string: '10 / 2' } },
    { name: 'bash', input: { command: 'python3 main.py && rm -r build' } },
  ];
  writeFileSync(script, JSON.stringify([{ text: 'I mend it, and run it.', calls }, { text: 'Done.' }]));
  cpSync(path.join(root, 'examples/run-main/workspace'), workspace, { recursive: true });
  const flags = ['--script', script, '-C', workspace, '--model', 'claude-sonnet-5-5'];
  return serve(env.PAWL_HOME, 'run', '--inspect', '--no-open', ...flags, 'make main.py run without an error');
}

async function shoot(page: Page, name: string): Promise<void> {
  // Colours move to where they belong when the theme changes.
  await wait(800);
  writeFileSync(path.join(OUT, `${name}.png`), smallPng(await page.screenshot()));
}

/** The chart alone, with the way that the run has taken in it. */
async function shootChart(page: Page, scenario: string, status: string): Promise<void> {
  const base = path.join(home, scenario);
  await playScenario(readExample('run-main'), scenario, base);
  const { address, end } = await inspect(path.join(base, 'state'));
  await page.goto(address);
  await page.locator(`[data-state-now="${status}"]`).waitFor();
  await page.getByRole('button', { name: 'Fit the whole chart' }).click();
  await page.locator('.chart-tools').evaluate((tools) => tools.remove());
  await wait(800);
  const picture = await page.locator('.chart').first().screenshot();
  writeFileSync(path.join(OUT, `${scenario}.png`), smallPng(picture));
  await page.goto('about:blank');
  await end();
}

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

mkdirSync(OUT, { recursive: true });
play();
const { address, end } = await inspect(env.PAWL_HOME);
const browser = await launchChromium();
const page = await browser.newPage({ viewport: WIDE, colorScheme: 'light', reducedMotion: 'reduce' });
const answered = () => page.locator('[data-state-now="answered"]').waitFor();
await page.goto(address);
await answered();
const run = page.url();
// Where the last calls were reviewed and are about to run, the chart shows the most.
const place = page.locator('.frame-line code');
while (!(await place.textContent())?.includes('calls.reviewed')) await page.keyboard.press('ArrowLeft');
await shoot(page, 'run-light');

await page.emulateMedia({ colorScheme: 'dark' });
await page.reload();
await answered();
await page.locator('[data-state="asking.measuring"] .face').click();
await shoot(page, 'guards-dark');

await page.goto(run.replace(/[?#].*/, '?demo'));
await page.emulateMedia({ colorScheme: 'dark' });
await page.reload();
await page.getByLabel('Scenario').selectOption('one-allowed');
for (let step = 0; step < 4; step += 1)
  await page.getByRole('button', { name: 'One step of the story' }).click();
await shoot(page, 'demo-dark');

const asking = await ask();
await page.emulateMedia({ colorScheme: 'light' });
await page.goto(asking.address);
await page.locator('.approval').waitFor();
await shoot(page, 'approval-light');
await page.goto('about:blank');
await asking.end();

await page.setViewportSize(NARROW);
await page.emulateMedia({ colorScheme: 'dark' });
await page.goto(run);
await answered();
await page.getByRole('tab', { name: 'Transcript' }).click();
await shoot(page, 'narrow-dark');

await end();

// Of the tutorial.
await page.setViewportSize(WIDE);
await page.emulateMedia({ colorScheme: 'light' });
await shootChart(page, 'reported', 'answered');
await shootChart(page, 'one-call', 'max_turns');
await shootChart(page, 'cut-off', 'truncated');

await browser.close();
rmSync(home, { recursive: true });
