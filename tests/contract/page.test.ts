import { describe, expect, test } from 'vitest';
import { readContract } from '../../scripts/contract.mjs';

const TABLE = ['| id | promise | held by | source | about |', '|---|---|---|---|---|'];
const page = (...rows: readonly string[]) =>
  ['# Promises', '', 'Words.', '', '## exit-codes: how it ends', '', ...TABLE, ...rows].join('\n');
const row = (heldBy: string, about = '') =>
  `| cancelled | It exits with 0. | ${heldBy} | a/b.rs: end |${about}|`;
const outside = (...rows: readonly string[]) =>
  ['## Not part of it', '', '| part of Ralph | why |', '|---|---|', ...rows].join('\n');
const classes = (first: string, ...rows: readonly string[]) =>
  [
    page(row('`a` (b)')),
    ...['', '## Classes of regressions', '', 'Words.', '', first, ''],
    ...['| promise | covered by |', '|---|---|', ...rows],
  ].join('\n');
const mistakesOf = (text: string) => readContract(text).mistakes.map((one) => `${one.line}: ${one.text}`);

describe('the page of promises', () => {
  test('has a promise in each row', () => {
    const { promises, mistakes } = readContract(
      page(
        row('`one` (ends, try.a-b), `<backend>-two` except claude, pi (ends)', ' `flag --a`, `topic b.c` '),
      ),
    );
    expect(mistakes).toEqual([]);
    expect(promises).toEqual([
      {
        ...{ id: 'cancelled', area: 'exit-codes', promise: 'It exits with 0.', source: 'a/b.rs: end' },
        about: ['flag --a', 'topic b.c'],
        holders: [
          { scenario: 'one', except: [], checks: ['ends', 'try.a-b'] },
          { scenario: '<backend>-two', except: ['claude', 'pi'], checks: ['ends'] },
        ],
      },
    ]);
  });

  test('says why nobody holds a promise, and what is no part of it', () => {
    const { promises, outside, mistakes } = readContract(
      [
        page(row('nobody: a \\| b')),
        ...[
          '',
          '## Not part of it',
          '',
          '| part of Ralph | why |',
          '|---|---|',
          '| command web | Why. |',
          '',
        ],
      ].join('\n'),
    );
    expect({ promises, outside, mistakes }).toMatchObject({
      promises: [{ holders: [], nobody: 'a | b' }],
      outside: { 'command web': 'Why.' },
      mistakes: [],
    });
  });

  test('has the promises of each class of regressions', () => {
    const { classes: found, mistakes } = readContract(
      [
        classes('### 1: One', '| exit-codes/cancelled | `a` (b) |'),
        ...['', '### 2: Two', '', '| promise | covered by |', '|---|---|'],
        '| exit-codes/cancelled | nobody: why |',
      ].join('\n'),
    );
    expect(found).toEqual([
      {
        title: 'One',
        covers: [
          { promise: 'exit-codes/cancelled', holders: [{ scenario: 'a', except: [], checks: ['b'] }] },
        ],
      },
      { title: 'Two', covers: [{ promise: 'exit-codes/cancelled', holders: [], nobody: 'why' }] },
    ]);
    expect(mistakes).toEqual([]);
  });

  test('reads lines that end as on Windows, and any divider that a page may have', () => {
    const text = page(row('`a` (b)')).replace(TABLE[1] ?? '', '| --- | :-- | --: |:-:| - |');
    expect(readContract(text.replaceAll('\n', '\r\n'))).toEqual(readContract(page(row('`a` (b)'))));
    expect(mistakesOf(text)).toEqual([]);
  });

  test('has words for people above and below a table', () => {
    expect(
      mistakesOf(`## limits\n\nWords | more.\n\n${[...TABLE, row('`a` (b)')].join('\n')}\n\nWords.`),
    ).toEqual([]);
  });

  test.each([
    ['a row with a space before it', page(`  ${row('`a` (b)')}`), /^9: expected a row that begins with "\|"/],
    ['a row without its first pipe', page('a | P | `a` (b) | e | |'), /^9: expected a row that begins/],
    ['words right below a table', page(row('`a` (b)'), 'Words.'), /^10: expected .*an empty line after/],
    ['a table with a space before it', page('', ` ${row('`a` (b)')}`), /^10: expected a row that begins/],
    [
      'a check twice',
      page(row('`a` (b), `c` (b, d, b)')),
      /^9: expected each check once, found "c: b" again/,
    ],
    ['a check of a scenario twice', page(row('`a` (b), `a` (b)')), /^9: expected each check once/],
    ['a part without a reason', outside('| a | |'), /^5: expected a part of Ralph and why/],
    ['a reason without a part', outside('| | b |'), /^5: expected a part of Ralph and why/],
    ['a part twice', outside('| a | b |', '| a | c |'), /^6: expected a part that is new, found "a" again/],
    ['a heading that is no area', '# P\n\n## Exit codes\n', /^3: expected "## ", the name of an area/],
    ['another header', `## limits\n\n| promise |\n|---|\n`, /^3: expected the header "\| id \| promise/],
    ['a cell too few', page('| a | b | c | d |'), /^9: expected 5 cells between pipes, found 4/],
    ['a cell too many', page(row('`a` (b | c)')), /^9: expected 5 cells between pipes, found 6/],
    ['a row without its last pipe', page(row('`a` (b)').slice(0, -1)), /^9: expected 5 cells/],
    ['an id with a space', page('| an id | b | `c` (d) | e | |'), /^9: expected an id .*, found "an id"$/],
    ['an id twice', page(row('`a` (b)'), row('`a` (b)')), /^10: expected an id that is new in exit-codes/],
    ['a class out of order', classes('### 2: Two'), /^15: expected "### 1: "/],
    [
      'a promise that does not exist',
      classes('### 1: One', '| limits/x | `a` (b) |'),
      /^19: expected a promise such as "tasks\/priority", found "limits\/x"/,
    ],
    [
      'a promise twice in a class',
      classes('### 1: One', ...Array.from({ length: 2 }, () => '| exit-codes/cancelled | `a` (b) |')),
      /^20: expected each promise once in a class/,
    ],
    [
      'a class without checks',
      classes('### 1: One', '| exit-codes/cancelled | `a` |'),
      /^19: expected in .*"covered by"/,
    ],
    ['a row without a source', page('| a | b | `c` (d) | | |'), /^9: expected a promise and a source$/],
    ['a row that nobody holds, without a reason', page(row('')), /^9: expected in "held by"/],
    ['a scenario without its checks', page(row('`a` (b), `c`')), /^9: expected in "held by"/],
    ['a comma at the end', page(row('`a` (b), ')), /^9: expected in "held by"/],
    ['a part that is no code', page(row('`a` (b)', ' flag --a ')), /^9: expected in "about"/],
  ])('refuses %s', (_what, text, mistake) => {
    expect(mistakesOf(text)).toEqual([expect.stringMatching(mistake)]);
  });
});
