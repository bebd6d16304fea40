/**
 * A script that says the same to the same request, whichever process asks: some turns, each with an effect and a look. The task
 * is JSON: { turns, folder }. Requests are written down in that folder, those of each process for themselves.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';

export default (request) => {
  const { turns, folder } = JSON.parse(request.messages[0].content[0].text);
  appendFileSync(path.join(folder, `requests-${process.pid}.jsonl`), `${JSON.stringify(request)}\n`);
  const turn = request.messages.filter(({ role }) => role === 'assistant').length + 1;
  if (turn > turns) return { text: 'done' };
  const id = (name) => `turn_${turn}_${name}`;
  return {
    text: `Turn ${turn}.`,
    calls: [
      { id: id('note'), name: 'note', input: { line: id('note') } },
      { id: id('look'), name: 'list_files', input: { path: '.' } },
    ],
  };
};
