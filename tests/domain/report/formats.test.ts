import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REPORT_FORMATS } from '../../../src/domain/report/formats.js';

test.each(REPORT_FORMATS)('docs name the format $name', ({ name, file, reader }) => {
  expect(readFileSync('docs/reports.md', 'utf8')).toContain(`| \`${name}\` | \`${file}\` | ${reader}`);
  expect(readFileSync('docs/cli.md', 'utf8')).toMatch(new RegExp(`--report <formats>.*\\b${name}\\b`));
});
