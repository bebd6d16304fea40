// What many loops do to be durable: all they know is saved anew after each step.
import fs from 'node:fs';
import path from 'node:path';
import { loop } from './loop.mjs';

const folder = path.join(process.env.PAWL_HOME, 'runs');
fs.mkdirSync(folder, { recursive: true });
const file = fs.openSync(path.join(folder, 'checkpoints.jsonl'), 'a');
await loop((messages) => {
  fs.writeSync(file, `${JSON.stringify(messages)}\n`);
  fs.fdatasyncSync(file);
});
