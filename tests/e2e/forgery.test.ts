import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { readReport } from '../../src/harness/harness.js';
import { runCli, tempFolder } from '../support/cli.js';

const INDEX = new URL('../../dist/index.js', import.meta.url).href;

/** Two scenarios: one that fails, then one whose agent does something to the folders of the run and passes. */
function moduleWith(deed: string): string {
  return `
import { completed, fileContains, loop, onObjective, scenario } from '${INDEX}';

const common = { tier: 2, priority: 'must', phase: 'green', covers: [], backends: ['claude'] };
const arrange = () => ({ config: loop({ maxIterations: 3 }), prompt: 'Do it.' });

const red = scenario({
  ...common, id: 'red', description: 'Fails', arrange,
  expect: () => [completed(), fileContains('absent.txt', 'never')],
  agent: [onObjective('Do it').says('Done.').completes()],
});
const deed = scenario({
  ...common, id: 'deed', description: 'Tampers', arrange,
  expect: () => [completed()],
  agent: [onObjective('Do it').runs(${JSON.stringify(deed)}).says('Done.').completes()],
});
export default [red, deed];
`;
}

async function runModule(text: string, extra: readonly string[] = []) {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'mine.mjs'), text);
  const args = ['claude', '--mock', '--ralph', 'embedded', '--scenarios', 'mine.mjs'];
  const run = await runCli([...args, '--skip-analysis', '-j', '1', ...extra], { cwd });
  return { ...run, cwd };
}

function reportOf(cwd: string) {
  return reportSchema.parse(JSON.parse(readFileSync(join(cwd, '.e2e-tests/report.json'), 'utf8')));
}

const JOURNAL = '$(echo ../runs/*/journal.jsonl)';

describe('an agent that rewrites the journal', () => {
  test.each([
    ['truncates it', `: > ${JOURNAL}`],
    ['turns failures into passes', `sed -i 's/"outcome":"failed"/"outcome":"passed"/' ${JOURNAL}`],
    [
      'drops the line of the failure',
      `grep -v '"outcome":"failed"' ${JOURNAL} > copy; cat copy > ${JOURNAL}`,
    ],
  ])('changes no verdict and is told: it %s', async (_name, deed) => {
    const { code, stdout, cwd } = await runModule(moduleWith(deed));
    expect(stdout).toContain('the journal was changed while the run went on');
    expect(code).toBe(1);
    const report = reportOf(cwd);
    expect(report.results.find(({ scenario_id }) => scenario_id === 'red')?.outcome).toBe('failed');
    expect(report.passed).toBe(false);
    // Written again from what the harness saw: a report that is made from it later tells the same.
    const journal = join(cwd, '.e2e-tests/runs', report.run_id, 'journal.jsonl');
    const { results, run_errors } = await readReport(journal, []);
    expect(results.map(({ outcome }) => outcome)).toEqual(report.results.map(({ outcome }) => outcome));
    expect(run_errors).toEqual(report.run_errors);
    expect(run_errors).toHaveLength(1);
  });

  test('leaves no green run, even if nothing had failed', async () => {
    const { code, stdout, cwd } = await runModule(moduleWith(`echo >> ${JOURNAL}`), ['--filter', 'deed']);
    expect(stdout).toContain('💥 ERROR: the journal was changed while the run went on');
    expect(code).toBe(2);
    expect(reportOf(cwd)).toMatchObject({ passed: false, summary: { passed: 1, failed: 0 } });
    const [run = ''] = readdirSync(join(cwd, '.e2e-tests/runs'));
    const beside = readdirSync(join(cwd, '.e2e-tests/runs', run));
    expect(beside.filter((name) => name.startsWith('journal.changed-'))).toHaveLength(1);
  });
});

