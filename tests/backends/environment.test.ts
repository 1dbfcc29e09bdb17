import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BACKENDS,
  findInherited,
  probeBackend,
  refuseCredentials,
  removeCredentials,
} from '../../src/backends/index.js';
import type { BackendId } from '../../src/domain/vocabulary.js';
import { installFakeCli, makeTempFolder } from './support.js';

const backends = Object.values(BACKENDS);
/** What says how to start the CLI, not who one is. */
const KEPT: Partial<Record<BackendId, readonly string[]>> = {
  claude: ['ANTHROPIC_BASE_URL', 'IS_SANDBOX'],
  gemini: ['GEMINI_CLI_TRUST_WORKSPACE'],
};

describe.each(backends)('$id', (backend) => {
  const everything = Object.fromEntries(
    [...backend.credentialVariables, ...backend.accountVariables].map((name) => [name, 'of-the-user']),
  );
  const env = { PATH: '/usr/bin', HOME: '/home/user', XDG_DATA_HOME: '/home/user/data', ...everything };

  it('without credentials: no key and no login of the user is left', () => {
    const left = removeCredentials(backend, env, '/private');
    expect(left).toMatchObject({ PATH: '/usr/bin', HOME: '/private' });
    const kept = Object.keys(left).filter((name) => left[name] === 'of-the-user');
    expect(kept).toEqual(KEPT[backend.id] ?? []);
  });

  it('with refused credentials: only a key that is obviously invalid', () => {
    const refused = refuseCredentials(backend, env, '/private');
    expect(refused.HOME).toBe('/private');
    for (const name of backend.credentialVariables) expect(refused[name] ?? '').not.toBe('of-the-user');
    expect(JSON.stringify(refused)).toContain('invalid-key');
  });

  it('passes a model on, or says that it has no option for one', () => {
    try {
      expect(backend.modelArgs('some/model')).toContain('some/model');
    } catch (error) {
      expect(error).toMatchObject({ message: expect.stringMatching(/^--model some\/model: .* no option/) });
    }
  });
});

const { claude, kiro, opencode, codex, gemini, pi } = BACKENDS;

it.each([claude, kiro, opencode, codex, gemini, pi])('$id: chooses a model with --model', ({ modelArgs }) => {
  expect(modelArgs('some/model')).toEqual(['--model', 'some/model']);
});

it.each([
  [kiro, '.kiro/steering', '.kiro/agents'],
  [opencode, '.config/opencode/AGENTS.md', '.config/opencode/opencode.json'],
  [codex, '.codex/AGENTS.md', '.codex/config.toml'],
  [gemini, '.gemini/GEMINI.md', '.gemini/settings.json'],
  [pi, '.pi/agent/AGENTS.md', '.pi/agent/models.json'],
])('$id: names what there is in HOME, and only that', (backend, present, absent) => {
  const home = makeTempFolder();
  expect(findInherited(backend, { HOME: home })).toEqual([]);
  mkdirSync(join(home, present), { recursive: true });
  expect(findInherited(backend, { HOME: home })).toEqual([join(home, present)]);
  expect(backend.inheritedFiles({ HOME: home })).toContain(join(home, absent));
});

it('opencode: looks where XDG_CONFIG_HOME points', () => {
  const folder = makeTempFolder();
  mkdirSync(join(folder, 'opencode', 'plugin'), { recursive: true });
  const env = { HOME: '/nowhere', XDG_CONFIG_HOME: folder };
  expect(findInherited(opencode, env)).toEqual([join(folder, 'opencode', 'plugin')]);
});

it('claude: the probe with refused credentials still counts the key as present, as the real one does', async () => {
  const { env, home } = installFakeCli('claude', {
    probe:
      'if [ -n "$ANTHROPIC_API_KEY" ]; then echo \'{"loggedIn":true}\'; else echo \'{"loggedIn":false}\'; exit 1; fi',
  });
  expect((await probeBackend(claude, { env: refuseCredentials(claude, env, home) })).ready).toBe(true);
  const without = { ...env, ANTHROPIC_API_KEY: 'of-the-user' };
  expect((await probeBackend(claude, { env: removeCredentials(claude, without, home) })).ready).toBe(false);
});

it('gemini: says that it will not work in a new folder, until the folder may be trusted', () => {
  const { obstacle, sandbox } = gemini;
  expect(obstacle({ GEMINI_API_KEY: 'some-key' })).toMatch(/code 55.*GEMINI_CLI_TRUST_WORKSPACE=true/);
  expect(obstacle(sandbox)).toBeNull();
});

it('claude: says that it will not work for root, until it is told that it is in a sandbox', () => {
  const { obstacle } = claude;
  const isRoot = process.getuid?.() === 0;
  expect(obstacle({}) !== null).toBe(isRoot);
  expect(obstacle({ IS_SANDBOX: '1' })).toBeNull();
});
