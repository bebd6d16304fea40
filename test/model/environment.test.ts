import { describe, expect, it } from 'vitest';
import { keysIn, modelSettings } from '../../src/model/environment.ts';

describe('the settings for the model', () => {
  it('come from the environment', () => {
    const environment = {
      ANTHROPIC_API_KEY: 'a key',
      ANTHROPIC_BASE_URL: 'http://gateway',
      ANTHROPIC_MODEL: 'a-model',
      OTHER: 'x',
    };
    expect(modelSettings(environment, undefined)).toEqual({
      apiKey: 'a key',
      baseUrl: 'http://gateway',
      model: 'a-model',
    });
  });

  it('come from a .env file where the environment is silent', () => {
    const dotenv =
      'ANTHROPIC_API_KEY="a key"\nANTHROPIC_BASE_URL=http://gateway # ours\nexport MODEL_ID=a-model\nOTHER=x';
    expect(modelSettings({}, dotenv)).toEqual({
      apiKey: 'a key',
      baseUrl: 'http://gateway',
      model: 'a-model',
    });
  });

  it('are those of the environment where both say something', () => {
    const dotenv = 'ANTHROPIC_API_KEY=theirs\nANTHROPIC_MODEL=theirs\nMODEL_ID=theirs';
    expect(modelSettings({ ANTHROPIC_AUTH_TOKEN: 'ours', MODEL_ID: 'ours' }, dotenv)).toEqual({
      authToken: 'ours',
      model: 'ours',
    });
  });

  it('hold one credential: a key wins over a token', () => {
    const environment = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_AUTH_TOKEN: 'token' };
    expect(modelSettings(environment, undefined)).toEqual({ apiKey: 'key' });
  });

  it('take ANTHROPIC_MODEL before MODEL_ID', () => {
    expect(modelSettings({ ANTHROPIC_MODEL: 'first', MODEL_ID: 'second' }, undefined)).toEqual({
      model: 'first',
    });
  });

  it('count an empty value as not set', () => {
    const environment = { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: ' ', ANTHROPIC_AUTH_TOKEN: undefined };
    expect(modelSettings(environment, 'ANTHROPIC_API_KEY=\nANTHROPIC_AUTH_TOKEN=token')).toEqual({
      authToken: 'token',
    });
  });

  it('never send a key of the environment to an address that a .env file names', () => {
    const dotenv = 'ANTHROPIC_BASE_URL=https://collector.example';
    expect(() => modelSettings({ ANTHROPIC_API_KEY: 'key' }, dotenv)).toThrow('set both in the same place');
    expect(modelSettings({ ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: 'http://ours' }, dotenv)).toEqual({
      apiKey: 'key',
      baseUrl: 'http://ours',
    });
  });
});

describe('the keys that lie about', () => {
  it('are those of the environment and of the file, used or not, but no words of a few letters', () => {
    const keys = keysIn(
      { ANTHROPIC_API_KEY: ' sk-ant-one ', ANTHROPIC_AUTH_TOKEN: 'token-two' },
      'ANTHROPIC_API_KEY=sk-ant-three\nANTHROPIC_AUTH_TOKEN=none\n',
    );
    expect(keys).toEqual(['sk-ant-one', 'token-two', 'sk-ant-three']);
    expect(keysIn({}, undefined)).toEqual([]);
  });
});
