import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

/** The folder of our own package.json, from the sources as well as from dist/ or an installed package. */
export function packageRoot(): string {
  found ??= findPackageRoot(dirname(fileURLToPath(import.meta.url)));
  return found;
}

function findPackageRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (readPackageName(join(folder, 'package.json')) === 'ralph-e2e') return folder;
    if (folder === dirname(folder)) {
      throw new Error(
        `expected a package.json with the name ralph-e2e above ${start}, found none: reinstall ralph-e2e`,
      );
    }
  }
}

function readPackageName(path: string): unknown {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof content === 'object' && content !== null && 'name' in content ? content.name : undefined;
  } catch {
    // No package.json here, or not ours to judge: look further up.
    return undefined;
  }
}
