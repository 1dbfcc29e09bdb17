import { describe, expect, it } from 'vitest';
import { comparableReportSchema } from '../../../src/domain/report/comparable.js';
import { compareReports } from '../../../src/domain/report/compare.js';
import { renderComparison } from '../../../src/report/comparison.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { HOSTILE_TEXTS } from '../support/hostile-corpus.js';
import { journal } from '../support/journal.js';

type Tests = NonNullable<NonNullable<Parameters<typeof journal>[0]>['tests']>;
interface Broken {
  readonly id: string;
  readonly name: string;
  readonly received?: string;
  readonly backend?: 'claude' | 'kiro';
}

/** Renders the comparison of a run in which all these tests passed with one in which they are broken. */
function render(broken: readonly Broken[], columns?: number): string[] {
  const steady = Array.from({ length: 6 }, (_, index) => ({
    scenarioId: `steady-${index}`,
    attempts: [
      {
        checks: Array.from({ length: 9 }, () => {
          const name = 'a file has the expected content';
          return { name, about: { text: name } };
        }),
      },
    ],
  }));
  const read = (tests: Tests) =>
    comparableReportSchema.parse(buildReport(journal({ tests: [...steady, ...tests] })));
  const before = read(
    broken.map(({ id, backend = 'claude' }) => ({ scenarioId: id, backend, attempts: [{}] })),
  );
  const after = read(
    broken.map(({ id, name, received = '', backend = 'claude' }) => ({
      scenarioId: id,
      backend,
      attempts: [
        {
          outcome: 'failed' as const,
          checks: [{ name, about: { text: name }, actual: received, passed: false }],
        },
      ],
    })),
  );
  return renderComparison(compareReports(before, after), { color: false, columns }).split('\n');
}

const letter = (index: number) => String.fromCharCode(97 + index);
const many = (count: number, received: string): Broken[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `scenario-${letter(index)}`,
    name: `file-${letter(index)} has the expected content`,
    received: `${letter(index)} ${received}`,
  }));

describe('the screen of a comparison', () => {
  it.each([
    ['few failures with much text', many(3, 'word '.repeat(90)), 80],
    ['as many causes as it shows', many(25, 'word '.repeat(90)), 80],
    ['more causes than it shows', many(40, 'word '.repeat(90)), 80],
    ['a narrow terminal', many(25, 'x'.repeat(400)), 60],
    ['a wide terminal', many(25, 'word '.repeat(90)), 132],
  ])('holds %s', (_what, broken, columns) => {
    const lines = render(broken, columns);
    expect(lines.length).toBeLessThanOrEqual(43);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('has 80 columns if nobody knows how wide it is', () => {
    const widths = [undefined, 0].map((columns) =>
      Math.max(...render(many(3, 'x'.repeat(400)), columns).map((line) => line.length)),
    );
    expect(widths).toEqual([80, 80]);
  });

  it('shows what a check received on further lines, or cuts it if there is no room', () => {
    const text = 'the first words and then so many others that they need a second line of this screen, end';
    expect(render(many(1, text)).join('\n')).toContain(
      '  Passed → Failed: scenario-a on claude: file-a has the expected content\n    (received: a the first words and then so many others that they need a second\n    line of this screen, end)\n',
    );
    expect(render(many(25, text)).join('\n')).toMatch(
      / {2}Passed → Failed: scenario-a on claude: file-a has the [^\n]*…\n {2}Passed → Failed: scenario-b /,
    );
  });

  it('counts the tests that have no room', () => {
    expect(render(many(40, 'word '.repeat(90))).join('\n')).toMatch(/\n {2}… and 15 more: see the JSON\n/);
  });

  it('names the backend of each test', () => {
    const text = render([
      { id: 'a', name: 'alpha', received: 'x' },
      { id: 'b', name: 'omega', received: 'y', backend: 'kiro' },
    ]).join('\n');
    expect(text).toMatch(/ a on claude: alpha .*\n .* b on kiro: omega/);
  });

  it.each(Object.entries(HOSTILE_TEXTS))('holds %s', (_what, hostile) => {
    const lines = render([{ id: 'a', name: hostile, received: hostile }]);
    expect(lines.join('\n')).not.toMatch(/\u001b|\r/);
    expect(lines.length).toBeLessThanOrEqual(43);
  });
});
