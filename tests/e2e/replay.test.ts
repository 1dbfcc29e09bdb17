import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordingSchema } from '../../src/domain/recording/recording.js';
import { type Report, reportSchema } from '../../src/domain/report/report.js';
import type { BackendId } from '../../src/domain/vocabulary.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';
import { writePlayingAgents, writeRalph } from '../support/playing-agents.js';

/** A folder with agent CLIs that act as real ones, and two builds of Ralph. */
function prepare(fault: string, backends: readonly BackendId[] = ['claude']) {
  const cwd = tempFolder();
  const agents = writePlayingAgents(join(cwd, 'agents'), backends);
  return {
    ...{ cwd, agents, backends },
    good: writeRalph(join(cwd, 'good-ralph')),
    bad: writeRalph(join(cwd, 'bad-ralph'), fault),
  };
}

/** Runs tests in the live lane, with the agents as the real CLIs. */
async function runLive(
  { cwd, agents, backends }: ReturnType<typeof prepare>,
  ralph: string,
  tests: readonly string[],
) {
  const chosen = tests.flatMap((id) => ['--test', id]);
  const { code, stdout } = await callCli([...backends, '--ralph', ralph, '--yes', '-q', ...chosen], {
    cwd,
    env: { HOME: cwd, PATH: `${agents}:${bareSystemPath()}`, IS_SANDBOX: '1' },
  });
  const [id = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
  return { code, stdout, id, folder: join(cwd, '.e2e-tests/runs', id) };
}

/** Where bwrap is found, and nothing that could be an agent CLI. */
const ENV = { PATH: `${bareSystemPath()}:/usr/bin:/bin` };

/** Replays in a sandbox. */
async function replay(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await callCli(['replay', ...args, '--json'], { cwd, env: ENV });
  return { code, report: code === null || stdout === '' ? null : parse(stdout), stderr };
}

const parse = (stdout: string): Report => reportSchema.parse(JSON.parse(stdout));
const outcomes = (report: Report | null) =>
  report?.origin?.tests.map(({ before, now, test: name }) => `${before} → ${now}: ${name}`);

const GREEN = [
  'claude-connect',
  'claude-single-iter',
  'claude-multi-iter',
  'claude-completion',
  'claude-events',
  'claude-tool-use',
  'hat-single [claude]',
  'memory-types [claude]',
  'tasks-ready-in-prompt [claude]',
  'max-iterations [claude]',
];

test('green attempts replay green, offline and without an agent CLI', async () => {
  const place = prepare('');
  const { code, stdout } = await runLive(place, place.good, GREEN);
  expect([code, stdout]).toEqual([0, expect.any(String)]);
  const replayed = await replay(place.cwd, 'latest', '--ralph', place.good);
  expect(outcomes(replayed.report)?.toSorted()).toEqual(
    GREEN.map((name) => `passed → passed: ${name}`).toSorted(),
  );
  expect(replayed.code).toBe(0);
  // Ids of tasks and memories were drawn again, and the agent used the new ones.
  expect(replayed.report).toMatchObject({
    lane: 'sim',
    origin: { kind: 'replay', lane: 'live' },
    spending: null,
  });
});

describe('an attempt that a fault of Ralph made red', () => {
  test.each([
    ['wrong-exit-code', 'claude-single-iter', 'passed'],
    ['ignore-completion', 'claude-connect', 'passed'],
    ['lose-memories', 'memory-types [claude]', 'diverged'],
    ['skip-memory-injection', 'memory-types [claude]', 'diverged'],
    ['leak-backend', 'claude-completion', 'passed'],
  ])('replays red with the fault (%s), and without it %s is %s', async (fault, name, fixed) => {
    const place = prepare(fault);
    const live = await runLive(place, place.bad, [name]);
    expect(live.code).toBe(1);
    const same = await replay(place.cwd, live.id, '--ralph', place.bad);
    expect([outcomes(same.report), same.code]).toEqual([[`failed → failed: ${name}`], 1]);
    const other = await replay(place.cwd, live.id, '--ralph', place.good);
    expect([outcomes(other.report), other.code]).toEqual([
      [`failed → ${fixed}: ${name}`],
      fixed === 'passed' ? 0 : 2,
    ]);
  });
});

test('a prompt that changed is a divergence that is shown, and never a pass', async () => {
  const place = prepare('bare-prompt');
  const live = await runLive(place, place.good, ['claude-connect']);
  const { report, code } = await replay(place.cwd, live.id, 'claude-connect', '--ralph', place.bad);
  expect(code).toBe(2);
  expect(report?.passed).toBe(false);
  expect(report?.origin?.tests).toEqual([
    {
      test: 'claude-connect',
      before: 'passed',
      now: 'diverged',
      because: expect.stringMatching(/^- .*ralph/m),
    },
  ]);
  expect(report?.results[0]?.fault?.whose).toBe('recording');
  expect(report?.verdict).toContain('record it again with a live run');
  const shown = await callCli(['replay', live.id, '--ralph', place.bad], { cwd: place.cwd, env: ENV });
  expect(shown.stdout).toMatch(
    /^passed → diverged: claude-connect\n {4}Where iteration 1 was recorded, the prompt differs/m,
  );
});

test('backends whose output does not tell their actions say that they cannot be replayed', async () => {
  const place = prepare('', ['kiro', 'opencode']);
  const live = await runLive(place, place.good, ['kiro-connect', 'opencode-connect']);
  expect(live.code).toBe(0);
  const { report, code } = await replay(place.cwd, live.id);
  expect(code).toBe(2);
  expect(
    report?.origin?.tests
      .map(({ now, because }) => [now, because])
      .toSorted()
      .toReversed(),
  ).toEqual([
    ['skipped', 'cannot be replayed: OpenCode does not say in its output what it does.'],
    ['skipped', 'cannot be replayed: Kiro does not say in its output what it does.'],
  ]);
});

describe('a recording', () => {
  test('is enough to replay its attempt somewhere else, and a changed one of a run is not played', async () => {
    const place = prepare('');
    const live = await runLive(place, place.good, ['claude-tool-use']);
    const path = join(live.folder, 'claude-tool-use-claude/1/recording.json');
    const recording = recordingSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    expect(recording).toMatchObject({ scenarioId: 'claude-tool-use', obstacles: [], runId: live.id });
    const elsewhere = tempFolder();
    writeFileSync(join(elsewhere, 'mailed.json'), JSON.stringify(recording));
    const mailed = await replay(elsewhere, 'mailed.json', '--ralph', place.good);
    expect([mailed.code, outcomes(mailed.report)]).toEqual([0, ['null → passed: claude-tool-use']]);
    // Pasted anywhere, the command that repeats it does the same.
    const [, ...words] = mailed.report?.results[0]?.repeat_command.split(' ') ?? [];
    expect(words.slice(words.indexOf('replay'))).toEqual([
      ...['replay', join(elsewhere, 'mailed.json'), '--ralph', place.good],
    ]);
    const again = await replay(elsewhere, ...words.slice(words.indexOf('replay') + 1));
    expect(outcomes(again.report)).toEqual(outcomes(mailed.report));
    appendFileSync(path, ' ');
    const changed = await replay(place.cwd, live.id);
    expect(changed.code).toBe(2);
    expect(changed.report?.origin?.tests[0]?.because).toContain('found a changed one');
  });

  test('of a run in another lane does not exist', async () => {
    const cwd = tempFolder();
    await callCli(['claude', '--mock', '--ralph', 'embedded', '--test', 'claude-connect', '-q'], { cwd });
    const { code, stderr } = await replay(cwd, 'latest');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/ran in the sim lane: expected a live run/)]);
  });
});

test('the folder of replays is cleaned with the rest', async () => {
  const place = prepare('');
  await runLive(place, place.good, ['claude-connect']);
  await replay(place.cwd, 'latest');
  await callCli(['regrade', 'latest'], { cwd: place.cwd });
  const { stdout } = await callCli(['clean'], { cwd: place.cwd });
  expect(stdout).not.toContain('did not make it');
  expect(readdirSync(place.cwd)).not.toContain('.e2e-tests');
});
