import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RUN_OPTIONS } from '../../src/cli/input/run-flags.js';
import { OPTION_GROUPS } from '../../src/domain/options/run-option.js';

const PAGE = new URL('../../docs/cli.md', import.meta.url);
const BEGIN = '<!-- options: generated from the table of options -->';
const END = '<!-- end of options -->';

/** An option on every command: commander knows its opposite, so it is not in the table of options. */
const NO_COLOR = ['`--no-color`', 'print without colors, as with the variable `NO_COLOR`'];

function tableOf(group: (typeof OPTION_GROUPS)[number]): string {
  const rows = RUN_OPTIONS.filter((option) => option.group === group).map(({ flags, help, page }) => [
    `\`${flags}\``,
    `${help.replaceAll('<', '&lt;')}${page === undefined ? '' : `: see [${page.split('#')[0]}](${page})`}`,
  ]);
  const all = group === 'Output and reports:' ? [...rows, NO_COLOR] : rows;
  return [
    `### ${group.replace(':', '')}`,
    '',
    '| option | meaning |',
    '|---|---|',
    ...all.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

test('docs/cli.md says what the table of options says (npm run docs)', () => {
  const before = readFileSync(PAGE, 'utf8');
  const [head, rest] = before.split(BEGIN);
  const [, tail] = rest?.split(END) ?? [];
  const tables = OPTION_GROUPS.map(tableOf).join('\n\n');
  const wanted = `${head}${BEGIN}\n\n${tables}\n\n${END}${tail}`;
  if (process.env.UPDATE_DOCS) writeFileSync(PAGE, wanted);
  expect(readFileSync(PAGE, 'utf8')).toBe(wanted);
});
