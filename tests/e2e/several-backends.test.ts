import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT, exitCodeOf } from '../../src/cli/exit-codes.js';
import { readBackends } from '../../src/cli/input/read-backends.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { BACKEND_IDS, PRIMARY_BACKENDS } from '../../src/domain/vocabulary.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { journal, type RunStory, readiness } from '../report/support/journal.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';
import { type Behaviour, writeFakeAgents } from '../support/fake-agents.js';

describe('naming backends', () => {
  test.each([
    [[], { backends: PRIMARY_BACKENDS, named: [] }],
    [['all'], { backends: PRIMARY_BACKENDS, named: [] }],
    [['all', 'all'], { backends: PRIMARY_BACKENDS, named: [] }],
    [['pi'], { backends: ['pi'], named: ['pi'] }],
    [['opencode', 'claude', 'opencode'], { backends: ['claude', 'opencode'], named: ['claude', 'opencode'] }],
    [[...BACKEND_IDS].reverse(), { backends: BACKEND_IDS, named: BACKEND_IDS }],
  ])('%j', (words, choice) => {
    expect(readBackends(words)).toEqual(choice);
  });

  test('"all" beside a name, an unknown and an empty one are refused', () => {
    expect(() => readBackends(['codex', 'all'])).toThrow('"all" and codex: expected "all" alone');
    expect(() => readBackends(['claude', 'cluade'])).toThrow('Unknown backend "cluade"');
    expect(() => readBackends(['claude', ''])).toThrow('Unknown backend ""');
    expect(() => readBackends(['claude', 'doctor'])).toThrow('Unknown backend "doctor"');
  });

  test.each([
    ['claud', 'Did you mean claude?'],
    ['cluade', 'Did you mean claude?'],
    ['clod', 'Did you mean claude?'],
    [
      'hat-single',
      'To choose tests: --filter hat-single (part of an id) or --test hat-single (a whole id). Commands: doctor, prove, show, sim, mcp.',
    ],
    ['doctr', 'Did you mean doctor?'],
    ['proov', 'Did you mean prove?'],
    ['Kiro', 'Did you mean kiro?'],
    ['doctor', 'doctor is a command and comes first: `ralph-e2e doctor …`.'],
    ['claude,kiro', 'Separate backends with spaces, not commas.'],
  ])('what is said about %s', (word, hint) => {
    const commands = ['doctor', 'prove', 'show', 'sim', 'mcp'];
    expect(() => readBackends([word], { commands })).toThrow(expect.objectContaining({ hint }));
  });
});

test('several run, each once, in whatever order they are named', async () => {
  const { code, stdout } = await callCli(
    ['opencode', 'claude', 'opencode', '--mock', '--json', '--filter', 'max-iterations'],
    { cwd: tempFolder() },
  );
  const report = reportSchema.parse(JSON.parse(stdout));
  expect(report.results.map(({ scenario_id, backend }) => [scenario_id, backend])).toEqual([
    ['max-iterations', 'claude'],
    ['max-iterations', 'opencode'],
  ]);
  expect(report).toMatchObject({
    passed: true,
    backends_named: ['claude', 'opencode'],
    backends_untested: [],
  });
  expect(code).toBe(0);
});

