/** A page that is a file, with the records of one run in it. */
import { render } from 'preact';
import type { JournalRecord } from '../src/journal/record.ts';
import { exported } from './app/exported.ts';
import { RunView } from './app/run-view.tsx';
import { showTheme, themeNow } from './app/theme.ts';
import { RunStore } from './feed/run-store.ts';

const store = new RunStore();
const text = exported?.textContent?.trim() ?? '';
const records: readonly JournalRecord[] = text === '' ? [] : JSON.parse(text);
const [header] = records;
store.add(records);
store.connect({ is: 'file' });
showTheme(themeNow());
render(
  <RunView store={store} runId={header?.type === 'run.started' ? header.runId : ''} />,
  document.getElementById('page') as HTMLElement,
);
