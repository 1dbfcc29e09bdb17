import { describe, expect, it } from 'vitest';
import { compareReports } from '../../../src/domain/report/compare.js';
import { analysis } from '../../../src/harness/analysis.js';
import { renderGithubAnnotations } from '../../../src/report/github.js';
import { buildReport } from '../../../src/report/model/build-report.js';
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
