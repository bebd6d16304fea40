import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { readPage } from '../helpers/pages.ts';

const program = buildProgram(() => {});
/** Shown as they are typed, but for the prompt: a server and workers are no commands that end. */
const typed = [...readPage('docs/scale-out.md').matchAll(/^\$ (.*)$/gm)].flatMap(([, line = '']) =>
  [...line.matchAll(/\bpawl (?!=)([a-z]+)([^&#]*)/g)].map(([, name = '', words = '']) => ({ name, words })),
);

describe('docs/scale-out.md', () => {
  it.each(typed)('shows options that pawl $name has:$words', ({ name, words }) => {
    const command = program.commands.find((one) => one.name() === name);
    const known = (command?.options ?? []).flatMap(({ long, short }) => [long, short]);
    const used = [...words.replaceAll(/"[^"]*"/g, '').matchAll(/(?<=\s)--?[a-z][a-z-]*/gi)].map(
      ([flag]) => flag,
    );
    expect(command).toBeDefined();
    expect(used.filter((flag) => !known.includes(flag))).toEqual([]);
  });

  it('shows each of the commands for runs of an engine', () => {
    const names = new Set(typed.map(({ name }) => name));
    for (const name of ['worker', 'submit', 'runs', 'approvals', 'approve', 'inspect', 'pull'])
      expect(names).toContain(name);
  });
});
