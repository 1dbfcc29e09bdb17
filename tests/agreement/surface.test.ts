import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSurface } from '../contract/read-surface.js';
import { realPrograms, requireProgram } from '../real/programs.js';

const RECORD = new URL('../contract/surface.json', import.meta.url);

test('the recorded surface of Ralph is that of the real one', () => {
  const surface = readSurface(requireProgram('ralph'), realPrograms().ralph.version);
  if (process.env.UPDATE_SURFACE) writeFileSync(RECORD, `${JSON.stringify(surface, null, 2)}\n`);
  expect(JSON.parse(readFileSync(RECORD, 'utf8'))).toEqual(surface);
});