describe('an agent that puts pipes and devices in the place of our files', () => {
  const later =
    "const later = scenario({ ...common, id: 'later', description: 'Later', arrange, expect: () => [completed()], agent: [onObjective('Do it').says('Done.').completes()] });\nexport default [red, deed, later];";

  test('neither hangs the run, nor the next one, nor makes it green', async () => {
    const deed = `
      run=$(dirname ../runs/*/.ralph-e2e-run)
      mkdir -p $run/later-claude/1
      mkfifo $run/deed-claude/1/evidence.json $run/later-claude/1/agent-script.json $run/summary.json
      mkfifo ../report.md ../prove.json
      echo >> $run/journal.jsonl; rm $run/.ralph-e2e-run; mkfifo $run/.ralph-e2e-run
      ln -s /dev/zero ../report.json`;
    const { code, cwd } = await runModule(moduleWith(deed).replace(/export default .*/, later));
    expect(code).toBe(1);
    const outcomes = reportOf(cwd).results.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['failed', 'passed', 'passed']);
    const again = ['claude', '--mock', '--ralph', 'embedded', '--scenarios', 'mine.mjs', '--filter', 'later'];
    expect((await runCli([...again, '--skip-analysis'], { cwd })).code).toBe(0);
  });

  test('a folder in the place of a report does not hide the verdict', async () => {
    const { code, stdout, stderr } = await runModule(moduleWith('mkdir -p ../report.json/x'));
    expect(stdout).toContain('🔴 FAILED: 1 of 2 tests failed');
    expect(stderr).toMatch(/^error: Could not write all reports of the run: .*report\.json/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });

  test('a file in the place of an attempt is an error of that attempt', async () => {
    const deed = 'echo > $(dirname ../runs/*/.ralph-e2e-run)/later-claude';
    const { code, cwd } = await runModule(moduleWith(deed).replace(/export default .*/, later));
    expect(reportOf(cwd).results.map(({ outcome }) => outcome)).toEqual(['failed', 'passed', 'error']);
    expect(code).toBe(1);
  });

  test('an endless call log is an error of that attempt', async () => {
    const deed = 'f=$(echo ../runs/*/deed-claude/1/agent-calls.jsonl); rm $f; ln -s /dev/zero $f';
    const { code, cwd } = await runModule(moduleWith(deed), ['--filter', 'deed', '--timeout', '20s']);
    expect(code).not.toBe(0);
    expect(reportOf(cwd).results[0]?.outcome).not.toBe('passed');
  });
});

/** A scenario that passes beside one whose author's code does something. */
function moduleWithCode(change: (text: string) => string): string {
  return change(moduleWith('true'));
}

describe('code of a scenario that ends the process, or speaks of an interrupt', () => {
  test('is an error of that scenario, wherever it is, and the others run', async () => {
    const spoilt = `
const make = (id, parts) => scenario({ ...common, id, description: id, arrange, expect: () => [completed()], agent: [onObjective('Do it').says('Done.').completes()], ...parts });
const plan = arrange();
export default [
  make('exits-in-arrange', { arrange: () => { process.exit(0); } }),
  make('exits-and-hides-it', { arrange: () => { try { process.exit(0); } catch {} return plan; } }),
  make('throws-interrupted', { arrange: () => { throw 'interrupted by the user'; } }),
  make('exits-in-expect', { expect: () => { process.exit(0); } }),
  make('exits-in-a-check', { expect: () => [{ ...completed(), judge: () => process.exit(0) }] }),
  make('empties-the-evidence', { expect: () => [{ ...completed(), judge: (e) => { e.filesAbsent = []; e.files.length = 0; return { passed: true, expected: '', actual: '' }; } }] }),
  make('misspelt-at-second-sight', { arrange: () => { if (!globalThis.seen) { globalThis.seen = true; throw new Error('first'); } return { ...plan, befor: [] }; } }),
  make('sound', {}),
];`;
    const { code, cwd } = await runModule(
      moduleWithCode((text) => text.replace(/export default .*/, () => spoilt)),
    );
    expect(code).toBe(2);
    const { results } = reportOf(cwd);
    expect(results.map(({ scenario_id, outcome }) => [scenario_id, outcome])).toEqual([
      ['exits-in-arrange', 'error'],
      ['exits-and-hides-it', 'error'],
      ['throws-interrupted', 'error'],
      ['exits-in-expect', 'error'],
      ['exits-in-a-check', 'error'],
      ['empties-the-evidence', 'error'],
      ['misspelt-at-second-sight', 'error'],
      ['sound', 'passed'],
    ]);
    const told = results.filter(({ error }) => error?.includes('the scenario called process.exit(0)'));
    expect(told.map(({ scenario_id }) => scenario_id)).toEqual([
      'exits-in-arrange',
      'exits-and-hides-it',
      'exits-in-expect',
      'exits-in-a-check',
    ]);
  });

  test.each([
    ['while the module is loaded', (text: string) => `process.exit(0);\n${text}`],
    [
      'from a timer, without our listeners',
      (text: string) => `${text}\nprocess.removeAllListeners('exit'); setTimeout(() => process.exit(0), 0);`,
    ],
    [
      'by an exception in a timer',
      (text: string) => `${text}\nsetTimeout(() => { throw new Error('late'); }, 0);`,
    ],
  ])('the exit code is 2 until the end is reached: process.exit(0) %s', async (_name, change) => {
    const { code } = await runModule(moduleWithCode(change));
    expect(code).toBe(2);
  });

  test('a listener that a scenario leaves does not change the exit code of the run', async () => {
    const { code } = await runModule(
      moduleWithCode((text) => `${text}\nprocess.on('exit', () => { process.exitCode = 0; });`),
    );
    expect(code).toBe(1);
  });
});
