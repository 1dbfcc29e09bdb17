// Runs the catalog on the build with no mutant on. It must pass, and it shows which scenarios run which changed code.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTempFolder } from '../harness.mjs';
import { runTests } from './run.mjs';

const LIMIT_MS = 2 * 60 * 60_000;

/** @typedef {{ scenario: string, backend: string, ids: string[] }} Trace */

/**
 * Runs the baseline on each backend, or finds the result of an earlier call.
 * @param {{ folder: string, catalog: string, backends: readonly string[], jobs: number, log: (line: string) => void }} options
 * @returns {Promise<Trace[]>}
 */
export async function traceBaseline({ folder, catalog, backends, jobs, log }) {
  /** @param {string} backend */
  const kept = (backend) => join(folder, `baseline-${catalog}-${backend}.json`);
  const missing = backends.filter((backend) => !existsSync(kept(backend)));
  if (missing.length > 0) {
    log(`running the catalog with no mutant on (${missing.join(', ')}) …`);
    const traces = await runBaseline(join(folder, 'baseline'), missing, jobs);
    for (const backend of missing) {
      const some = traces.filter((trace) => trace.backend === backend);
      writeFileSync(kept(backend), JSON.stringify(some));
    }
  }
  return backends.flatMap((backend) => JSON.parse(readFileSync(kept(backend), 'utf8')));
}

/**
 * Shows that these tests pass with no mutant on.
 * @param {{ folder: string, tests: readonly string[], jobs: number, log: (line: string) => void }} options `tests`: such as `hat-single [claude]`
 */
export async function checkBaseline({ folder, tests, jobs, log }) {
  const backends = [...new Set(tests.flatMap((test) => /\[(\w+)\]$/.exec(test)?.[1] ?? []))];
  log(`running ${tests.length} tests with no mutant on …`);
  await runGreen({ ralph: join(folder, 'baseline', 'ralph'), backends, tests, jobs });
}

/** @param {Pick<Parameters<typeof runTests>[0], 'ralph' | 'backends' | 'tests' | 'jobs' | 'output'>} options */
async function runGreen(options) {
  const { code, results, said } = await runTests({ ...options, bail: false, limitMs: LIMIT_MS });
  const red = results.filter(({ outcome }) => !['passed', 'known-issue', 'skipped'].includes(outcome));
  if (code === 0 && red.length === 0 && results.length > 0) return results;
  const names = red.map(({ scenario_id, backend }) => `${scenario_id} [${backend}]`);
  throw new Error(`The catalog is not green with no mutant on: ${names.join(', ')}\n${said.slice(-4000)}`);
}

/**
 * @param {string} folder
 * @param {readonly string[]} backends
 * @param {number} jobs
 */
async function runBaseline(folder, backends, jobs) {
  const notes = join(folder, 'passed.tsv');
  rmSync(notes, { force: true });
  const ralph = join(folder, 'ralph');
  return inTempFolder('ralph-baseline-', async (output) => {
    const results = await runGreen({ ralph, backends, tests: [], jobs, output });
    const tests = results
      .filter(({ outcome }) => outcome !== 'skipped')
      .map(({ scenario_id, backend }) => ({ scenario: scenario_id, backend }));
    return readTraces(readFileSync(notes, 'utf8'), join(output, 'e2e'), tests);
  });
}

/**
 * Reads which switches each test passed. What ran outside of any workspace counts for every test.
 * @param {string} notes lines of a folder, a tab and the id of a mutant
 * @param {string} root the folder of the workspaces
 * @param {readonly { scenario: string, backend: string }[]} tests
 * @returns {Trace[]}
 */
export function readTraces(notes, root, tests) {
  /** @type {Map<string, Set<string>>} */
  const byWorkspace = new Map();
  for (const line of new Set(notes.split('\n'))) {
    const [folder = '', id] = line.split('\t');
    if (id === undefined) continue;
    const workspace = folder.startsWith(`${root}/`)
      ? (folder.slice(root.length + 1).split('/')[0] ?? '')
      : '';
    byWorkspace.set(workspace, (byWorkspace.get(workspace) ?? new Set()).add(id));
  }
  const names = new Set(tests.flatMap((test) => namesOf(test)));
  const everywhere = [...byWorkspace].filter(([name]) => !names.has(name)).flatMap(([, ids]) => [...ids]);
  return tests.map(({ scenario, backend }) => {
    const own = namesOf({ scenario, backend }).flatMap((name) => [...(byWorkspace.get(name) ?? [])]);
    return { scenario, backend, ids: [...new Set([...own, ...everywhere])].sort() };
  });
}

/** @param {{ scenario: string, backend: string }} test */
function namesOf({ scenario, backend }) {
  return [`${scenario}-${backend}`, scenario];
}
