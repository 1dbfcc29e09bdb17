import { expect, test } from 'vitest';
import { buildEnvironment, credentialValues } from '../../src/exec/environment.js';

test('only what is on the list is inherited, and nothing of an outer session', () => {
  const base = {
    PATH: '/bin',
    LC_ALL: 'C',
    https_proxy: 'http://proxy',
    MY_PROJECT: 'leaks',
    ANTHROPIC_API_KEY: 'key',
    CLAUDE_CODE_OAUTH_TOKEN: 'login',
    RALPH_DIAGNOSTICS: '1',
    RUST_BACKTRACE: 'full',
    GIT_DIR: '/elsewhere',
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    NO_COLOR: undefined,
  };
  expect(buildEnvironment({ base })).toEqual({
    PATH: '/bin',
    LC_ALL: 'C',
    https_proxy: 'http://proxy',
    NO_COLOR: '1',
  });
  const wide = buildEnvironment({
    base,
    allow: ['ANTHROPIC_API_KEY', 'CLAUDE*', 'RALPH_*', 'GIT_DIR', 'RUST_*'],
  });
  expect(Object.keys(wide).sort()).toEqual([
    'ANTHROPIC_API_KEY',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'LC_ALL',
    'NO_COLOR',
    'PATH',
    'https_proxy',
  ]);
});

test('what the user passes by name comes through, and what we set wins', () => {
  const base = { PATH: '/bin', HOME: '/home/me', MY_FLAG: 'mine', RUST_BACKTRACE: '1', OTHER: 'no' };
  const env = buildEnvironment({
    base,
    pass: ['MY_FLAG', 'RUST_BACKTRACE', 'NOT_SET'],
    extra: { HOME: '/private', NEW: 'x' },
  });
  expect(env).toEqual({
    PATH: '/bin',
    HOME: '/private',
    MY_FLAG: 'mine',
    RUST_BACKTRACE: '1',
    NEW: 'x',
    NO_COLOR: '1',
  });
});

test('values of credential variables are collected, other values are not', () => {
  const env = {
    ANTHROPIC_API_KEY: 'k1',
    GH_TOKEN: 't1',
    db_password: 'p1',
    AWS_SECRET_ACCESS_KEY: 'k1',
    EMPTY_TOKEN: '',
  };
  const harmless = {
    PATH: '/bin',
    SSH_AUTH_SOCK: '/run/ssh',
    GOOGLE_CREDENTIALS_FILE: '/home/me/file',
    LANG: 'C',
  };
  expect(credentialValues({ ...env, ...harmless }).sort()).toEqual(['k1', 'p1', 't1']);
});
