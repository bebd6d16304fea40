/** What an example can be seen doing: its `scenarios.yaml`, checked. A misspelt key must not be a check that is never made. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const expectation = z.strictObject({
  status: z.string(),
  turns: z.int().optional(),
  /** Calls that were executed. */
  calls: z.int().optional(),
  /** Results that tell the model of an error. */
  errors: z.int().optional(),
  /** Of the message list: task, replies, results. */
  messages: z.int().optional(),
  /** Regular expressions; null: there is no answer, no such file. */
  result: z.string().nullable().optional(),
  files: z.record(z.string(), z.string().nullable()).optional(),
});

const scenario = z.strictObject({
  about: z.string(),
  /** Where it is not the one of the example. */
  task: z.string().optional(),
  /** What the model says offline. */
  script: z.string().default('script.yaml'),
  /** Started instead of the command; it takes the same flags. */
  program: z.string().optional(),
  flags: z.array(z.string()).default([]),
  /** Files of the workspace that are other than in the folder. */
  files: z.record(z.string(), z.string()).default({}),
  /** Commands that follow; RUN and CALL stand for the run and for its waiting call. */
  next: z.array(z.array(z.string())).default([]),
  /** false: what happens lies in the script, and no live model could be made to do it. */
  live: z.boolean().default(true),
  expect: expectation,
});

const example = z.strictObject({
  task: z.string(),
  /** For each scenario. */
  flags: z.array(z.string()).default([]),
  /** For each one that asks a model. */
  live_flags: z.array(z.string()).default([]),
  scenarios: z.record(z.string(), scenario),
});

export type Expectation = z.output<typeof expectation>;
export type Scenario = z.output<typeof scenario>;
export interface Example extends z.output<typeof example> {
  readonly name: string;
  readonly folder: string;
}

export const exampleNames = (): string[] =>
  readdirSync(import.meta.dirname).filter((name) =>
    existsSync(path.join(import.meta.dirname, name, 'scenarios.yaml')),
  );

/** @throws Error for a name that is none, or a file that says something else */
export function readExample(name: string): Example {
  if (!exampleNames().includes(name))
    throw new Error(`There is no example ${name}. There are: ${exampleNames().join(', ')}.`);
  const folder = path.join(import.meta.dirname, name);
  const read = example.parse(parse(readFileSync(path.join(folder, 'scenarios.yaml'), 'utf8')));
  return { name, folder, ...read };
}

export function scenarioOf({ name, scenarios }: Example, wanted: string): Scenario {
  const found = Object.hasOwn(scenarios, wanted) ? scenarios[wanted] : undefined;
  if (found) return found;
  throw new Error(
    `The example ${name} has no scenario ${wanted}. It has: ${Object.keys(scenarios).join(', ')}.`,
  );
}
