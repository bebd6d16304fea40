import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scriptedModel } from '../../src/model/scripted.ts';
import { allowAll } from '../../src/permissions/policy.ts';
import { bashTool } from '../../src/tools/bash.ts';
import { readFileTool } from '../../src/tools/read-file.ts';
import { runMainTool } from '../../src/tools/run-main.ts';
import { searchFilesTool } from '../../src/tools/search-files.ts';
import { runOf } from './runs.ts';

const SECRET = `sk-ant-api03-${'AbCdEfGhIj'.repeat(9)}`;
const TOOLS = [bashTool({ maxCharacters: 2_000 }), readFileTool, runMainTool(), searchFilesTool()];

it.each([
  ['bash', { command: 'cat output' }, 1_000],
  ['run_main', {}, 1_000],
  ['read_file', { path: 'output' }, 50_000],
  ['search_files', { pattern: 'a', path: 'output' }, 500],
])(
  'no part of a secret on which %s cuts gets into the journal or to the model',
  async (name, input, place) => {
    const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-test-')));
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
    for (const offset of [1, 20, 60, SECRET.length - 1]) {
      const front = 'a '.repeat(place).slice(0, place - offset - 1);
      const back = ' z'.repeat(place).slice(0, place - offset - 1);
      writeFileSync(
        path.join(workspace, 'output'),
        `${front} ${SECRET} ${'m '.repeat(place)}${SECRET} ${back}`,
      );
      writeFileSync(path.join(workspace, 'main.py'), 'print(open("output").read(), end="")');
      const client = {
        ...scriptedModel([{ calls: [{ name, input }] }, { text: 'done' }]),
        secrets: [SECRET],
      };
      const { outcome, records } = await runOf([], { client, workspace, tools: TOOLS, policy: allowAll });
      expect(outcome.status).toBe('answered');
      const kept = JSON.stringify([records, outcome.messages]);
      expect(kept).toContain('a a a');
      expect(kept).not.toMatch(/sk-|api03|AbC|hIj/);
    }
  },
);
