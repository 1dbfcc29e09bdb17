import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  completed,
  fileEquals,
  type KnownIssueDefinition,
  loop,
  onAnyPrompt,
  type Scenario,
  scenario,
} from '../../src/authoring.js';
import { exitCodeOf } from '../../src/cli/exit-codes.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { type RunScenariosOptions, runScenarios } from '../../src/harness/run-scenarios.js';
import { callCli, tempFolder } from '../support/cli.js';

const STAND_IN = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

const ISSUE: KnownIssueDefinition = {
  upTo: '2.10.1',
  reason: 'the file is never written',
  link: 'docs/ralph-behavior.md',
  breaks: { fileEquals: /^no such file/ },
};

/** The agent completes; whether it writes the file is the issue. */
function promise(options: {
  writes: boolean;
  completes?: boolean;
  issue?: Partial<KnownIssueDefinition>;
}): Scenario {
  const agent = options.writes ? onAnyPrompt().writes('kept.txt', 'kept\n') : onAnyPrompt().says('No.');
  return scenario({
    id: 'keeps-its-promise',
    backend: 'claude',
    tier: 2,
    priority: 'should',
    phase: 'green',
    description: 'The target keeps its promise',
    covers: [],
    knownIssue: { ...ISSUE, ...options.issue },
    arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'Keep it.' }),
    expect: () => [completed(), fileEquals('kept.txt', 'kept')],
    agent: [options.completes === false ? agent : agent.completes()],
  });
}

async function run(made: Scenario, options: Pick<RunScenariosOptions, 'retries'> = {}) {
  const report = await runScenarios([made], { output: tempFolder(), backends: ['claude'], ...options });
  return { report, result: report.results[0] };
}

describe('a known issue', () => {
  test('is listed apart and does not fail the run', async () => {
    const { report, result } = await run(promise({ writes: false }));
    expect(result?.outcome).toBe('known-issue');
    expect(result?.known_issue?.reason).toBe('the file is never written');
    expect([report.passed, report.summary.known_issues, report.summary.passed]).toEqual([true, 1, 0]);
  });

  test('that is gone is a pass with a notice', async () => {
    const { report, result } = await run(promise({ writes: true }));
    expect([result?.outcome, report.passed, exitCodeOf(report)]).toEqual(['passed', true, 0]);
    expect(result).toMatchObject({ known_issue_gone: true, known_issue: { reason: ISSUE.reason } });
    expect(result?.assertions.every(({ passed }) => passed)).toBe(true);
    expect(report.summary).toMatchObject({ passed: 1, known_issues: 0 });
  });

  test.each([
    ['that is gone fails', true, 1],
    ['that is there does not fail', false, 0],
  ])('%s a run with --fail-on fixed-issue', async (_, writes, code) => {
    const { report, result } = await run(promise({ writes }));
    expect(result?.known_issue_gone).toBe(writes);
    expect(exitCodeOf(report, { failOn: ['fixed-issue'] })).toBe(code);
  });

  test('excuses nothing but the checks that it names', async () => {
    const { result } = await run(promise({ writes: false, completes: false }));
    expect(result?.outcome).toBe('failed');
  });

  test.each([
    ['a check that breaks in another way', { fileEquals: /^"spoilt"$/ }, /^fileEquals: no such file/],
    ['a check that shows more than the text', { fileEquals: 'no such file' }, /^fileEquals: no such file;/],
    [
      'a check that passes',
      { fileEquals: /^no such file/, completed: /^exit code 2/ },
      /^completed: passes$/,
    ],
  ])('does not excuse %s', async (_name, breaks, actual) => {
    const { report, result } = await run(promise({ writes: false, issue: { breaks } }));
    expect([result?.outcome, exitCodeOf(report)]).toEqual(['failed', 1]);
    const changed = result?.assertions.at(-1);
    expect(changed).toMatchObject({ name: 'the known issue shows as it is known to', passed: false });
    expect(changed?.expected).toContain('the file is never written');
    expect(changed?.actual).toMatch(actual);
  });

  test('is told by a text that is compared whole, or by a pattern', async () => {
    const completes = {
      completed: 'exit code 2, termination reason "max_iterations"',
      fileEquals: /^no such/,
    };
    const { result } = await run(promise({ writes: false, completes: false, issue: { breaks: completes } }));
    expect(result?.outcome).toBe('known-issue');
  });

  test.each([
    ['a newer version', { upTo: '2.10.0' }],
    ['another lane', { lanes: ['scripted'] as const }],
  ])('does not count for %s', async (_name, issue) => {
    const broken = await run(promise({ writes: false, issue }));
    const kept = await run(promise({ writes: true, issue }));
    expect([broken.result?.outcome, kept.result?.outcome]).toEqual(['failed', 'passed']);
    expect(broken.result?.known_issue).toBeNull();
    expect(kept.result?.known_issue_gone).toBe(false);
  });
});

/** Preloaded into the stand-in: it hears no signal that it could die of. */
const DEAF = `
const once = process.once;
process.once = (event, ...rest) => (/^SIG/.test(event) ? process : once.call(process, event, ...rest));
process.on('SIGTERM', () => {});
`;

test('a ralph that hangs until the harness ends it does not have the known issue that ends it at once', async () => {
  const cwd = tempFolder();
  const [ralph, deaf] = [join(cwd, 'ralph'), join(cwd, 'deaf.cjs')];
  writeFileSync(deaf, DEAF);
  const script = `[ "$*" = --version ] && echo 'ralph 2.10.1' && exit\nexec ${process.execPath} --require ${deaf} ${STAND_IN} "$@"`;
  writeFileSync(ralph, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const filter = ['claude', '--mock', '--filter', 'interrupted-by-signal', '--json'];
  const { code, stdout } = await callCli([...filter, '--ralph', ralph, '--timeout', '5'], { cwd });
  const [result] = reportSchema.parse(JSON.parse(stdout)).results;
  expect([code, result?.outcome]).toEqual([1, 'failed']);
  const changed = result?.assertions.find(({ key }) => key === 'knownIssue');
  expect(changed?.expected).toContain('endedByItself: killed by SIGKILL');
  expect(changed?.actual).toContain('endedByItself: still running after 5 s');
});
