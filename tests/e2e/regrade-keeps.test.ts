import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/cli/exit-codes.js';
import { loadNamed } from '../../src/cli/input/load-scenarios.js';
import type { AttemptFinished } from '../../src/domain/attempt.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import type { Report } from '../../src/domain/report/report.js';
import { makeReport, regradeHarness } from '../../src/harness/harness.js';
import { readJournal } from '../../src/journal/reader.js';
import { requireWhole } from '../../src/run/resume/whole-journal.js';
import { runCli, tempFolder } from '../support/cli.js';

const INDEX = new URL('../../dist/index.js', import.meta.url).href;

/** A scenario whose agent writes the word in this form. */
const scenario = (id: string, form: string, more = '') => `
export const ${id} = conversation({
  id: '${id}', tier: 8, priority: 'must', phase: 'green', description: 'The agent writes the word in uppercase', covers: [],
  arrange: ({ nonce }) => ({ turns: ['Shout ' + nonce] }),
  expect: ({ nonce }) => ({ loud: fileEquals('loud.txt', nonce.toUpperCase()) }),
  agent: [onPrompt(/Shout (\\w+)/).writes('loud.txt', '${form}').says('Done.')], ${more}
});`;
const module = (...scenarios: readonly string[]) =>
  `import { conversation, fileEquals, onPrompt } from '${INDEX}';\n${scenarios.join('\n')}`;

/** Runs scenarios, and returns what was recorded. */
async function record(text: string, ...args: readonly string[]) {
  const cwd = tempFolder();
  const file = join(cwd, 'mine.mjs');
  writeFileSync(file, text);
  const { code } = await runCli(
    ['claude', '--mock', '--ralph', 'embedded', '--scenarios', file, '-q', ...args],
    { cwd },
  );
  const runs = join(cwd, '.e2e-tests/runs');
  const { events } = await readJournal(join(runs, readdirSync(runs)[0] ?? '', 'journal.jsonl'));
  return { cwd, file, code, events };
}

/** Judges records again with the same checks. */
async function regrade(events: readonly JournalEvent[], file: string) {
  const [first] = events;
  const started = requireWhole(events, first?.type === 'run-started' ? first.runId : '');
  const { report } = await regradeHarness(
    { started, records: events, source: started.runId },
    {
      ...{
        test: undefined,
        catalogue: await loadNamed({ scenarios: [file] }),
        output: join(tempFolder(), 'regrades'),
      },
      ...{ harnessVersion: '0.0.0', program: ['ralph-e2e'], repeatWith: [], onEvent: () => {} },
    },
    ['json'],
  );
  return report;
}

const summary = (report: Report, events: readonly JournalEvent[]) => {
  const [first] = events;
  const call = first?.type === 'run-started' ? (first.call ?? {}) : {};
  return {
    verdict: report.verdict,
    passed: report.passed,
    code: exitCodeOf(report, call),
    outcomes: report.results.map(({ scenario_id, outcome, attempts, skip_reason }) => [
      scenario_id,
      outcome,
      attempts,
      skip_reason,
    ]),
    repeat: report.repeat,
  };
};

async function expectSame(events: readonly JournalEvent[], file: string) {
  const before = summary(makeReport(events), events);
  expect(summary(await regrade(events, file), events)).toEqual(before);
  return before;
}

const isFinished = (event: JournalEvent): event is AttemptFinished => event.type === 'attempt-finished';

