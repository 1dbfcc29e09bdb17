import { expect, test } from 'vitest';
import { sort } from '../sort-commands.js';

test('the text of a here-document is data, but a sum in it cannot be told from code', () => {
  const allowed = ['cat <<\\E\n$(rm -rf .) `ls` $HOME\nE', "cat <<'E'\n$((1))\nE"];
  const refused = ['cat <<\\E\n$((1))\nE', 'cat <<\\E\n$[1]\nE', 'cat <<\\E #x\nx\nE', "cat <<'E'\nE)\nE"];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
  const summing = ['cat <<\\E\n$((1))\nE', 'cat <<\\E; ls\n$((1))\nE', "cat <<'E'; echo $((1))\nx\nE"];
  const plain = ['echo $((1))', "cat <<'E'\n$((1))\nE", 'cat <<E\n$((1))\nE'];
  expect(sort([...plain, ...summing], { mode: 'bypassPermissions' })).toEqual({
    allowed: plain,
    refused: summing,
  });
});
