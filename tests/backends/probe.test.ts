// Starts programs, or takes seconds: in the project `whole`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BACKENDS, probeBackend } from '../../src/backends/index.js';
import { withGrowingLimit } from '../support/growing-limit.js';
import { installFakeCli, makeTempFolder } from './support.js';

const { claude, kiro, opencode, codex, gemini, pi } = BACKENDS;
const HANG = 'sleep 600';

const CLAUDE_LOGGED_IN = `echo '{"loggedIn":true,"authMethod":"claude.ai","email":"someone@example.org","subscriptionType":"max"}'`;
const CLAUDE_LOGGED_OUT = `echo '{"loggedIn":false,"authMethod":"none"}'; exit 1`;
// As the real one prints it, colours included.
const OPENCODE_NONE = String.raw`printf '\342\224\214  Credentials \033[90m~/auth.json\n\342\224\224  0 credentials\n\033[0m'`;
const OPENCODE_LOGIN = String.raw`printf '\342\227\217  Anthropic \033[90mapi\n\342\224\224  1 credentials\n'`;
const OPENCODE_VARIABLE = String.raw`printf '  0 credentials\n\n  Environment\n  1 environment variable\n'`;

// These two print on stderr.
const CODEX_KEY = 'echo "API key configured - sk-proj-***23456" >&2';
const PI_MODELS = 'printf "provider  model  context\\nopenai    gpt-4  8.2K\\nopenai    gpt-5  8.2K\\n" >&2';
const PI_NONE = 'echo "No models available. Use /login to log into a provider." >&2';
const GEMINI_NONE = 'echo "Please set an Auth method" >&2; exit 41';

describe('a CLI that is logged in', () => {
  it.each([
    [
      claude,
      { version: 'echo "2.1.325 (Claude Code)"', probe: CLAUDE_LOGGED_IN },
      '2.1.325 (Claude Code)',
      'claude --setting-sources project,local auth status',
    ],
    [
      kiro,
      { version: 'echo "kiro-cli 2.18.0"', probe: 'echo Logged in with Builder ID' },
      '2.18.0',
      'kiro-cli whoami',
    ],
    [opencode, { version: 'echo 1.18.33', probe: OPENCODE_LOGIN }, '1.18.33', 'opencode auth list'],
    [codex, { version: 'echo codex-cli 0.166.0', probe: CODEX_KEY }, '0.166.0', 'codex login status'],
    [gemini, { version: 'echo 0.61.0', probe: 'exit 0' }, '0.61.0', 'gemini --list-extensions'],
    [pi, { version: 'echo 0.73.1 >&2', probe: PI_MODELS }, '0.73.1', 'pi --list-models'],
  ] as const)('$id is ready, with version, path and source', async (backend, fake, version, source) => {
    const { env, path } = installFakeCli(backend.command, fake);
    const readiness = await probeBackend(backend, { env });
    expect(readiness).toMatchObject({ ready: true, available: true, path, version, reason: null, fix: null });
    expect(readiness.authentication).toMatchObject({ authenticated: true, source });
  });

  it('keeps the account to itself', async () => {
    const one = installFakeCli('claude', { probe: CLAUDE_LOGGED_IN });
    const two = installFakeCli('kiro-cli', { probe: 'echo "someone@example.org (Builder ID)"' });
    const readiness = [
      await probeBackend(claude, { env: one.env }),
      await probeBackend(kiro, { env: two.env }),
    ];
    expect(readiness.map(({ ready }) => ready)).toEqual([true, true]);
    expect(JSON.stringify(readiness)).not.toContain('someone@example.org');
  });

  it('counts an environment variable that opencode lists', async () => {
    const { env } = installFakeCli('opencode', { probe: OPENCODE_VARIABLE });
    const readiness = await probeBackend(opencode, { env });
    expect(readiness.authentication).toEqual({
      authenticated: true,
      source: 'opencode auth list',
      detail: '0 credentials, 1 environment variable',
    });
  });

  it('tells of a key only that there is one, and of models how many of whom', async () => {
    const one = installFakeCli('codex', { probe: CODEX_KEY });
    const two = installFakeCli('pi', { probe: PI_MODELS });
    const details = [
      (await probeBackend(codex, { env: one.env })).authentication?.detail,
      (await probeBackend(pi, { env: two.env })).authentication?.detail,
    ];
    expect(details).toEqual(['logged in with an API key', '2 models of openai']);
  });

  it('goes before a credential variable', async () => {
    const { env } = installFakeCli('claude', { probe: CLAUDE_LOGGED_IN });
    const readiness = await probeBackend(claude, { env: { ...env, ANTHROPIC_API_KEY: 'some-key' } });
    expect(readiness.authentication?.source).toBe('claude --setting-sources project,local auth status');
  });
});

