/** How the service is asked: from flags, from what is recorded, and what it is known to refuse. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../machines/limits.ts';
import { type RecordedRequestSettings, requestSettings } from '../../src/cli/request-settings.ts';
import { resumeSettings } from '../../src/cli/resume-settings.ts';
import type { RunFlags } from '../../src/cli/run-flags.ts';
import { resolveSettings } from '../../src/cli/settings.ts';
import type { RunStarted } from '../../src/journal/record.ts';
import { Place } from './support.ts';

const env = { ANTHROPIC_API_KEY: 'a-key' };
let place: Place;
beforeAll(() => {
  place = new Place();
  place.write('script.json', [{ text: 'done' }]);
  place.write('eager.md', '---\neffort: high\n---\nBe eager.\n');
});
afterAll(() => place.remove());

const resolve = (flags: Partial<RunFlags>) =>
  resolveSettings(
    ['do', 'it'],
    { summary: true, outputFormat: 'text', ...flags },
    { folder: place.folder, env, input: Readable.from([]) },
  );

/** What a later process makes of a run that was started with these settings. */
function resumed(
  header: Partial<RunStarted>,
  request: Partial<RecordedRequestSettings>,
  flags: Pick<RunFlags, 'thinking'> = {},
) {
  const started: RunStarted = {
    type: 'run.started',
    version: 2,
    pawl: '0.1.0',
    runId: 'r',
    task: 't',
    workspace: place.folder,
    model: 'claude-sonnet-5-5',
    system: '',
    effort: null,
    fallbackModel: null,
    limits: DEFAULT_LIMITS,
    tools: [],
    settings: { request },
    ...header,
  };
  const records = [{ ...started, seq: 0, at: '2026-01-01T00:00:00.000Z' }];
  return resumeSettings(records, started, { outputFormat: 'text', ...flags }, place.folder, env);
}

describe('--thinking', () => {
  it.each(['summarized', 'omitted'] as const)('%s is asked for, and asked for again', async (thinking) => {
    const { wire, recorded } = await requestSettings({ thinking }, place.folder, false);
    expect([wire.thinkingDisplay, recorded.thinking]).toEqual([thinking, thinking]);
    const later = await requestSettings({}, place.folder, false, recorded);
    expect([later.wire.thinkingDisplay, later.recorded.thinking]).toEqual([thinking, thinking]);
  });

  it('is left to the model where nobody says a word', async () => {
    const { wire, recorded } = await requestSettings({}, place.folder, false);
    expect(wire).not.toHaveProperty('thinkingDisplay');
    expect(recorded.thinking).toBeNull();
  });

  it('has no other values', async () => {
    await expect(requestSettings({ thinking: 'full' }, place.folder, false)).rejects.toThrow(
      '--thinking must be one of summarized, omitted, not "full".',
    );
  });
});

describe('--context-edits', () => {
  const all = ['clear', 'compact'];
  it.each<[boolean, boolean, readonly string[]]>([
    [true, false, all],
    [true, true, ['clear']],
  ])('where it is %s, with a budget %s, asks for %j, and does so again', async (_, isBudgeted, edits) => {
    const { wire, recorded } = await requestSettings({ contextEdits: true }, place.folder, isBudgeted);
    expect([wire.contextEdits, recorded.context_edits]).toEqual([edits, true]);
    const later = await requestSettings({}, place.folder, false, recorded);
    expect([later.wire.contextEdits, later.recorded.context_edits]).toEqual([all, true]);
  });

  it('is for whom asks for it', async () => {
    const { wire, recorded } = await requestSettings({}, place.folder, false, {});
    expect([wire.contextEdits, recorded.context_edits]).toEqual([undefined, false]);
  });
});

describe('what a model is known not to accept is refused before anything is started', () => {
  const effort = /claude-haiku-4-5 has no effort to set.*take another model/;
  const thinking = /claude-opus-4-5 has no adaptive thinking/;
  it.each<[string, Partial<RunFlags>, RegExp]>([
    ['an effort', { model: 'claude-haiku-4-5', effort: 'high' }, effort],
    ['the effort of an agent', { model: 'claude-haiku-4-5', agent: 'eager.md' }, effort],
    ['thinking', { model: 'claude-opus-4-5', thinking: 'summarized' }, thinking],
    ['an effort that the other model lacks', { fallbackModel: 'claude-haiku-4-5', effort: 'low' }, effort],
    [
      'thinking that the other model lacks',
      { fallbackModel: 'claude-opus-4-5', thinking: 'omitted' },
      thinking,
    ],
  ])('%s', async (_, flags, reason) => {
    await expect(resolve(flags)).rejects.toThrow(reason);
  });

  it.each<[string, Partial<RunFlags>]>([
    ['what it accepts', { model: 'claude-opus-4-5', effort: 'high' }],
    ['what nobody knows of it', { model: 'my-model', effort: 'max', thinking: 'omitted' }],
    ['what a script never sees', { model: 'claude-haiku-4-5', effort: 'high', script: 'script.json' }],
  ])('but not %s', async (_, flags) => {
    expect((await resolve(flags)).options.task).toBe('do it');
  });

  it.each<[string, Partial<RunStarted>]>([
    ['the model of a run', { model: 'claude-opus-4-5' }],
    ['its other model', { fallbackModel: 'claude-opus-4-5' }],
  ])('nor is a run gone on with, where it is %s', async (_, header) => {
    await expect(resumed(header, {}, { thinking: 'omitted' })).rejects.toThrow(thinking);
    await expect(resumed(header, { thinking: 'omitted' })).rejects.toThrow(thinking);
    expect((await resumed(header, {})).options.client.name).toBe('api.anthropic.com');
  });
});
