/** The loop by hand, with a scripted model and the real program: `npx tsx examples/run-main/by-hand.ts`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { scriptedModel } from '../../src/index.ts';
import { askWith, executeIn, loop } from './three-functions.ts';

const here = (name: string) => path.join(import.meta.dirname, name);

const client = scriptedModel(parse(readFileSync(here('script.yaml'), 'utf8')));
const ask = askWith(client, 'scripted');
const execute = executeIn(here('workspace'));
const { status, text, messages } = await loop('run main.py, report the result only', ask, execute);
console.log(`${status}, ${messages.length} messages: ${text}`);
