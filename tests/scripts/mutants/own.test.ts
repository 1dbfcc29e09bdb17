import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseOwnMutants, readOwnMutants } from '../../../scripts/mutants/own.mjs';

const MUTANT = `
- id: promise-anywhere
  area: completion
  file: ralph-core/src/event_parser.rs
  breaks: The promise counts only on the last line.
  find: a
  replace: a || mutant!()
`;

test('a mutant with one edit', () => {
  expect(parseOwnMutants(MUTANT, 'completion.yaml')).toMatchObject([
    {
      id: 'promise-anywhere',
      equivalent: null,
      edits: [
        {
          id: 'promise-anywhere',
          file: 'ralph-core/src/event_parser.rs',
          find: 'a',
          replace: 'a || mutant!()',
        },
      ],
    },
  ]);
});

test('a mutant with edits in two files', () => {
  const text = MUTANT.replace(
    /\n {2}find:[\s\S]*/,
    `
  edits:
    - { find: a, replace: "a || mutant!()" }
    - { file: ralph-cli/src/main.rs, find: b, replace: c }
`,
  );
  expect(parseOwnMutants(text, 'x.yaml')[0]?.edits.map(({ file }) => file)).toEqual([
    'ralph-core/src/event_parser.rs',
    'ralph-cli/src/main.rs',
  ]);
});

test.each([
  ['a misspelled key', MUTANT.replace('breaks:', 'brakes:'), /completion\.yaml:[\s\S]*brakes/],
  [
    'a file outside of the crates',
    MUTANT.replace('ralph-core/src', 'ralph-core/tests'),
    /expected a source file/,
  ],
  ['neither text nor edits', MUTANT.replace(/\n {2}find: a/, ''), /either find and replace, or edits/],
  [
    'a change that is always on',
    MUTANT.replace(' || mutant!()', ' || true'),
    /promise-anywhere: expected mutant!\(\)/,
  ],
])('%s is refused', (_, text, message) => {
  expect(() => parseOwnMutants(text, 'completion.yaml')).toThrow(message);
});

test('the committed mutants can be read, and their ids differ', () => {
  const folder = fileURLToPath(new URL('../../mutants/own', import.meta.url));
  expect(readOwnMutants(folder).length).toBeGreaterThanOrEqual(80);
});
