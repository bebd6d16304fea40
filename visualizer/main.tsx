import { render } from 'preact';
import type { JournalRecord } from '../src/journal/record.ts';
import { App } from './app/app.tsx';
import { showTheme, themeNow } from './app/theme.ts';
import './style/index.css';

/** An exported run is in the page itself. */
function recordsInPage(): JournalRecord[] {
  const text = document.getElementById('pawl-records')?.textContent?.trim() ?? '';
  return text === '' ? [] : JSON.parse(text);
}

showTheme(themeNow());
render(<App file={recordsInPage()} />, document.getElementById('page') as HTMLElement);
