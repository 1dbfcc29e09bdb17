import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './exec/files/package-root.js';

/** Reads our own version from package.json. */
export function harnessVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
  );
  return version;
}
