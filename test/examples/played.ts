/** The scenarios of an example, played before the tests that look at them; and the same command line with a real SDK. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyWorkspace, PAWL, type Played, playScenario, startWords } from '../../examples/play.ts';
import { readExample, scenarioOf } from '../../examples/scenarios.ts';
import { callPawl, type Finished } from '../cli/called.ts';
import { type StrictServer, startStrictServer } from '../helpers/strict-server.ts';

/** The command is called in this process; what an example has in its place gets one of its own. */
const start = async (words: readonly string[], folder: string, env: NodeJS.ProcessEnv) => {
  const [file = '', ...rest] = words;
  if (file === PAWL) return callPawl(file, rest, folder, env);
  return new Promise<Finished>((resolve) => {
    execFile(process.execPath, words, { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
};

/** Declares a test for each scenario, but for those that are played elsewhere. @returns what a scenario came to */
export function playAll(name: string, elsewhere: readonly string[] = []): (scenario: string) => Played {
  const example = readExample(name);
  let base = '';
  const names = Object.keys(example.scenarios).filter((scenario) => !elsewhere.includes(scenario));
  const found = new Map<string, Played>();
  const played = (scenario: string): Played => {
    const one = found.get(scenario);
    if (one === undefined) throw new Error(`the scenario ${scenario} was not played`);
    return one;
  };
  beforeAll(async () => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-example-')));
    for (const scenario of names)
      found.set(scenario, await playScenario(example, scenario, path.join(base, scenario), start));
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  it.each(names)('%s comes to what the example says of it', (scenario) => {
    expect(played(scenario).differences).toEqual([]);
  });
  return played;
}

export interface Lived {
  readonly code: number | null;
  readonly document: {
    readonly status: string;
    readonly result: string | null;
    readonly verified?: boolean | null;
    readonly errors: readonly string[];
  };
  readonly stderr: string;
  readonly workspace: string;
  readonly server: StrictServer;
}

/**
 * Plays a scenario as `--live` does, over HTTP with a service that answers so. The folder is the caller's to remove.
 * @param more further flags, and files of the folder that the command is started in
 */
export async function playLive(
  name: string,
  replies: Parameters<typeof startStrictServer>[0],
  base: string,
  more: {
    readonly scenario?: string;
    readonly flags?: readonly string[];
    readonly env?: NodeJS.ProcessEnv;
  } = {},
): Promise<Lived> {
  const server = await startStrictServer(replies);
  const example = readExample(name);
  const { scenario = Object.keys(example.scenarios)[0] ?? '', flags = [], env } = more;
  const chosen = scenarioOf(example, scenario);
  const workspace = copyWorkspace(example, chosen, path.join(base, 'workspace'));
  const always = ['--sandbox', 'off', '--output-format', 'json', ...flags, ...example.live_flags];
  const words = startWords(example, chosen, workspace, chosen.program ? [] : always);
  const own = {
    PATH: process.env.PATH,
    HOME: base,
    PAWL_HOME: path.join(base, 'state'),
    ...(env ?? { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url }),
  };
  const { code, stdout, stderr } = await start(words, base, own);
  await server.close();
  if (stdout === '') throw new Error(stderr);
  return { code, document: JSON.parse(stdout) as Lived['document'], stderr, workspace, server };
}

/** What was wrong with any of the requests. */
export const violationsOf = ({ server }: Lived): string[] =>
  server.requests.flatMap(({ violations }) => [...violations]);
