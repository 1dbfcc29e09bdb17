import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Surroundings } from '../../../agent/face/surroundings.js';
import { isMapping } from '../../../domain/common/strict.js';

/** Whether the user has trusted the folder. Ralph does not do it, so Gemini refuses to work in a new folder. */
export function isTrusted({ env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): boolean {
  if (env.GEMINI_CLI_TRUST_WORKSPACE === 'true') return true;
  const home = join(env.GEMINI_CLI_HOME ?? env.HOME ?? '/', '.gemini');
  if (readSetting(readJson(join(home, 'settings.json')), 'security', 'folderTrust', 'enabled') === false)
    return true;
  const folders = readJson(join(home, 'trustedFolders.json'));
  return Object.entries(isMapping(folders) ? folders : {}).some(([folder, answer]) =>
    answer === 'TRUST_FOLDER'
      ? isInside(cwd, folder)
      : answer === 'TRUST_PARENT' && isInside(cwd, dirname(folder)),
  );
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../');
}

function readSetting(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isMapping(inner) ? inner[name] : undefined), value);
}

function readJson(path: string): unknown {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The real CLI warns about settings that it cannot read and continues without them.
    return undefined;
  }
}
