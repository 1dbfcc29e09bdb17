// Runs scenarios on a mutant until one of them notices it, and judges whether its diagnosis leads to the mutant.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCli } from '../harness.mjs';
import { backendsFor, isLikely } from './areas.mjs';

/** @typedef {{ id: string, area: string, file: string }} Mutant */
/** @typedef {'right' | 'vague' | 'misleading'} Judgment */
/** @typedef {{ rule: string, failure_type: string, blames: string, areas: string[], root_cause_hypothesis: string, suggested_investigations: string[], potential_fixes: { description: string, file_to_modify: string | null }[] }} Diagnosis */
/** @typedef {{ scenario_id: string, backend: string, outcome: string, inconclusive: boolean, duration_seconds: number, error: unknown, assertions: { key: string, passed: boolean }[], diagnosis: Diagnosis | null }} TestResult */
/** @typedef {{ status: 'noticed' | 'survived' | 'inconclusive', tried: number, test: string | null, check: string | null, diagnosis: { judgment: Judgment, rule: string, blames: string, areas: string[] } | null }} Verdict */
/** @typedef {(backend: string) => string[] | Promise<string[]>} Reached which scenarios run the changed code, by backend; asked only if the last test does not notice the mutant */

/** A mutant that hangs Ralph ends at this limit, in the test that noticed it. No scenario takes nearly as long. */
const TEST_LIMIT_SECONDS = 60;
const MUTANT_LIMIT_MS = 20 * 60_000;

/** In these runs the agent, its login and its service are our own script, so none of them is at fault. */
const INNOCENT = new Set(['agent', 'infrastructure', 'authentication', 'quota', 'harness']);

/** @type {Set<ReturnType<typeof startCli>>} */
const running = new Set();

/** Ends everything that runs, and waits until it has cleaned up. */
export async function stopAll() {
  for (const { child } of running) child.kill('SIGTERM');
  await Promise.all([...running].map(({ done }) => done));
}

/**
 * Runs tests in one call of ralph-e2e and returns their results.
 * @param {{ ralph: string, backends: readonly string[], tests: readonly string[], jobs: number, bail: boolean, output?: string, limitMs?: number }} options
 * @returns {Promise<{ code: number | null, results: TestResult[], said: string }>}
 */