it('says that a key in the settings of the user is none for Ralph', async () => {
  const probe = `case "$*" in --setting-sources*) ${CLAUDE_LOGGED_OUT} ;; *) ${CLAUDE_LOGGED_IN} ;; esac`;
  const { env } = installFakeCli('claude', { probe });
  const readiness = await probeBackend(claude, { env });
  expect(readiness).toMatchObject({ ready: false, authentication: { authenticated: false } });
  expect(readiness.fix).toMatch(/your own settings .* export it as ANTHROPIC_API_KEY/);
});

describe('a CLI that is not logged in', () => {
  it.each([
    [claude, { probe: CLAUDE_LOGGED_OUT }, 'claude auth login', 'ANTHROPIC_API_KEY'],
    [kiro, { probe: 'echo "Not logged in"; exit 1' }, 'kiro-cli login', 'KIRO_API_KEY'],
    [opencode, { probe: OPENCODE_NONE }, 'opencode auth login', 'OPENCODE_API_KEY'],
    [codex, { probe: 'echo "Not logged in" >&2; exit 1' }, 'codex login', 'CODEX_API_KEY'],
    [gemini, { probe: GEMINI_NONE }, 'start gemini', 'GEMINI_API_KEY'],
    [pi, { probe: PI_NONE }, '/login', 'ANTHROPIC_API_KEY'],
  ] as const)(
    '$id is found but not ready, and says how to log in',
    async (backend, fake, login, variable) => {
      const { env } = installFakeCli(backend.command, fake);
      const readiness = await probeBackend(backend, { env: { ...env, [variable]: '' } });
      expect(readiness).toMatchObject({ ready: false, available: true, version: '1.2.3' });
      expect(readiness.authentication).toMatchObject({ authenticated: false });
      expect(readiness.reason).toMatch(/^not authenticated: /);
      expect(readiness.fix).toContain(login);
      expect(readiness.fix).toContain(variable);
    },
  );

  it.each([
    [claude, { probe: CLAUDE_LOGGED_OUT }, 'CLAUDE_CODE_OAUTH_TOKEN'],
    [kiro, { probe: 'exit 1' }, 'KIRO_API_KEY'],
    [opencode, { probe: OPENCODE_NONE }, 'OPENAI_API_KEY'],
    [codex, { probe: 'echo "Not logged in" >&2; exit 1' }, 'CODEX_API_KEY'],
  ] as const)('$id is ready by a variable, whose value is not told', async (backend, fake, variable) => {
    const { env } = installFakeCli(backend.command, fake);
    const readiness = await probeBackend(backend, { env: { ...env, [variable]: 'a-secret-value' } });
    expect(readiness.ready).toBe(true);
    expect(readiness.authentication).toMatchObject({ authenticated: true, source: `${variable} is set` });
    expect(JSON.stringify(readiness)).not.toContain('a-secret-value');
  });
});

