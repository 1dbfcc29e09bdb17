import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/harness/analysis.js';
import { renderGithubAnnotations } from '../../../src/report/github.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { journal, type RunStory } from '../support/journal.js';
import { readOutline } from '../support/markdown-outline.js';
import { renderGithubSummary } from '../support/rendered.js';

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
  it('has one entry for 28 failures of one cause, before the tests, which are folded', () => {
    const page = renderGithubSummary(report(bad(28)));
    expect(page).toMatch(/\(live lane, [^)]*\)\n\n## 🎯 1 cause, 28 tests\n\n### 1\. 28 tests/);
    expect(page).toContain('- First divergence, in `bad-0 [claude]`');
    expect(page).toContain('  - Expected: `this`\n  - Received: `that`');
    expect(page).toMatch(
      /- Tests: `bad-0 \[claude\]`, .*, and 22 more\n\n```bash\nralph-e2e claude --test bad-0 /,
    );
    expect(page).toContain('## 🔴 Failed Tests\n\n<details>\n<summary>All 28 failed tests</summary>');
    expect(readOutline(page).problems).toEqual([]);
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

  it('says what was found, however long the name of the assertion is', () => {
    const long = { ...red('nothing at all'), name: 'n'.repeat(300), expected: 'e'.repeat(300) };
    const page = renderGithubSummary(
      report([{ scenarioId: 'bad', attempts: [{ outcome: 'failed', checks: [long, long] }] }]),
    );
    expect(page).toMatch(/\| n{150,220}…: received nothing at all \(and 1 more\) \|/);
  });

  it('stays far below what GitHub takes, however much failed', () => {
    const tests = Array.from({ length: 300 }, (_, index) => ({
      scenarioId: `bad-${index}`,
      attempts: [{ outcome: 'failed' as const, checks: [red('<'.repeat(3_000))] }],
    }));
    const page = renderGithubSummary(report(tests));
    expect(page.length).toBeLessThan(200_000);
    expect(page).toContain('\n250 more tests in report.json.');
    expect(page).toContain('| `bad-49 [claude]` |');
    expect(page).not.toContain('| `bad-50 [claude]` |');
    expect(readOutline(page).problems).toEqual([]);
  });

  it('has details of the tests behind one about which there is much to say', () => {
    const long = { ...red('r'.repeat(600)), expected: 'e'.repeat(600) };
    const large = { outcome: 'failed' as const, checks: Array.from({ length: 16 }, () => long) };
    const page = renderGithubSummary(report([{ scenarioId: 'large', attempts: [large] }, ...bad(2)]));
    const shown = [...page.matchAll(/<summary>(\S+) \[claude\]: all about it<\/summary>/g)];
    expect(shown.map(([, id]) => id)).toEqual(['large', 'bad-0', 'bad-1']);
    expect(page).not.toContain('more tests in report.json');
  });

  it('bounds the list of flaky tests, and counts the rest', () => {
    const tests = Array.from({ length: 500 }, (_, index) => ({
      scenarioId: `shaky-${index}`,
      attempts: [{ outcome: 'failed' as const, checks: [red('that')] }, {}],
    }));
    const page = renderGithubSummary(report(tests));
    const [flaky = ''] = /## 🔁 Flaky Tests[\s\S]*?(?=\n## |$)/u.exec(page) ?? [];
    expect(Buffer.byteLength(flaky)).toBeLessThan(6_500);
    const shown = flaky.match(/^- `shaky-\d+ \[claude\]`\n {2}- Attempt 1: Failed/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(flaky).toContain(`\n- ${500 - shown} more in report.json`);
  });
});
