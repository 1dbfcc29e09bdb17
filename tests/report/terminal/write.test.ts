import { expect, it } from 'vitest';
import { command, fold, paragraph, quoteBlock } from '../../../src/report/content/content.js';
import { wrapText } from '../../../src/report/terminal/layout.js';
import { writeTerminal } from '../../../src/report/terminal/write.js';

it('keeps a command on a line of its own, however long it is, and says where to find what is long', () => {
  const words = Array.from({ length: 20 }, (_, index) => `--option ${index}`).join(' ');
  const lines = writeTerminal(
    [
      ...command(`ralph-e2e ${words}`),
      quoteBlock('Output', 'x'.repeat(900), { limit: 400, whole: null }),
      ...fold('', 'Files', [paragraph('a.txt')]),
    ],
    { columns: 60, indent: 2 },
  );
  expect(wrapText(lines.join('\n'), { isTTY: true, columns: 60 }).split('\n')).toEqual([
    `  ralph-e2e ${words}`,
    '  Output: see the report',
    '  Files: see the report',
  ]);
});
