import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileTools } from '../../../../../src/backends/claude/stand-in/tools/files.js';
import { tempFolder } from '../../../../support/cli.js';

/** The difference that Write reports when it replaces a text. */
function patchOf(before: string, content: string) {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'a.txt'), before);
  const tools = new FileTools(cwd, '/');
  tools.read({ file_path: 'a.txt' });
  return tools.write({ file_path: 'a.txt', content }).details;
}

test('a difference has three lines around it and says where a line end is missing', () => {
  const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].join('\n');
  expect(patchOf(before, before.replace('5', 'five'))).toMatchObject({
    structuredPatch: [
      {
        ...{ oldStart: 2, oldLines: 7, newStart: 2, newLines: 7 },
        lines: [' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
      },
    ],
  });
  expect(patchOf('a\n', 'b')).toMatchObject({
    structuredPatch: [
      {
        ...{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
        lines: ['-a', '+b', '\\ No newline at end of file'],
      },
    ],
  });
});
