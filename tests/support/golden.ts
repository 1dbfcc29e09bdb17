import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** Compares a text with a file in git. `UPDATE_GOLDEN=1` writes the file. */
export function expectGolden(file: URL, text: string): void {
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, text);
  }
  const golden = existsSync(file) ? readFileSync(file, 'utf8') : '';
  expect(text, `${fileURLToPath(file)} differs. If you meant it, set UPDATE_GOLDEN=1 and read git diff`).toBe(
    golden,
  );
}