describe('a CLI that does not answer', () => {
  it('is unavailable when it is not on PATH', async () => {
    const readiness = await probeBackend(kiro, { env: { PATH: makeTempFolder(), HOME: '/nowhere' } });
    expect(readiness).toMatchObject({
      ready: false,
      available: false,
      path: null,
      reason: 'kiro-cli is not on PATH',
    });
    expect(readiness.fix).toContain('kiro.dev');
  });

  it.each([
    ['hangs', HANG, /^claude --version did not answer within 2 s$/],
    ['fails', 'echo "libfoo.so: cannot open" >&2; exit 127', /exited with 127: libfoo\.so: cannot open$/],
    ['crashes', 'kill -SEGV $$', /crashed/],
    ['prints garbage', 'echo hello', /printed no version number: hello$/],
  ])('is unavailable when --version %s', async (_name, version, reason) => {
    const { env, path } = installFakeCli('claude', { version, probe: CLAUDE_LOGGED_IN });
    const readiness = await probeBackend(claude, { env, timeoutMs: version === HANG ? 2000 : 60_000 });
    expect(readiness).toMatchObject({
      ready: false,
      available: false,
      path,
      version: null,
      authentication: null,
    });
    expect(readiness.reason).toMatch(reason);
    expect(readiness.fix).toContain('claude --version');
  });

  it.each([
    ['hangs', HANG, /claude .* auth status did not answer within \d+ s/],
    ['prints garbage', 'echo hello', /claude .* auth status exited with 0: hello/],
    ['prints other JSON', 'echo "[]"', /claude .* auth status exited with 0/],
    ['crashes', 'kill -SEGV $$', /claude .* auth status crashed/],
    [
      'does not know the command',
      'echo "unknown command auth" >&2; exit 2',
      /exited with 2: unknown command auth/,
    ],
  ])('is not ready when its login probe %s, unless a variable is set', (_name, probe, reason) =>
    withGrowingLimit(async (seconds) => {
      const { env } = installFakeCli('claude', { probe });
      const timeoutMs = seconds * 1000;
      const without = await probeBackend(claude, { env, timeoutMs });
      expect(without).toMatchObject({ ready: false, available: true, version: '1.2.3' });
      expect(without.reason).toMatch(reason);
      const withKey = await probeBackend(claude, { env: { ...env, ANTHROPIC_API_KEY: 'key' }, timeoutMs });
      expect(withKey.authentication).toMatchObject({
        authenticated: true,
        source: 'ANTHROPIC_API_KEY is set',
      });
      expect(withKey.authentication?.detail).toMatch(reason);
    }),
  );

  it('codex: a key of OpenAI alone is none, because it is not sent', async () => {
    const { env } = installFakeCli('codex', { probe: 'echo "Not logged in" >&2; exit 1' });
    expect((await probeBackend(codex, { env: { ...env, OPENAI_API_KEY: 'some-key' } })).ready).toBe(false);
  });

  it.each([kiro, opencode, codex, gemini, pi])('$id: a failing probe is no login', async (backend) => {
    const { env } = installFakeCli(backend.command, { probe: 'echo "1 credentials"; exit 3' });
    expect(await probeBackend(backend, { env })).toMatchObject({ ready: false, available: true });
  });
});

it('asks for the version and the login and nothing else, outside the project', async () => {
  const log = join(makeTempFolder(), 'calls');
  const record = `echo "$* in $PWD" >> ${log}`;
  const { env } = installFakeCli('claude', {
    version: `${record}; echo 1.0.0`,
    probe: `${record}; ${CLAUDE_LOGGED_IN}`,
  });
  await probeBackend(claude, { env });
  expect(existsSync(log)).toBe(true);
  const calls = readFileSync(log, 'utf8').trim().split('\n');
  expect(calls.map((line) => line.split(' in ')[0])).toEqual([
    '--version',
    '--setting-sources project,local auth status',
  ]);
  for (const line of calls) expect(line.split(' in ')[1]).not.toContain(process.cwd());
});