describe('a named backend on which nothing is selected', () => {
  test.each([
    ['a run', ['claude', 'opencode', '--mock', '--filter', 'claude-connect']],
    ['--list', ['claude', 'opencode', '--mock', '--filter', 'claude-connect', '--list']],
    ['a proof', ['prove', 'claude', 'opencode', '--filter', 'claude-connect']],
  ])('%s ends with a sentence before anything runs', async (_what, args) => {
    const cwd = tempFolder();
    const { code, stdout, stderr } = await callCli(args, { cwd });
    expect(stderr).toMatch(
      /You named opencode, but no scenario that matches "claude-connect" runs on it in the sim lane\.\nLeave out opencode/,
    );
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('is fine with --last-failed: what passed there need not run again', async () => {
    const cwd = tempFolder();
    const filter = ['--filter', '/^(?:claude|opencode)-connect$/'];
    const broken = { RALPH_STANDIN_FAULT: 'wrong-exit-code' };
    await callCli(['claude', '--mock', '--filter', 'claude-connect', '--env', 'RALPH_STANDIN_FAULT'], {
      cwd,
      env: broken,
    });
    const { code, stdout } = await callCli(
      ['claude', 'opencode', '--mock', '--json', '--last-failed', ...filter],
      { cwd },
    );
    expect(reportSchema.parse(JSON.parse(stdout))).toMatchObject({
      passed: true,
      backends_named: ['claude'],
      summary: { total: 1 },
    });
    expect(code).toBe(0);
  });
});

describe('a named backend that cannot be used', () => {
  /** A live run with fakes for all CLIs but Kiro's. */
  const run = async (names: readonly string[], behaviour: Behaviour = 'adds numbers') => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), behaviour);
    rmSync(join(bin, 'kiro-cli'));
    const filter = ['--filter', '/^(?:claude|kiro)-connect$/'];
    const result = await callCli([...names, '--ralph', 'embedded', '--json', ...filter], {
      cwd,
      env: { PATH: `${bin}:${bareSystemPath()}`, RALPH_STANDIN_TIME_SCALE: '0.01' },
    });
    return { ...result, cwd, report: reportSchema.parse(JSON.parse(result.stdout)) };
  };
  const SENTENCE = 'kiro was named and could not be tested: kiro-cli is not on PATH';

  test('makes the run exit 2 although the others passed, and all outputs say why', async () => {
    const { code, stderr, report, cwd } = await run(['claude', 'kiro']);
    expect(report.results.map(({ backend, outcome }) => [backend, outcome])).toEqual([
      ['claude', 'passed'],
      ['kiro', 'skipped'],
    ]);
    expect(report.passed).toBe(false);
    expect(report.backends_untested).toEqual([{ backend: 'kiro', reason: 'kiro-cli is not on PATH' }]);
    expect(report.verdict).toContain(SENTENCE);
    expect(stderr).toContain(SENTENCE);
    const markdown = readFileSync(join(cwd, '.e2e-tests/report.md'), 'utf8');
    expect(markdown).toContain('## 🟠 INCOMPLETE');
    expect(markdown).toContain(`- **Not tested:** ${SENTENCE}`);
    expect(code).toBe(2);
  });

  test('is skipped as before where nobody named it', async () => {
    const { code, report } = await run([]);
    expect(report).toMatchObject({ passed: true, backends_named: [], backends_untested: [] });
    expect(code).toBe(0);
  });

  test('does not hide that another one failed', async () => {
    const { code, report } = await run(['claude', 'kiro'], 'does nothing');
    expect(report.verdict).toMatch(new RegExp(`the only test failed.*${SENTENCE}`));
    expect(code).toBe(1);
  });
});

describe('the exit code comes from the report alone', () => {
  const exitCode = (story: RunStory) => exitCodeOf(buildReport(journal(story)));
  const passed = { attempts: [{}] };
  const skipped = { scenarioId: 'kiro-connect', backend: 'kiro', skipped: 'not logged in' } as const;
  const kiro = readiness({ backend: 'kiro', ready: false, reason: 'not logged in' });
  const named = { named: ['claude', 'kiro'], backends: [readiness(), kiro] } satisfies RunStory['run'];

  test.each([
    ['logged out', { run: named, tests: [passed, skipped] }, EXIT.untested],
    ['not named', { run: { backends: named.backends }, tests: [passed, skipped] }, EXIT.passed],
    ['skipped for another reason', { run: { named: named.named }, tests: [passed, skipped] }, EXIT.untested],
    [
      'in part skipped',
      { run: { named: ['claude'] }, tests: [passed, { ...passed, scenarioId: 'x', skipped: 'y' }] },
      EXIT.passed,
    ],
    ['nothing of it planned', { run: { named: ['claude', 'pi'] }, tests: [passed] }, EXIT.untested],
    ['interrupted', { run: named, tests: [passed, skipped], end: { interrupted: true } }, EXIT.interrupted],
  ] satisfies [string, RunStory, number][])('%s', (_what, story, expected) => {
    expect(exitCode(story)).toBe(expected);
  });
});
