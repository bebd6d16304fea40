/** Which engine a command means, and what people are told where it is not there. */
import { describe, expect, it } from 'vitest';
import { engineOf, isOfEngine } from '../../src/cli/engine.ts';
import { buildProgram } from '../../src/cli/program.ts';

const A = 'http://a:8080';
const B = 'http://b:8080';
const ADMIN = 'http://a:19070';

describe('the addresses of an engine', () => {
  it.each([
    ['of the variables', {}, { PAWL_RESTATE: A, PAWL_RESTATE_ADMIN: ADMIN }, A, ADMIN],
    ['of the flag, with the port of its own host', { restate: B }, {}, B, 'http://b:9070'],
    [
      'of the flag, whatever the variable for another one says',
      { restate: B },
      { PAWL_RESTATE: A, PAWL_RESTATE_ADMIN: ADMIN },
      B,
      'http://b:9070',
    ],
    [
      'of the flag, where nothing says whose the variable is',
      { restate: B },
      { PAWL_RESTATE_ADMIN: ADMIN },
      B,
      'http://b:9070',
    ],
    [
      'of the flag, with the variable where it names the same one',
      { restate: `${A}/` },
      { PAWL_RESTATE: A, PAWL_RESTATE_ADMIN: ADMIN },
      A,
      ADMIN,
    ],
    [
      'of both flags',
      { restate: B, restateAdmin: 'http://c:1/' },
      { PAWL_RESTATE: A, PAWL_RESTATE_ADMIN: ADMIN },
      B,
      'http://c:1',
    ],
  ])('are those %s', async (_, flags, env, ingress, admin) => {
    const engine = await engineOf(flags, env);
    expect([engine.ingress.url, engine.admin.url]).toEqual([ingress, admin]);
  });

  it('can both be named to each command that is about an engine, and either one says that it is', () => {
    for (const command of buildProgram(() => {}).commands) {
      const flags = command.options.map(({ long }) => long);
      expect(flags.includes('--restate-admin'), command.name()).toBe(flags.includes('--restate'));
    }
    expect([{ restate: A }, { restateAdmin: ADMIN }, {}].map(isOfEngine)).toEqual([true, true, false]);
  });
});
