import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let found: string | undefined;

/** Finds the folder of our own package.json, from the sources, from dist/ or from an installed package. */
export function packageRoot(): string {
  found ??= findPackageRoot(dirname(fileURLToPath(import.meta.url)));
  return found;
}

/** Reads our own version from package.json. */
export function harnessVersion(): string {
  return readPackage().version;
}

/** Lists the packages that we use. */
export function usedPackages(): string[] {
  return Object.keys(readPackage().dependencies);
}

function readPackage(): {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
} {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
}

function findPackageRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (readPackageName(join(folder, 'package.json')) === 'ralph-e2e') return folder;
    if (folder === dirname(folder)) {
      throw new Error(
        `expected a package.json with the name ralph-e2e above ${start}, found none. Reinstall ralph-e2e.`,
      );
    }
  }
}

function readPackageName(path: string): unknown {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof content === 'object' && content !== null && 'name' in content ? content.name : undefined;
  } catch {
    // No package.json here, or one that cannot be read: look further up.
    return undefined;
  }
}
