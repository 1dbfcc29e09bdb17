import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/analysis.js';
import { compareReports } from '../../../src/domain/report/compare.js';
import { renderGithubAnnotations } from '../../../src/report/github/annotations.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { createTerminalReporter, type Verbosity } from '../../../src/report/terminal/terminal.js';
import { journal, type RunStory } from '../support/journal.js';
import {
  renderCtrf,
  renderGithubSummary,
  renderHtml,
  renderJson,
  renderJunit,
  renderMarkdown,
} from '../support/rendered.js';
import { findSchemaProblems, parseXml } from '../support/surefire.js';

const KNOWN = { upTo: '2.10.1', reason: 'it forgets the last line', link: 'issue-1', breaks: ['fileEquals'] };
const NOTICE =
  /known issue no longer occurs: it forgets the last line\. Remove knownIssue from the scenario, or lower its upTo \(2\.10\.1\)/;

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

function print(verbosity: Verbosity, story = events(GONE), report = gone): string {
  const stream = new PassThrough();
  const reporter = createTerminalReporter({ stream, verbosity, color: false, now: () => 0 });
  for (const event of story) reporter.onEvent(event);
  reporter.finish(report, ['report.md']);
  return String(stream.read());
}

describe('a known issue that no longer occurs', () => {
  it.each([
    ['report.md', () => renderMarkdown(gone)],
    ['the job summary', () => renderGithubSummary(gone)],
    ['an annotation', () => renderGithubAnnotations(gone).join('\n')],
    ['report.html', () => renderHtml(gone)],
    ['JUnit', () => renderJunit(gone)],
    ['CTRF', () => renderCtrf(gone)],
    ['the terminal', () => print('normal')],
    ['the terminal of an agent', () => print('agent')],
    ['the quiet terminal', () => print('quiet')],
  ])('is told in %s, once for its test and not for others', (_where, render) => {
    const text = render();
    expect(text).toMatch(NOTICE);
    expect(text).not.toMatch(/plain.{0,40}known issue no longer/);
  });

  it('is a field of report.json, and a pass', () => {
    const [result, plain] = JSON.parse(renderJson(gone)).results;
    expect(result).toMatchObject({ outcome: 'passed', passed: true, known_issue_gone: true });
    expect(plain).toMatchObject({ known_issue: null, known_issue_gone: false });
    expect(gone).toMatchObject({ passed: true, summary: { passed: 2, known_issues: 0, failed: 0 } });
  });

  it('leaves JUnit valid', () => {
    expect(findSchemaProblems(parseXml(renderJunit(gone)))).toEqual([]);
  });

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