export async function runTests({ ralph, backends, tests, jobs, bail, output, limitMs = MUTANT_LIMIT_MS }) {
  const folder = output ?? mkdtempSync(join(tmpdir(), 'ralph-mutant-'));
  const args = [
    ...backends,
    ...['--mock', '--ralph', ralph, '--skip-analysis', '--quiet', '--report', 'json'],
    // A failure counts only if it happens twice.
    ...['--retries', '1', '--timeout', String(TEST_LIMIT_SECONDS), '--jobs', String(jobs)],
    ...['--output', join(folder, 'e2e')],
    ...(tests.length === 0 ? ['--suite', 'ralph'] : tests.flatMap((id) => ['--test', id])),
    ...(bail ? ['--bail'] : []),
  ];
  try {
    const call = startCli(args, { timeout: limitMs });
    running.add(call);
    const { code, said } = await call.done.finally(() => running.delete(call));
    const report = join(folder, 'e2e', 'report.json');
    const results = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).results : [];
    return { code, results, said };
  } finally {
    if (output === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Tries a mutant: first the test that noticed it the last time, then the likeliest scenarios, then the others that run
 * the changed code, on each backend in turn.
 * @param {Mutant} mutant
 * @param {{ ralph: string, jobs: number, reached: Reached, last?: string | null, run?: typeof runTests }} options
 * @returns {Promise<Verdict>}
 */
export async function tryMutant(mutant, { ralph, jobs, reached, last = null, run = runTests }) {
  const deadline = Date.now() + MUTANT_LIMIT_MS;
  let tried = 0;
  let doubtful = null;
  for await (const { backend, tests } of inTurn(mutant, reached, last)) {
    let left = tests;
    while (left.length > 0) {
      const limitMs = deadline - Date.now();
      if (limitMs <= 0)
        throw new Error(`${mutant.id}: no verdict within ${MUTANT_LIMIT_MS / 60_000} minutes`);
      const { code, results, said } = await run({
        ralph,
        backends: [backend],
        tests: left,
        jobs,
        bail: true,
        limitMs,
      });
      const refused = /is not Ralph: .*/.exec(said)?.[0];
      if (refused !== undefined) return noticed(tried, '`ralph --version`', refused, null, mutant);
      const done = results.filter(({ outcome }) => outcome !== 'skipped');
      tried += done.length;
      const failed = done.find(({ outcome, inconclusive }) => outcome === 'failed' && !inconclusive);
      if (failed !== undefined) return describe(failed, tried, mutant);
      const unclear = done.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'known-issue');
      doubtful ??= unclear[0] ?? null;
      // Without --bail's reason to stop, everything has run; with it, the others have not.
      const ran = new Set(done.map(({ scenario_id }) => scenario_id));
      const next = unclear.length === 0 ? [] : left.filter((id) => !ran.has(id));
      if (unclear.length === 0 && code !== 0)
        throw new Error(
          `${mutant.id}: ralph-e2e exited with ${code} and no failed test:\n${said.slice(-2000)}`,
        );
      left = next;
    }
  }
  if (doubtful === null) return { status: 'survived', tried, test: null, check: null, diagnosis: null };
  return { ...describe(doubtful, tried, mutant), status: 'inconclusive' };
}

/**
 * What to run, one call after the other.
 * @param {Mutant} mutant
 * @param {Reached} reached
 * @param {string | null} last
 */
async function* inTurn(mutant, reached, last) {
  const backends = backendsFor(mutant);
  for (const backend of backends) {
    const id = last?.endsWith(nameOf('', backend)) ? last.slice(0, -nameOf('', backend).length) : null;
    if (id !== null) yield { backend, tests: [id] };
  }
  for (const backend of backends) {
    const all = (await reached(backend)).filter((id) => nameOf(id, backend) !== last);
    const likely = all.filter((id) => isLikely(mutant.area, id));
    yield { backend, tests: likely };
    yield { backend, tests: all.filter((id) => !likely.includes(id)) };
  }
}

/**
 * @param {string} scenario
 * @param {string} backend
 */
function nameOf(scenario, backend) {
  return `${scenario} [${backend}]`;
}

/**
 * @param {TestResult} result
 * @param {number} tried
 * @param {Mutant} mutant
 * @returns {Verdict}
 */
function describe({ scenario_id, backend, assertions, diagnosis }, tried, mutant) {
  // Its sentence has random words in it, its key has not.
  const check = assertions.find(({ passed }) => !passed)?.key ?? null;
  return noticed(tried, nameOf(scenario_id, backend), check, diagnosis, mutant);
}

/**
 * @param {number} tried
 * @param {string} test
 * @param {string | null} check
 * @param {Diagnosis | null} diagnosis
 * @param {Mutant} mutant
 * @returns {Verdict}
 */
function noticed(tried, test, check, diagnosis, mutant) {
  const judgment = judgeDiagnosis(diagnosis, mutant);
  const { rule = 'none', blames = 'unknown', areas = [] } = diagnosis ?? {};
  return { status: 'noticed', tried, test, check, diagnosis: { judgment, rule, blames, areas } };
}

/**
 * Right: it names the area or the file. Vague: it names none. Misleading: it names others, or blames the agent.
 * @param {Diagnosis | null} diagnosis
 * @param {{ area: string, file: string }} mutant
 * @returns {Judgment}
 */
export function judgeDiagnosis(diagnosis, { area, file }) {
  if (diagnosis === null) return 'vague';
  if (INNOCENT.has(diagnosis.blames)) return 'misleading';
  const files = filesIn(diagnosis);
  if (files.includes(file) || diagnosis.areas.includes(area)) return 'right';
  return diagnosis.areas.length + files.length === 0 ? 'vague' : 'misleading';
}

/** @param {Diagnosis} diagnosis */
function filesIn({ root_cause_hypothesis, suggested_investigations, potential_fixes }) {
  const fixes = potential_fixes.flatMap(({ description, file_to_modify }) => [
    description,
    file_to_modify ?? '',
  ]);
  const text = [root_cause_hypothesis, ...suggested_investigations, ...fixes].join('\n');
  return [...text.matchAll(/ralph-(?:core|cli|adapters|proto)\/src\/[\w/]+\.rs/g)].map(([path]) => path);
}
