import { expect, test } from 'vitest';
import { chooseVersions, describeRow, replaceTable } from '../../scripts/matrix-table.mjs';

test('the newest release and two older ones are chosen, by number and not by date, without betas', () => {
  const versions = Array.from({ length: 60 }, (_, index) => `1.0.${index}`).concat('0.9.9', '2.0.0-beta.1');
  expect(chooseVersions(versions, '1.0.49')).toEqual([
    { version: '1.0.59', why: 'newest' },
    { version: '1.0.49', why: '10 releases earlier, pinned' },
    { version: '1.0.9', why: '50 releases earlier' },
  ]);
  expect(chooseVersions(['1.10.0', '1.9.0'], '1.0.0')).toEqual([{ version: '1.10.0', why: 'newest' }]);
});

test('a row names what failed, and why a version did not run', () => {
  const version = { name: 'pi', version: '1.0.0', why: 'newest' };
  expect(describeRow({ ...version, passed: 9, total: 9, failed: 0 })).toBe(
    '| pi | 1.0.0 | newest | 9 of 9 passed |',
  );
  expect(describeRow({ ...version, passed: 1, total: 2, failed: 1, names: ['pi-connect'] })).toContain(
    'failed: pi-connect',
  );
  expect(describeRow({ ...version, trouble: 'not installable here: a|b' })).toContain(
    'not installable here: a/b',
  );
});

test('the table replaces the earlier one, and nothing else', () => {
  const page =
    'A\n<!-- matrix: written by npm run real:matrix -- --write -->\n\nold\n\n<!-- end of matrix -->\nB\n';
  expect(replaceTable(page, '| $1 |')).toBe(page.replace('old', () => '| $1 |'));
  expect(() => replaceTable('A', 'x')).toThrow(/no place/);
});
