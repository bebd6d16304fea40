/** Appends records until the system takes no more, then tries again, and prints what came of it. */
import { fileJournal } from '../../../src/journal/file.ts';
import { finished, header } from '../../helpers/records.ts';

const journal = fileJournal(process.argv[2] ?? '');
const messages: string[] = [];
const attempt = async (action: () => unknown) => {
  try {
    await action();
  } catch (error) {
    messages.push(`${(error as Error).name}: ${(error as Error).message}`);
  }
};
await attempt(() => {
  journal.append(header());
  for (let n = 0; n < 1000; n += 1) journal.append(finished(1, `${n}`, 'x'.repeat(500)));
});
await attempt(() => journal.append(header()));
await attempt(() => journal.sync());
await attempt(() => journal.close());
console.log(JSON.stringify(messages));
