import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BACKENDS } from '../../src/backends/index.js';
import { laneEnvironment, scriptedAttempt, simAttempt } from '../../src/lane/environment.js';
import { tempFolder } from '../support/cli.js';

const URL_OF_MODEL = 'http://127.0.0.1:4141';
const backends = Object.values(BACKENDS);
const possible = backends.filter(({ scripted }) => scripted.possible);

/** Everything by which a user is somebody to any of the CLIs, and a proxy that would be asked instead of us. */
const OF_THE_USER = Object.fromEntries(
  [
    ...backends.flatMap(({ credentialVariables, accountVariables }) => [
      ...credentialVariables,
      ...accountVariables,
    ]),
    'HTTPS_PROXY',
  ].map((name) => [name, 'of-the-user']),
);

describe.each(possible)('$id in the scripted lane', (backend) => {
  test('gets a home in which it finds our model, and nothing of the user', () => {
    const home = tempFolder();
    const env = scriptedAttempt([backend], { PATH: '/bin', ...OF_THE_USER }, home, URL_OF_MODEL);
    const files = Object.keys(backend.scripted.possible ? backend.scripted.files(URL_OF_MODEL) : {});
    for (const file of files) expect(existsSync(join(home, file))).toBe(true);
    const told = [JSON.stringify(env), ...files.map((file) => readFileSync(join(home, file), 'utf8'))];
    expect(told.some((text) => text.includes(URL_OF_MODEL))).toBe(true);
    expect(env).toMatchObject({ PATH: '/bin', HOME: home });
    // What says how to start a CLI may stay, except where we say it ourselves.
    const left = Object.keys(env).filter((name) => env[name] === 'of-the-user');
    const harmless = ['IS_SANDBOX', ...(backend.id === 'claude' ? [] : ['ANTHROPIC_BASE_URL'])];
    expect(left.filter((name) => !harmless.includes(name))).toEqual([]);
  });
});

test('offline lanes tell every CLI that it may work there', () => {
  const agent = { script: '/script.json', log: '/calls.jsonl' };
  const env = simAttempt({ PATH: '/bin' }, tempFolder(), agent);
  expect(env.GEMINI_CLI_TRUST_WORKSPACE).toBe('true');
  // As root Claude Code refuses what ralph asks of it without this; nobody else needs it.
  expect(env.IS_SANDBOX).toBe(process.getuid?.() === 0 ? '1' : undefined);
});

test('stand-ins, which ask nobody, are spared the certificates that Node would read at each start', () => {
  const base = { PATH: '/bin', SSL_CERT_FILE: '/certificates', NODE_EXTRA_CA_CERTS: '/certificates' };
  const names = (lane: 'live' | 'scripted' | 'sim', pass: readonly string[] = []) =>
    Object.keys(laneEnvironment({ lane, base, pass })).filter((name) => name in base);
  expect(names('sim')).toEqual(['PATH', 'SSL_CERT_FILE']);
  expect(names('sim', ['NODE_EXTRA_CA_CERTS'])).toContain('NODE_EXTRA_CA_CERTS');
  for (const lane of ['live', 'scripted'] as const) expect(names(lane)).toContain('NODE_EXTRA_CA_CERTS');
});

test('in offline lanes Python runs a module as it is, though it was changed within the second', () => {
  const home = tempFolder();
  const agent = { script: '/script.json', log: '/calls.jsonl' };
  for (const env of [
    simAttempt({ PATH: '/bin' }, home, agent),
    scriptedAttempt(possible, { PATH: '/bin' }, home, URL_OF_MODEL),
  ])
    expect(env.PYTHONDONTWRITEBYTECODE).toBe('1');
});
