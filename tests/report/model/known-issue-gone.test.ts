import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { checkResultSchema } from '../../../src/domain/check.js';
import { compareReports } from '../../../src/domain/report/compare.js';
import { findLasting } from '../../../src/domain/scenario/known-issue.js';
import { analysis } from '../../../src/harness/analysis.js';
import { renderFailures } from '../../../src/report/agent.js';
import { renderGithubAnnotations } from '../../../src/report/github.js';
import { renderHtml } from '../../../src/report/html/render-html.js';
import { renderJunit } from '../../../src/report/junit.js';
import { renderFailurePage } from '../../../src/report/markdown/tests.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { renderCauseLines } from '../../../src/report/terminal/causes.js';
import { journal, type RunStory } from '../support/journal.js';
import { renderMarkdown } from '../support/rendered.js';

const KNOWN = {
  upTo: '2.10.1',
  reason: 'it forgets the last line',
  link: 'issue-1',
  breaks: ['fileEquals'],
  shows: { fileEquals: '/./' },
};

type Attempts = NonNullable<RunStory['tests'][number]['attempts']>;
const events = (...attempts: Attempts) =>
  journal({
    tests: [
      { scenarioId: 'remembers', knownIssue: KNOWN, attempts },
      { scenarioId: 'plain', attempts: [{}] },
    ],
  });
const reportOf = (...attempts: Attempts) => buildReport(events(...attempts), analysis);

const GONE = { outcome: 'passed', knownIssueGone: true } as const;
const gone = reportOf(GONE);

describe('a known issue that no longer occurs', () => {
  it('is told of a flaky test, too, when no attempt showed it', () => {
    const flaky = reportOf({ outcome: 'failed', checks: [{ kind: 'completed', passed: false }] }, GONE);
    expect(flaky.results[0]).toMatchObject({ outcome: 'flaky', known_issue_gone: true });
    expect(renderGithubAnnotations(flaky)).toEqual([
      expect.stringMatching(/^::warning /),
      expect.stringMatching(/^::notice .*known issue no longer occurs/),
    ]);
  });

  it.each<[string, Attempts]>([
    [
      'the first attempt showed it besides something else',
      [{ outcome: 'failed', checks: [{ kind: 'fileEquals', passed: false }] }, GONE],
    ],
    [
      'the first attempt was broken by it alone',
      [{ outcome: 'known-issue', checks: [{ kind: 'fileEquals', passed: false }] }, GONE],
    ],
    ['it is there', [{ outcome: 'known-issue', checks: [{ kind: 'fileEquals', passed: false }] }]],
  ])('is not told when %s', (_why, attempts) => {
    const report = reportOf(...attempts);
    expect(report.results[0]?.known_issue_gone).toBe(false);
    expect(renderMarkdown(report)).not.toMatch(/no longer occur/i);
  });

  it('is no news beside the failure that a strict run makes of it', () => {
    const strict = reportOf({
      outcome: 'failed',
      knownIssueGone: true,
      checks: [{ kind: 'knownIssue', passed: false }],
    });
    expect(strict.results[0]).toMatchObject({ outcome: 'failed', known_issue_gone: true });
    expect(renderMarkdown(strict)).not.toContain('Known Issues That No Longer Occur');
  });

  it('is a known issue that went, and no new failure, when runs are compared', () => {
    const before = reportOf({ outcome: 'known-issue', checks: [{ kind: 'fileEquals', passed: false }] });
    const { changes } = compareReports(before, gone);
    expect(changes.known_issues_gone).toMatchObject([{ scenario_id: 'remembers' }]);
    expect(changes.new_failures).toEqual([]);
  });
});

describe('a known issue that lasts beyond its last version', () => {
  const attempt: Attempts[number] = {
    outcome: 'failed',
    knownIssueLasts: { upTo: '2.10.1', version: '2.11.0' },
    checks: [{ kind: 'completed', passed: false }],
  };
  const lasting = buildReport(
    journal({ tests: [{ scenarioId: 'remembers', attempts: [attempt] }] }),
    analysis,
  );

  it('is a failure that says so wherever failures are read', () => {
    const words = /known up to 2\.10\.1; still so in 2\.11\.0: raise `?upTo`? or fix it/;
    const [result] = lasting.results;
    if (result === undefined) throw new Error('no result');
    expect(result).toMatchObject({ outcome: 'failed', passed: false });
    const terminal = renderCauseLines(lasting, {
      chalk: new Chalk({ level: 0 }),
      columns: 120,
      folder: '.e2e-tests',
    });
    expect(terminal.join('\n')).toMatch(words);
    expect(renderMarkdown(lasting).replaceAll('\\', '')).toMatch(words);
    expect(renderFailurePage(lasting, result).replaceAll('\\', '')).toMatch(words);
    expect([...renderJunit(lasting)].join('')).toMatch(words);
    expect(renderGithubAnnotations(lasting).join('')).toMatch(words);
    expect([...renderFailures(lasting)].join('')).toMatch(words);
    expect([...renderHtml(lasting)].join('').replaceAll(/<[^>]+>/g, '')).toMatch(words);
  });

  it.each([
    ['it shows exactly as declared', 'gone', '2.11.0', { upTo: '2.10.1', version: '2.11.0' }],
    ['it shows in another way', 'other', '2.11.0', null],
    ['the version is known to have it', 'gone', '2.10.1', null],
  ])('is found if %s: %#', (_, shown, version, found) => {
    const issue = { ...KNOWN, shows: { fileEquals: 'gone' } };
    const check = checkResultSchema.parse({
      ...{ key: 'fileEquals', kind: 'fileEquals', name: 'a.txt', category: 'FileContains', passed: false },
      ...{ expected: 'a', actual: shown, diff: null, suggestion: null },
    });
    expect(findLasting(issue, [check], { version, lane: 'sim' })).toEqual(found);
    // Half of it is mended: the declaration is to be changed, not its version.
    const wider = { ...issue, breaks: [...issue.breaks, 'ends'] };
    expect(findLasting(wider, [check], { version, lane: 'sim' })).toBeNull();
  });
});
