import { expect, test } from 'vitest';
import { sort } from '../sort-commands.js';

test('sed prints lines by their numbers, or replaces text in its input', () => {
  const allowed = [
    ...[
      "sed -n '1,3p; 5p' a.txt",
      'sed -nE 1p a.txt',
      'sed -z -n p a.txt',
      'sed --quiet 1p -- a.txt',
      'sed 1p -n a.txt',
    ],
    ...[
      "sed 's/a b/c d/g'",
      "sed -E 's/a/b/2g'",
      "sed 's/a*/b/pI'",
      "sed 's/a/b/' --",
      'cat a.txt | sed s/a/b/',
    ],
  ];
  const refused = [
    ...[
      "sed -n '1p;' a.txt",
      'sed -n -s 1p a.txt',
      "sed -n '$p' a.txt",
      'sed -n -e 1p a.txt',
      "sed -n '1!p'",
    ],
    ...[
      'sed s/a/b/ a.txt',
      "sed -n 's/a/b/p'",
      "sed 's/a/b/e'",
      "sed 's/a/b/22'",
      "sed 's#a#b#'",
      "sed 's/a;b/c/'",
    ],
    ...[
      "sed 's/a{1}/b/'",
      "sed 's/é/b/'",
      "sed 's/a/$HOME/'",
      'sed -n 1p ../x',
      "sed -e 's/a/b/'",
      'sed 1d a.txt',
    ],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});
