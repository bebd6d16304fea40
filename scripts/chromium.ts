/** A real browser for tests and screenshots: PAWL_CHROMIUM, one on the path, or the one that a package ships. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Root may not use the sandbox of the browser; what is opened here is the project's own. */
const ARGUMENTS = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-gpu'] : ['--disable-gpu'];

export async function launchChromium(): Promise<Browser> {
  const found = process.env.PAWL_CHROMIUM || onPath();
  if (found) return chromium.launch({ executablePath: found, args: ARGUMENTS });
  const { default: shipped } = await import('@sparticuz/chromium');
  return chromium.launch({ executablePath: await shipped.executablePath(), args: shipped.args });
}
