import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoteCommand } from '../../../src/report/text/safe-text.js';

it('is read back by a real shell as the same words', () => {
  const word = fc
    .array(
      fc.constantFrom(
        "'",
        '"',
        '$HOME',
        '`id`',
        '\\',
        ' ',
        '*',
        '~',
        '!',
        '=',
        '#',
        ';',
        '&',
        'ä',
        'x',
        '-',
        '\n',
      ),
      {
        maxLength: 6,
      },
    )
    .map((pieces) => pieces.join(''));
  const cases = fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), { numRuns: 200, seed: 7 });
  const script = cases.map((words) => quoteCommand(['printf', '%s\\0', ...words])).join('\n');
  const output = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(output.split('\0').slice(0, -1)).toEqual(cases.flat());
});

it('leaves plain words as they are, so that commands stay readable', () => {
  expect(quoteCommand(['ralph-e2e', 'claude', '--filter', 'hat-single', '--output', './a b'])).toBe(
    "ralph-e2e claude --filter hat-single --output './a b'",
  );
});
