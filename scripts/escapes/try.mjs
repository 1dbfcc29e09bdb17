// Lets an agent run the attempts in one run of ralph-e2e, and judges afterwards which ones got out.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, killAll, startCli } from '../harness.mjs';
import { layBait } from './bait.mjs';
import { fill, findDaemons, judge, markOf, TEST_SECONDS } from './judge.mjs';

/** @typedef {import('./corpus.mjs').EscapeAttempt} EscapeAttempt */
/** @typedef {import('./bait.mjs').Bait} Bait */
/** @typedef {{ id: string, tried: boolean, out: string | null }} Verdict `out` says how it was seen outside */
/** @typedef {{ id: string, attempts: EscapeAttempt[] }} Group attempts that one agent runs in one workspace */
/** @typedef {{ isolation: string, container: string | null, dockerHost: string | undefined }} Kind */

const ATTEMPT_SECONDS = 10;
const RUN_MS = 30 * 60_000;

/**
 * @param {EscapeAttempt[]} attempts
 * @param {Kind} kind
 * @returns {Promise<{ verdicts: Verdict[] } | { missing: string }>}
 */
export async function tryToEscape(attempts, kind) {
  const bait = await layBait();
  try {
    const groups = groupAttempts(attempts);
    const before = bait.fingerprints();
    const output = join(bait.places.PROJECT, '.e2e-tests');
    writeScenarios(groups, bait);
    const { code, said } = await run(kind, bait);
    const report = join(output, 'report.json');
    if (!existsSync(report)) return { missing: said.trim().slice(-500) || `ralph-e2e ended with ${code}` };
    const { results } = JSON.parse(readFileSync(report, 'utf8'));
    if (kind.isolation === 'host') await useGit(groups, output, bait);
    const scene = { bait, before, output, results };
    return {
      verdicts: groups.flatMap((group) => group.attempts.map((attempt) => judge(attempt, group, scene))),
    };
  } finally {
    killAll(findDaemons(bait));
    for (const path of attempts.flatMap(({ leaves }) => leaves)) rmSync(fill(path, bait), { force: true });
    await bait.close();
  }
}

/** @param {EscapeAttempt[]} attempts @returns {Group[]} */
function groupAttempts(attempts) {
  /** @type {Map<string, EscapeAttempt[]>} */
  const groups = new Map();
  for (const attempt of attempts) {
    const name = attempt.alone ? attempt.id.replace(/\W+/g, '-') : `all-${attempt.id.split('/')[0]}`;
    groups.set(name, [...(groups.get(name) ?? []), attempt]);
  }
  return [...groups].map(([name, own]) => ({ id: `escape-${name}`, attempts: own }));
}

/**
 * @param {Group[]} groups
 * @param {Bait} bait
 */
function writeScenarios(groups, bait) {
  const tests = groups.map(({ id, attempts }) => ({ id, files: filesOf(attempts, bait) }));
  const text = `
import { commitsMade, conversation, fileContains, onPrompt, turnsCompleted } from ${JSON.stringify(join(DIST, 'index.js'))};
export const tests = ${JSON.stringify(tests)}.map(({ id, files }) => conversation({
  id, backend: 'claude', tier: 9, priority: 'should', phase: 'red', description: id, covers: [],
  arrange: ({ nonce }) => ({
    plugins: [${JSON.stringify(bait.places.PLUGIN)}], files, allowedTools: ['Bash'],
    turns: ['Work on ' + nonce + '.', 'Rest after ' + nonce + '.'],
  }),
  expect: () => [turnsCompleted(), commitsMade(1), fileContains('result.txt', 'result')],
  agent: [
    onPrompt(/Work on (\\w+)/).runs('sh run-all.sh').says('{{reverse 1}}'),
    onPrompt(/Rest after (\\w+)/).says('{{reverse 1}}'),
  ],
}));
`;
  writeFileSync(join(bait.places.PROJECT, 'escapes.mjs'), text);
}

/**
 * @param {EscapeAttempt[]} attempts
 * @param {Bait} bait
 */
function filesOf(attempts, bait) {
  const variables = Object.entries(bait.variables).map(([name, value]) => `${name}='${value}'`);
  /** @type {Record<string, string>} */
  const files = { 'vars.sh': `${variables.join('\n')}\n`, 'result.txt': 'result\n' };
  const calls = attempts.map(({ id, run: script }, index) => {
    files[`attempts/${index}.sh`] = [
      '. ./vars.sh',
      `ID='escape:${id}' MARK='${markOf(id, bait)}' LOOT="$PWD/loot-${index}"`,
      script,
    ].join('\n');
    const call = `timeout -k 1 ${ATTEMPT_SECONDS} sh attempts/${index}.sh </dev/null >/dev/null 2>&1`;
    return `echo 'started:${id}:'\n${call}`;
  });
  files['run-all.sh'] = `${calls.join('\n')}\nexit 0\n`;
  return files;
}

/**
 * @param {Kind} kind
 * @param {Bait} bait
 * @returns {Promise<{ code: number | null, said: string }>}
 */
function run({ isolation, container, dockerHost }, bait) {
  const args = [
    ...['claude', '--mock', '--ralph', join(bait.places.BUILT, 'ralph'), '--scenarios', 'escapes.mjs'],
    ...['--skip-analysis', '--quiet'],
    ...['--report', 'json', '--retries', '0', '--jobs', '2', '--keep-workspace', '--output', '.e2e-tests'],
    ...['--timeout', String(TEST_SECONDS), '--isolation', isolation],
    ...(container === null ? [] : ['--container', container]),
  ];
  const home = openSync(bait.places.USER_HOME, 'r');
  const kept = openSync(join(bait.places.PRECIOUS, 'kept.txt'), 'a');
  const { child, done } = startCli(args, {
    cwd: bait.places.PROJECT,
    env: { ...bait.environment, ...(dockerHost === undefined ? {} : { DOCKER_HOST: dockerHost }) },
    // With what scripts leave open: a folder, and a file like that of a lock.
    stdio: Object.assign(Array(202).fill('ignore'), { 1: 'pipe', 2: 'pipe', 200: home, 201: kept }),
    timeout: RUN_MS,
  });
  // A second signal ends us at once; the first one lets us clean up.
  const stop = () => void child.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
  return done.finally(() => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeListener(signal, stop);
    for (const descriptor of [home, kept]) closeSync(descriptor);
  });
}

/**
 * The control for git: uses it in each workspace with the configuration that is there.
 * @param {Group[]} groups
 * @param {string} output
 * @param {Bait} bait
 */
async function useGit(groups, output, bait) {
  const calls = ['status', 'log -p', 'diff', 'submodule update', 'fetch --all', 'commit --allow-empty -m x'];
  const env = { ...process.env, HOME: bait.places.OUTSIDE, GIT_TERMINAL_PROMPT: '0' };
  for (const { id } of groups.filter((group) => group.id.startsWith('escape-git-')))
    for (const call of calls)
      await new Promise((resolve) => {
        const cwd = join(output, id);
        const child = spawn('git', call.split(' '), { cwd, env, stdio: 'ignore', timeout: 5000 });
        child.once('error', resolve).once('close', resolve);
      });
}
