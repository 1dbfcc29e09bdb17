import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report.js';
import { readReport } from '../../src/harness.js';
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
      'changes it in place, with its length',
      `sed 's/"outcome":"failed"/"outcome":"passed"/' ${JOURNAL} > copy; cat copy > ${JOURNAL}`,
    ],
    ['replaces it', `grep -v attempt-finished ${JOURNAL} > copy; mv copy ${JOURNAL}`],
    [
      'drops the line of the failure',
      `grep -v '"outcome":"failed"' ${JOURNAL} > copy; cat copy > ${JOURNAL}`,
    ],
    ['appends a record of its own', `echo '{"type":"unheard-of"}' >> ${JOURNAL}`],
    ['removes it', `rm ${JOURNAL}`],
    ['puts a pipe in its place', `rm ${JOURNAL}; mkfifo $(dirname ../runs/*/.ralph-e2e-run)/journal.jsonl`],
    ['links it to a device', `ln -sf /dev/zero ${JOURNAL}`],
    ['puts a folder in its place', `j=${JOURNAL}; rm $j; mkdir -p $j/x`],
    ['removes the folder of the run', 'rm -rf ../runs/*'],
  ])('changes no verdict and is told: it %s', async (_name, deed) => {
    const { code, stdout, cwd } = await runModule(moduleWith(deed));
    expect(stdout).toContain('the journal was changed while the run went on');
    expect(code).toBe(1);
    const report = reportOf(cwd);
    expect(report.results.find(({ scenario_id }) => scenario_id === 'red')?.outcome).toBe('failed');
    expect(report.passed).toBe(false);
    // Written again from what the harness saw: a report that is made from it later tells the same.
    const journal = join(cwd, '.e2e-tests/runs', report.run_id, 'journal.jsonl');
    const { results, run_errors } = await readReport(journal);
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
      ln -s /dev/zero ../report.json`;
    const { code, cwd } = await runModule(moduleWith(deed).replace(/export default .*/, later));
    expect(code).toBe(1);
    const outcomes = reportOf(cwd).results.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['failed', 'passed', 'passed']);
    const again = ['claude', '--mock', '--ralph', 'embedded', '--scenarios', 'mine.mjs', '--filter', 'later'];
    expect((await runCli([...again, '--skip-analysis'], { cwd })).code).toBe(0);
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
  test.each([
    ['exits in arrange', 'const arrange = () => { process.exit(0); return ('],
    ['exits and hides it', 'const arrange = () => { try { process.exit(0); } catch {} return ('],
    ['throws "interrupted…"', "const arrange = () => { throw 'interrupted by the user'; return ("],
  ])('is an error of that scenario: it %s', async (_name, start) => {
    const body = `${start}{ config: loop({ maxIterations: 3 }), prompt: 'Do it.' }); };`;
    const { code, cwd } = await runModule(
      moduleWithCode((text) =>
        text
          .replace(
            /const arrange = .*/,
            (plain) => `${plain}\n${body.replace('const arrange', 'const spoilt')}`,
          )
          .replace(
            "id: 'red', description: 'Fails', arrange,",
            "id: 'red', description: 'Fails', arrange: spoilt,",
          ),
      ),
    );
    expect(code).toBe(2);
    const outcomes = reportOf(cwd).results.map(({ scenario_id, outcome }) => [scenario_id, outcome]);
    expect(outcomes).toEqual([
      ['red', 'error'],
      ['deed', 'passed'],
    ]);
  });

  test.each([
    ['in expect', 'expect: () => { process.exit(0); },'],
    ['in a check', 'expect: () => [{ ...completed(), judge: () => process.exit(0) }],'],
  ])('process.exit %s is an error of that scenario', async (_name, expectation) => {
    const { code, cwd } = await runModule(
      moduleWithCode((text) =>
        text.replace("expect: () => [completed(), fileContains('absent.txt', 'never')],", expectation),
      ),
    );
    expect(code).toBe(2);
    const [red] = reportOf(cwd).results;
    expect(red?.outcome).toBe('error');
    expect(red?.error).toContain('the scenario called process.exit(0)');
  });

  test.each([
    ['while the module is loaded', (text: string) => `process.exit(0);\n${text}`],
    ['from a timer', (text: string) => `${text}\nsetTimeout(() => process.exit(0), 0);`],
    [
      'from a promise',
      (text: string) =>
        text.replace(
          'const arrange = () => (',
          'const arrange = () => (Promise.resolve().then(() => process.exit(0)), ',
        ),
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

const GOOD =
  "scenario({ ...common, id: 'good', description: 'Good', arrange, expect: () => [completed()], agent: [onObjective('Do it').says('Done.').completes()] })";
const BASE = moduleWith('true').replace(/const red = [\s\S]*$/, '');

describe('a module that exports something else than scenarios', () => {
  test.each([
    [
      'a list within a list',
      `export const all = [[${GOOD}]];`,
      /all\[0\]: expected a scenario, found a list within a list/,
    ],
    [
      'an object of scenarios',
      `export const all = { good: ${GOOD} };`,
      /all: expected a scenario, found an object with good/,
    ],
    ['a map', `export const all = new Map([['good', ${GOOD}]]);`, /all: expected a scenario, found a Map/],
    ['a function', `export const make = () => ${GOOD};`, /make: expected a scenario, found a function/],
    [
      'a promise',
      `export const later = Promise.resolve(${GOOD});`,
      /later: expected a scenario, found a Promise/,
    ],
    ['nothing', 'export const missing = undefined;', /missing: expected a scenario, found undefined/],
    [
      'a definition',
      "export const plain = { id: 'x', arrange };",
      /plain: expected a scenario, found an object with id, arrange/,
    ],
    [
      'a copy without arrange',
      `const { arrange: arange, ...rest } = ${GOOD}; export const copy = { ...rest, arange };`,
      /copy: scenario "good": .*arrange/,
    ],
  ])('is refused by name before anything runs: %s', async (_name, text, wanted) => {
    const { code, stdout, stderr } = await runModule(
      `${BASE}\nexport const fine = ${GOOD.replace("'good'", "'fine'")};\n${text}`,
    );
    expect(stderr).toMatch(wanted);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stdout).not.toContain('Running');
    expect(code).toBe(2);
  });

  test('is taken as it is where it is CommonJS, or has a scenario twice', async () => {
    const cwd = tempFolder();
    const text = `const lib = import('${INDEX}');\nmodule.exports = lib.then((it) => it);`;
    writeFileSync(join(cwd, 'promise.cjs'), text);
    const refused = await runCli(['--mock', '--ralph', 'embedded', '--scenarios', 'promise.cjs'], { cwd });
    expect(refused.stderr).toMatch(/default: expected a scenario, found a Promise/);
    expect(refused.code).toBe(2);
    const twice = await runModule(`${BASE}\nexport const good = ${GOOD};\nexport const all = [good];`);
    expect(twice.code).toBe(0);
  });
});

describe('a scenario with a field that nobody knows, or of another type', () => {
  const field = (name: string, value: string) =>
    GOOD.replace("description: 'Good',", `description: 'Good', ${name}: ${value},`);
  test.each([
    ['a misspelt field', field('expct', '() => []'), /scenario "good": .*expct/],
    ['a time limit in words', field('timeoutSeconds', "'5'"), /scenario "good": timeoutSeconds: /],
    ['a time limit that is no number', field('timeoutSeconds', 'NaN'), /scenario "good": timeoutSeconds: /],
    ['iterations in words', field('expectedIterations', "'3'"), /scenario "good": expectedIterations: /],
    [
      'a known issue without a link',
      field('knownIssue', "{ upTo: '9.9.9', reason: 'r', link: null, breaks: ['completed'] }"),
      /scenario "good": knownIssue\.link: /,
    ],
    [
      'half a pressure factor',
      field('pressure', "[{ name: 'x' }]"),
      /scenario "good": pressure\.0\.description: /,
    ],
    ['programs as a word', field('programs', "'python3'"), /scenario "good": programs: /],
    [
      'an unknown companion',
      field('companions', "() => ['nope']"),
      /scenario "good": what companions returns: 0: /,
    ],
    [
      'a saboteur that kills nothing',
      field('saboteurs', "{ x: { agent: (s) => s, kills: [], failure: 'EventMissing' } }"),
      /scenario "good": saboteurs\.x\.kills: /,
    ],
    [
      'a misspelt field of the arrangement',
      GOOD.replace('arrange,', "arrange: () => ({ ...arrange(), promt: 'Do it.' }),"),
      /scenario "good": what arrange returns: .*promt/,
    ],
    [
      'no check at all',
      GOOD.replace('[completed()]', '[]'),
      /scenario "good": what expect returns: expected at least one check/,
    ],
    [
      'a check that is not called',
      GOOD.replace('[completed()]', '[completed]'),
      /scenario "good": what expect returns: 0: expected a check/,
    ],
    ['a text for checks', GOOD.replace('[completed()]', "''"), /scenario "good": what expect returns: /],
    [
      'a set of checks',
      GOOD.replace('[completed()]', 'new Set([completed()])'),
      /scenario "good": what expect returns: /,
    ],
  ])('is refused by name before anything runs: %s', async (_name, text, wanted) => {
    const { code, stdout, stderr } = await runModule(`${BASE}\nexport const good = ${text};`);
    expect(stderr).toMatch(wanted);
    expect(stderr).not.toMatch(/\n\s+at |has a bug/);
    expect(stdout).not.toContain('Running');
    expect(code).toBe(2);
  });

  test('expectations that are empty on one of its backends are refused', async () => {
    const uneven = GOOD.replace(
      '() => [completed()]',
      "({ backend }) => (backend === 'kiro' ? [] : [completed()])",
    );
    const text = `${BASE}\nexport const good = ${uneven.replace('...common,', "...common, backends: ['claude', 'kiro'],")};`;
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'mine.mjs'), text);
    const { code, stderr } = await runCli(['--mock', '--ralph', 'embedded', '--scenarios', 'mine.mjs'], {
      cwd,
    });
    expect(stderr).toMatch(/scenario "good": what expect returns: expected at least one check/);
    expect(code).toBe(2);
  });
});
