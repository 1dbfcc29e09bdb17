import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderPage, summarizeDiagnoses } from '../../../scripts/mutants/page.mjs';
import { type Result, type Results, readResults } from '../../../scripts/mutants/results.mjs';

const pathOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const SUMMARY = /(?<=<!-- mutants: begin -->\n)[\s\S]*(?=\n<!-- mutants: end -->)/;

test.each([
  ['docs/mutants.md', (_: string, results: Results) => renderPage(results)],
  [
    'docs/diagnosis.md',
    (page: string, { mutants }: Results) => page.replace(SUMMARY, () => summarizeDiagnoses(mutants)),
  ],
])('%s shows the committed results', (name, render) => {
  const results = readResults(pathOf('tests/mutants/results.json'));
  if (results === null) throw new Error('There is no tests/mutants/results.json: run `npm run mutants`.');
  const page = readFileSync(pathOf(name), 'utf8');
  const wanted = render(page, results);
  expect(wanted).toContain(summarizeDiagnoses(results.mutants));
  if (process.env.UPDATE_DOCS) writeFileSync(pathOf(name), wanted);
  expect(readFileSync(pathOf(name), 'utf8'), 'run `npm run docs`').toBe(wanted);
});

function result(id: string, change: Partial<Result> = {}): Result {
  return {
    id,
    set: 'own',
    area: 'limits',
    file: 'ralph-core/src/config.rs',
    breaks: `${id} breaks a | limit.`,
    status: 'noticed',
    note: null,
    test: 'max-iterations [claude]',
    check: 'the loop ends',
    tried: 1,
    diagnosis: { judgment: 'right', rule: 'limit-reached-early', blames: 'target', areas: ['limits'] },
    key: 'k',
    ...change,
  };
}

const UNNOTICED = { status: 'survived', test: null, check: null, diagnosis: null } as const;

test('the page counts by area and set, and lists every survivor with what it breaks', () => {
  const page = renderPage({
    ralph: '2.10.1',
    seed: 4,
    total: 7,
    mutants: [
      result('seen'),
      result('unseen', UNNOTICED),
      result('same', { ...UNNOTICED, status: 'equivalent', note: 'The value is never read.' }),
      result('drawn', { ...UNNOTICED, set: 'mechanical', area: 'hats', note: 'Nobody sees it.' }),
      result('misled', {
        diagnosis: { judgment: 'misleading', rule: 'agent-did-not-do-it', blames: 'agent', areas: [] },
      }),
    ],
  });
  expect(page).toContain('It is not complete: 5 of 7 mutants have run.');
  expect(page).toContain('| limits | 2 | 1 | 1 |  |  |  |');
  expect(page).toContain('| hats |  |  |  | 0 | 1 | 0 |');
  expect(page).toContain('| **all** | 2 | 1 | 1 | 0 | 1 | 0 |');
  expect(page).toContain('2 of 3 noticed (66.6 %), 1 equivalent');
  expect(page).toContain('| `unseen` | limits | unseen breaks a \\| limit. | 1 |');
  expect(page).toContain('drawn breaks a \\| limit. Nobody sees it.');
  expect(page).toContain('| `same` | limits | The value is never read. |');
  expect(page).toContain('Another area, with what the diagnosis names: `misled` (agent-did-not-do-it).');
});