describe('with the same checks, the verdict of a run stays', () => {
  test('with failures, retries, passes and known issues', async () => {
    const known =
      "knownIssue: { upTo: '99.0.0', reason: 'it whispers', link: 'https://example.org/1', breaks: { loud: /[a-z]{6}\\d{4}/ } },";
    const text = module(
      scenario('right', '{{upper 1}}'),
      scenario('wrong', '{{1}}'),
      scenario('known', '{{1}}', known),
    );
    const { events, file, code } = await record(text, '--retries', '1');
    const before = await expectSame(events, file);
    expect([before.code, events.filter(isFinished).length]).toEqual([code, 4]);
    expect(before.outcomes.map(([, outcome]) => outcome).toSorted()).toEqual([
      'failed',
      'known-issue',
      'passed',
    ]);
  });

  test('with --repeat', async () => {
    const { events, file, code } = await record(module(scenario('right', '{{upper 1}}')), '--repeat', '3');
    const before = await expectSame(events, file);
    expect([before.code, before.repeat?.times]).toEqual([code, 3]);
  });

  test('of a test that failed before it passed: it stays flaky', async () => {
    const good = await record(module(scenario('word', '{{upper 1}}')));
    const bad = await record(module(scenario('word', '{{1}}')));
    const failed = bad.events.filter(isFinished).map((event) => ({ ...event, retryInSeconds: 0 }));
    const events = good.events.flatMap((event): JournalEvent[] => {
      if (event.type === 'attempt-started') return [event];
      if (!isFinished(event)) return [event];
      const next = { scenarioId: event.scenarioId, backend: event.backend, at: event.at, attempt: 2 };
      return [...failed, { type: 'attempt-started', ...next }, { ...event, attempt: 2 }];
    });
    const before = await expectSame(events, good.file);
    expect(before.outcomes.map(([, outcome]) => outcome)).toEqual(['flaky']);
  });

  test('of tests that were skipped or interrupted', async () => {
    const { events, file } = await record(
      module(scenario('one', '{{upper 1}}'), scenario('two', '{{upper 1}}')),
    );
    const cut = events.flatMap((event): JournalEvent[] => {
      if (isFinished(event) && event.scenarioId === 'two')
        return [
          {
            ...event,
            outcome: 'error',
            error: 'interrupted by the user',
            interrupted: true,
            checks: [],
            evidence: null,
          },
        ];
      return event.type === 'run-finished' ? [{ ...event, interrupted: true }] : [event];
    });
    expect((await expectSame(cut, file)).verdict).toContain('interrupted');
    const skipped = events.flatMap((event): JournalEvent[] => {
      if (event.type === 'attempt-started' && event.scenarioId === 'two') return [];
      if (!isFinished(event) || event.scenarioId !== 'two') return [event];
      const { at, scenarioId, backend } = event;
      return [
        {
          type: 'scenario-skipped',
          at,
          scenarioId,
          backend,
          reason: 'not ready',
          cause: { kind: 'not-ready' },
        },
      ];
    });
    expect((await expectSame(skipped, file)).outcomes).toContainEqual([
      'two',
      'skipped',
      expect.anything(),
      'not ready',
    ]);
  });
});

test('a regrade is not regraded again, and its modules are in the command that repeats it', async () => {
  const { cwd, file } = await record(module(scenario('wrong', '{{1}}')));
  const { code, stdout } = await runCli(['regrade', 'latest', '--scenarios', file, '--json'], { cwd });
  expect([code, stdout]).toEqual([1, expect.stringContaining(`--scenarios ${file}`)]);
  const folder = join(cwd, '.e2e-tests/regrades/runs');
  const again = await runCli(['regrade', join(folder, readdirSync(folder)[0] ?? '')], { cwd });
  expect([again.code, again.stderr]).toEqual([
    2,
    expect.stringMatching(/is a regrade: expected a run of its own/),
  ]);
});

test('a run that was moved here does not say which modules to load', async () => {
  const { cwd, file } = await record(module(scenario('right', '{{upper 1}}')));
  const other = tempFolder();
  mkdirSync(join(other, '.e2e-tests'));
  cpSync(join(cwd, '.e2e-tests'), join(other, '.e2e-tests'), { recursive: true });
  const moved = await runCli(['regrade', 'latest'], { cwd: other });
  expect([moved.code, moved.stderr]).toEqual([2, expect.stringContaining('--scenarios <file>')]);
  expect((await runCli(['regrade', 'latest', '--scenarios', file], { cwd: other })).code).toBe(0);
});
