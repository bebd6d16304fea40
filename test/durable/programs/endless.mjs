/**
 * A script without an end: each turn appends two lines, through a tool in this process and through a program, and looks at
 * a file. Every request is written down first. It ends when there is a file named "stop".
 */
import { appendFileSync, existsSync } from 'node:fs';

export default (request) => {
  appendFileSync('../requests.jsonl', `${JSON.stringify(request)}\n`);
  if (existsSync('stop')) return { text: 'done' };
  const turn = request.messages.filter(({ role }) => role === 'assistant').length + 1;
  const id = (name) => `turn_${turn}_${name}`;
  return {
    text: `Turn ${turn}.`,
    calls: [
      { id: id('note'), name: 'note', input: { line: id('note') } },
      { id: id('look'), name: 'list_files', input: { path: '.' } },
      { id: id('bash'), name: 'bash', input: { command: `echo ${id('bash')} >> log.txt` } },
    ],
  };
};
