import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { bareSystemPath, runCli, tempFolder } from '../support/cli.js';
import { writePlayingAgents } from '../support/playing-agents.js';
import { requireProgram } from './programs.js';

const { RALPH_E2E_MUTANTS_CACHE, XDG_CACHE_HOME } = process.env;
const BUILDS = join(
  RALPH_E2E_MUTANTS_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'ralph-e2e', 'mutants'),
  'builds',
);

/** The newest build of a mutant, or null. `npm run mutants` builds them. */
function findMutant(id: string): string | null {
  if (!existsSync(BUILDS)) return null;
  const builds = readdirSync(BUILDS).map((name) => join(BUILDS, name, id, 'ralph'));
  const [newest] = builds.filter(existsSync).toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  return newest ?? null;
}

/** Records a live run, with CLIs that act as the real ones, and returns how to replay it. */
async function record(ralph: string, tests: readonly string[]) {
  const cwd = tempFolder();
  const agents = writePlayingAgents(join(cwd, 'agents'), ['claude']);
  const chosen = tests.flatMap((id) => ['--test', id]);
  const { code } = await runCli(['claude', '--ralph', ralph, '--yes', '-q', ...chosen], {
    cwd,
    env: { HOME: cwd, PATH: `${agents}:${bareSystemPath()}:/usr/bin:/bin`, IS_SANDBOX: '1' },
  });
  const replay = async (build: string) => {
    const env = { PATH: `${bareSystemPath()}:/usr/bin:/bin` };
    const replayed = await runCli(['replay', 'latest', '--ralph', build, '--json'], {
      cwd,
      env,
    });
    const { origin } = reportSchema.parse(JSON.parse(replayed.stdout));
    return {
      code: replayed.code,
      outcomes: origin?.tests.map(({ test: name, before, now }) => `${before} → ${now}: ${name}`),
    };
  };
  return { code, replay };
}

const GREEN = [
  'claude-connect',
  'claude-multi-iter',
  'required-events [claude]',
  'claude-events',
  'claude-backpressure',
  'claude-tool-use',
  'hat-multi-workflow [claude]',
  'hat-scratchpad [claude]',
  'memory-types [claude]',
  'tasks-ready-in-prompt [claude]',
];

test('ten green attempts on the real ralph replay green', async () => {
  const { code, replay } = await record(requireProgram('ralph'), GREEN);
  expect(code).toBe(0);
  const { code: replayed, outcomes = [] } = await replay(requireProgram('ralph'));
  expect(outcomes.toSorted()).toEqual(GREEN.map((name) => `passed → passed: ${name}`).toSorted());
  expect(replayed).toBe(0);
});

describe.each([
  ['history-summary-rows-lost', 'claude-single-iter', 'passed'],
  ['adapters-claude-stream-not-parsed', 'claude-connect', 'passed'],
  ['exit-codes-run-limit-lost', 'max-iterations [claude]', 'passed'],
  ['memories-inject-manual-ignored', 'memory-injection-manual [claude]', 'diverged'],
  ['tasks-blocked-not-shown', 'tasks-ready-in-prompt [claude]', 'diverged'],
])('an attempt that the mutant %s made red', (mutant, name, fixed) => {
  const ralph = findMutant(mutant);
  test.skipIf(ralph === null)(`replays red on it, and on the fixed ralph ${name} is ${fixed}`, async () => {
    const { code, replay } = await record(ralph ?? '', [name]);
    expect(code).toBe(1);
    expect(await replay(ralph ?? '')).toEqual({ code: 1, outcomes: [`failed → failed: ${name}`] });
    expect(await replay(requireProgram('ralph'))).toEqual({
      code: fixed === 'passed' ? 0 : 2,
      outcomes: [`failed → ${fixed}: ${name}`],
    });
  });
});
