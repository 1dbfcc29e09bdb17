import { expect, test } from 'vitest';
import {
  applyEdits,
  bytes,
  type Change,
  collides,
  type OwnEdit,
  placeOwn,
} from '../../../scripts/mutants/place.mjs';

/** Places own mutants in a text and returns the new text. */
function place(text: string, ...edits: Pick<OwnEdit, 'id' | 'find' | 'replace'>[]): string {
  const found = placeOwn(
    bytes(text),
    edits.map((edit) => ({ file: 'ralph-core/src/a.rs', ...edit })),
  );
  return Buffer.from(applyEdits(bytes(text), found, []).text, 'latin1').toString('utf8');
}

const ON = (id: string) => `crate::mutant_switch::on("${id}")`;

test('an edit replaces its text, and only there', () => {
  expect(
    place('let a = 1;\nlet b = 2;', {
      id: 'b-is-3',
      find: 'b = 2',
      replace: 'b = if mutant!() { 3 } else { 2 }',
    }),
  ).toBe(`let a = 1;\nlet b = if ${ON('b-is-3')} { 3 } else { 2 };`);
});

test('text after characters of several bytes is found', () => {
  expect(place('// – ✓ –\nx > 1', { id: 'm', find: 'x > 1', replace: 'x > 1 || mutant!()' })).toBe(
    `// – ✓ –\nx > 1 || ${ON('m')}`,
  );
});

test('a dollar sign in the new text is only a dollar sign', () => {
  expect(place('a', { id: 'm', find: 'a', replace: '"$&" mutant!()' })).toBe(`"$&" ${ON('m')}`);
});

test('a text that is missing or ambiguous names the mutant, the file and the count', () => {
  expect(() => place('a', { id: 'lost', find: 'b', replace: '' })).toThrow(
    /lost: .* not in ralph-core\/src\/a\.rs/,
  );
  expect(() => place('a a a', { id: 'twice', find: 'a', replace: '' })).toThrow(
    /twice: .* 3 times in ralph-core\/src\/a\.rs/,
  );
});

test('a mutant inside of what another one keeps is placed in all its copies', () => {
  const text = place(
    '{ f(x); g(); }',
    { id: 'inner', find: 'f(x)', replace: 'f(mutant!())' },
    { id: 'outer', find: 'f(x); g();', replace: 'if mutant!() { f(x); } else { f(x); g(); }' },
  );
  expect(text).toBe(`{ if ${ON('outer')} { f(${ON('inner')}); } else { f(${ON('inner')}); g(); } }`);
});

test('a mutant inside of what another one removes is refused with both names', () => {
  expect(() =>
    place(
      'f(x); g();',
      { id: 'inner', find: 'f(x)', replace: 'mutant!()' },
      { id: 'outer', find: 'f(x); g();', replace: 'mutant!()' },
    ),
  ).toThrow(/inner: .* overlaps with outer/);
});

/** Wraps a part of a text, as a drawn change does. */
function wrap(text: string, part: string, id: string, kind = 'compare'): Change {
  const start = text.indexOf(part);
  const end = start + part.length;
  return {
    id,
    kind,
    start,
    end,
    edits: [
      { role: 'open', start, end: start, text: `${id}(` },
      { role: 'close', start: end, end, text: `)${id}` },
    ],
  };
}

test.each([[['inner', 'outer']], [['outer', 'inner']]])(
  'nested changes with a common begin or end nest (%s first)',
  (order) => {
    const text = 'a == b && c == d';
    const changes = { inner: wrap(text, 'a == b', 'inner'), outer: wrap(text, text, 'outer') };
    const last = wrap(text, 'c == d', 'last');
    const picked = order.map((name) => (name === 'inner' ? changes.inner : changes.outer));
    expect(applyEdits(text, [], [...picked, last]).text).toBe(
      'outer(inner(a == b)inner && last(c == d)last)outer',
    );
  },
);

test('the first statement of a function comes before a change at the same place', () => {
  const text = '{a == b}';
  const body: Change = {
    id: 'body',
    kind: 'body',
    start: 1,
    end: 1,
    edits: [{ role: 'open', start: 1, end: 1, text: 'return;' }],
  };
  expect(applyEdits(text, [], [wrap(text, 'a == b', 'x'), body]).text).toBe('{return;x(a == b)x}');
});

test('each region covers what its mutant became', () => {
  const text = 'a == b; keep';
  const own = placeOwn(text, [{ id: 'own', file: 'f', find: 'keep', replace: 'mutant!()' }]);
  const { text: made, regions } = applyEdits(text, own, [wrap(text, 'a == b', 'drawn')]);
  const shown = regions.map(({ ids, start, end }) => [ids, made.slice(start, end)]);
  expect(shown).toEqual([
    [['drawn'], 'drawn(a == b)drawn'],
    [['own'], ON('own')],
  ]);
});

test('a change collides with an own mutant only if it would edit the same text', () => {
  const text = 'f(a == b)';
  const inside = placeOwn(text, [{ id: 'own', file: 'f', find: 'a ==', replace: 'mutant!()' }]);
  expect(collides(wrap(text, 'a == b', 'x'), inside)).toBe(true);
  const around = placeOwn(text, [{ id: 'own', file: 'f', find: 'b', replace: 'mutant!()' }]);
  expect(collides(wrap(text, 'f(a == b)', 'x'), around)).toBe(false);
});
