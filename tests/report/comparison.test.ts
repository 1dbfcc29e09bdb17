import { describe, expect, it } from 'vitest';
import { comparableReportSchema } from '../../src/domain/report/comparable.js';
import { compareReports } from '../../src/domain/report/compare.js';
import { renderComparisonHtml, renderComparisonMarkdown } from '../../src/report/comparison.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { HOSTILE_TEXTS } from './support/hostile-corpus.js';
import { readHtml } from './support/html-outline.js';
import { journal } from './support/journal.js';
import { readOutline } from './support/markdown-outline.js';

type Tests = NonNullable<Parameters<typeof journal>[0]>['tests'];

function compare(before: Tests, after: Tests) {
  const read = (tests: Tests, runId: string) =>
    comparableReportSchema.parse(buildReport(journal({ run: { runId }, ...(tests && { tests }) })));
  return compareReports(read(before, 'run-1'), read(after, 'run-2'));
}

const pageOf = (comparison: ReturnType<typeof compare>) => [...renderComparisonHtml(comparison)].join('');
const PASSED = { scenarioId: 'steady', attempts: [{}] };
const broken = (name: string, scenarioId = 'steady') => ({
  scenarioId,
  attempts: [{ outcome: 'failed' as const, checks: [{ name, about: { text: name }, passed: false }] }],
});

describe('the page of a comparison', () => {
  it('says first what broke, and then each change with what it was and is', () => {
    const page = pageOf(compare([PASSED], [broken('the loop completes')]));
    const { text, problems, elements } = readHtml(page);
    expect(problems).toEqual([]);
    expect(text).toMatch(/Before.*1 result \(1 passed, 0 failed\), run run-1/);
    expect(text).toMatch(/After.*1 result \(0 passed, 1 failed\), run run-2/);
    expect(text).toMatch(/1 new failure[\s\S]*Passed → Failed: steady on claude: the loop completes/);
    expect(elements.some(({ attributes }) => attributes.get('class') === 'verdict failed')).toBe(true);
    expect(elements.filter(({ tag }) => tag === 'script')).toEqual([]);
  });

  it('is green when nothing broke, and says so when nothing changed at all', () => {
    const { text, elements } = readHtml(pageOf(compare([PASSED], [PASSED])));
    expect(text).toMatch(/Nothing broke[\s\S]*Every test came out as it did before/);
    expect(elements.some(({ attributes }) => attributes.get('class') === 'verdict passed')).toBe(true);
  });

  it('is not green without a verdict', () => {
    const { text, elements } = readHtml(pageOf(compare([PASSED], [])));
    expect(text).toContain('No verdict');
    expect(elements.some(({ attributes }) => attributes.get('class') === 'verdict passed')).toBe(false);
  });

  it('names the cause that broken tests share, on the page and in Markdown', () => {
    const comparison = compare(
      [
        { scenarioId: 'plan', attempts: [{}] },
        { scenarioId: 'init', attempts: [{}] },
      ],
      [broken('forge is called', 'plan'), broken('"init" prints forge', 'init')],
    );
    const cause = 'Ralph does not know forge.';
    const { changes } = comparison;
    const explained = {
      ...comparison,
      changes: { ...changes, new_failures: changes.new_failures.map((change) => ({ ...change, cause })) },
    };
    const shared = `${cause} Such as: forge is called`;
    expect(readHtml(pageOf(explained)).text).toContain(`2 tests: ${shared}`);
    expect(renderComparisonMarkdown(explained)).toContain(shared);
  });

  it('names the first tests of a cause that broke hundreds, and counts the others', () => {
    const ids = Array.from({ length: 690 }, (_, index) => `a-scenario-with-a-long-name-${index}`);
    const tests = (broke: boolean, count: number) =>
      ids.slice(0, count).map((id) => (broke ? broken('it ends', id) : { scenarioId: id, attempts: [{}] }));
    const failed = compare(tests(false, 690), tests(true, 690));
    const removed = compare(tests(false, 690), tests(false, 15));
    for (const page of [renderComparisonMarkdown(failed), readHtml(pageOf(failed)).text]) {
      expect(page).toContain('New failures (690)');
      expect(page).toMatch(/690 tests(?:\*\*)?: [\s\S]*long-name-0\b.*, 590 more/);
    }
    expect(renderComparisonMarkdown(removed)).toMatch(/\(675\)\n\n675 tests: see the JSON/);
    for (const page of [failed, removed].map(renderComparisonMarkdown))
      expect(Buffer.byteLength(page)).toBeLessThan(21_000);
  });

  it('counts in tests what has no room, like the title', () => {
    const ids = Array.from({ length: 400 }, (_, index) => `${index}`);
    const text = (id: string) => `${Math.floor(Number(id) / 2)} ${'x'.repeat(300)}`;
    const comparison = compare(
      ids.map((scenarioId) => ({ scenarioId, attempts: [{}] })),
      ids.map((id) => broken(text(id), id)),
    );
    const page = renderComparisonMarkdown(comparison);
    const shown = page.match(/^- \*\*2 tests\*\*/gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(page).toContain(`- ${400 - 2 * shown} more: see the JSON`);
  });

  it.each(Object.entries(HOSTILE_TEXTS))('holds %s', (_, hostile) => {
    const comparison = compare([PASSED, broken('x', hostile)], [broken(hostile), PASSED]);
    expect(readHtml(pageOf(comparison)).problems).toEqual([]);
    expect(readOutline(renderComparisonMarkdown(comparison)).problems).toEqual([]);
  });
});
