import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BACKEND_IDS } from '../../src/domain/backends.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';
import { writeFakeAgents } from '../support/fake-agents.js';

const ASKING = fileURLToPath(new URL('fixtures/asking-claude.cjs', import.meta.url));
const FILTERS = [
  '/^claude-(?:connect|single-iter|multi-iter|completion)$/',
  'max-iterations',
  'auth-failure',
  'backend-unavailable',
];

/** A folder with a claude that really asks a model, and a HOME of a user who is somebody. */
function arrange() {
  const cwd = tempFolder();
  const bin = join(cwd, 'bin');
  const home = join(cwd, 'home');
  for (const folder of [bin, home]) mkdirSync(folder);
  writeFileSync(join(bin, 'claude'), `#!${process.execPath}\n${readFileSync(ASKING, 'utf8')}`);
  chmodSync(join(bin, 'claude'), 0o755);
  writeFileSync(join(home, 'of-the-user'), '');
  const PATH = [bin, bareSystemPath()].join(delimiter);
  return {
    cwd,
    env: { PATH, HOME: home, ANTHROPIC_API_KEY: 'key-of-the-user', HTTP_PROXY: 'http://127.0.0.1:9' },
  };
}

const scripted = (...args: string[]) => ['--lane', 'scripted', '--ralph', 'embedded', '--json', ...args];

test('a CLI that asks our model passes, in a home of its own and without the credentials of the user', async () => {
  const { cwd, env } = arrange();
  const filters = FILTERS.flatMap((filter) => ['--filter', filter]);
  const { stdout, code } = await callCli(['claude', ...scripted(...filters)], { cwd, env });
  const report = reportSchema.parse(JSON.parse(stdout));
  expect(report.results.filter(({ passed }) => !passed)).toEqual([]);
  expect(report.summary.total).toBe(7);
  expect(code).toBe(0);
});

test('a prompt that no rule answers fails the scenario and says which', async () => {
  const { cwd, env } = arrange();
  const path = join(cwd, 'bin', 'claude');
  writeFileSync(path, readFileSync(path, 'utf8').replace('content: prompt', "content: 'Sing a song.'"));
  const { stdout, code } = await callCli(['claude', ...scripted('--filter', 'claude-connect')], { cwd, env });
  const [result] = reportSchema.parse(JSON.parse(stdout)).results;
  expect(JSON.stringify(result)).toMatch(/no rule in the agent script.*Sing a song/);
  const kept = join(result?.artifacts ?? '', 'unanswered-prompt.txt');
  expect(readFileSync(kept, 'utf8')).toBe('Sing a song.');
  expect(code).toBe(1);
});

test('what cannot run in this lane is skipped with its reason', async () => {
  const { cwd, env } = arrange();
  const fakes = writeFakeAgents(join(cwd, 'fakes'), 'adds numbers');
  const { stdout, code } = await callCli(['kiro', ...scripted('--filter', 'kiro-connect')], {
    cwd,
    env: { ...env, PATH: [fakes, env.PATH].join(delimiter) },
  });
  expect(stdout).toContain('cannot be pointed at another service');
  expect(code).toBe(2);
  const doctor = await callCli(['doctor', '--ralph', 'embedded', '--json'], { cwd, env });
  const { lanes } = JSON.parse(doctor.stdout);
  const backends = lanes.find(({ lane }: { lane: string }) => lane === 'scripted').backends;
  expect(backends.map(({ backend }: { backend: string }) => backend)).toEqual(BACKEND_IDS);
  expect(backends.slice(0, 6)).toMatchObject([
    {
      backend: 'claude',
      ready: true,
      version: '9.9.9 (Claude Code)',
      authentication: { detail: 'needs no login' },
    },
    { backend: 'kiro', ready: false, reason: expect.stringContaining('in no package registry') },
    { backend: 'opencode', ready: false, reason: 'opencode is not on PATH' },
    ...['codex', 'gemini', 'pi'].map((backend) => ({ backend, reason: `${backend} is not on PATH` })),
  ]);
});
