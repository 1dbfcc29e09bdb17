import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/harness/analysis.js';
import { renderGithubAnnotations } from '../../../src/report/github.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { journal, type RunStory } from '../support/journal.js';
import { readOutline } from '../support/markdown-outline.js';
import { renderGithubSummary, renderMarkdown } from '../support/rendered.js';

const report = (tests: RunStory['tests']) => buildReport(journal({ tests }), analysis);
const red = (actual: string) => ({ name: 'a check', passed: false, expected: 'this', actual });

/** So many tests that fail in the same way. */
const bad = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    scenarioId: `bad-${index}`,
    attempts: [{ outcome: 'failed' as const, checks: [red('that')] }],
  }));

describe('annotations', () => {
  it('escape what would end a command, a property or the line', () => {
    const [line] = renderGithubAnnotations(
      report([
        {
          scenarioId: 'a,b:c%0A',
          attempts: [{ outcome: 'failed', checks: [red('100%\r\n::error::fake ##[error]old \u001b[31m')] }],
        },
      ]),
    );
    expect(line).toMatch(/^::error title=a%2Cb%3Ac%250A \[claude\]::/);
    expect(line).toContain('Received: 100%25 ::error::fake # #[error]old');
    expect(line).not.toMatch(/[\r\n\u001b]/);
  });

  it('are one for each cause, which names its tests', () => {
    const lines = renderGithubAnnotations(report(bad(28)));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^::error title=bad-0 \[claude\] and 27 more::/);
    expect(lines[0]).toMatch(/%0ATests: bad-0 \[claude\], .*, bad-7 \[claude\], and 20 more%0A\$ ralph-e2e/);
  });

  it('are one for each failure whose cause is unknown', () => {
    const lines = renderGithubAnnotations({ ...report(bad(2)), causes: [] });
    expect(lines).toEqual([
      '::error title=bad-0 [claude]::a check: expected this, received that%0A$ ralph-e2e claude --test bad-0 --verbose --keep-workspace --keep-reports',
      '::error title=bad-1 [claude]::a check: expected this, received that%0A$ ralph-e2e claude --test bad-1 --verbose --keep-workspace --keep-reports',
    ]);
  });

  it('are ten of a kind at most, because GitHub drops the others; the last says how many more', () => {
    const lines = renderGithubAnnotations({ ...report(bad(13)), causes: [] });
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('::error title=ralph-e2e::4 more, see the job summary');
  });
});

describe('the job summary', () => {
  it('is report.md', () => {
    const [summary, page] = [renderGithubSummary(report(bad(28))), renderMarkdown(report(bad(28)))];
    const headings = readOutline(page).headings;
    expect(headings).toContain('## 🎯 Causes: 1 cause, 28 tests');
    expect(readOutline(summary)).toEqual(expect.objectContaining({ headings, problems: [] }));
  });

  it('has no links to pages, which GitHub does not have', () => {
    const known = { upTo: '2', reason: 'it forgets', link: 'issue-1', breaks: [], shows: {} };
    const attempts = [{ outcome: 'known-issue' as const, checks: [red('that')] }];
    const page = renderGithubSummary(
      report([{ knownIssue: known, attempts }, { backend: 'kiro', knownIssue: known, attempts }, ...bad(2)]),
    );
    expect(page).not.toMatch(/\]\(report\//);
    expect(page).toContain('- `hat-single` on Claude, Kiro: it forgets (known up to 2)');
  });
});
