import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';

/** OpenCode's reaction to a file it may not read: it rejects the read automatically, and exits with 0. */
export interface Rejection {
  readonly result: string;
  /** The lines on stderr; with `--format json` only the first. */
  readonly lines: readonly string[];
}

/** The model never sees this: the run ends with it. */
export const REJECTION = 'The user rejected permission to use this specific tool call.';

/** Checks whether OpenCode rejects reading a file: outside its folder it asks first, and nobody can answer. */
export function rejectReading(
  path: string,
  { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>,
  options: readonly string[],
): Rejection | null {
  if (!relative(cwd, path).startsWith('..')) return null;
  if (options.includes('--auto') || listPermissions(cwd, env).some(allowsOutside)) return null;
  const result = REJECTION;
  const asked = `permission requested: external_directory (${join(dirname(path), '*')})`;
  return { result, lines: [`! ${asked}; auto-rejecting`, `✗ Read ${path} failed`, `Error: ${result}`] };
}

/** One variable contains the permissions directly; settings, in a file or another variable, have them under a key. */
function listPermissions(cwd: string, env: Surroundings['env']): readonly unknown[] {
  const settings = [readText(join(cwd, 'opencode.json')), env.OPENCODE_CONFIG_CONTENT];
  return [parse(env.OPENCODE_PERMISSION), ...settings.map((text) => fieldOf(parse(text), 'permission'))];
}

function allowsOutside(permission: unknown): boolean {
  const outside = fieldOf(permission, 'external_directory');
  return permission === 'allow' || outside === 'allow' || Object.values(Object(outside)).includes('allow');
}

function fieldOf(value: unknown, name: string): unknown {
  return new Map<string, unknown>(Object.entries(Object(value))).get(name);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Most projects have none.
    return undefined;
  }
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // Settings that cannot be read allow nothing.
    return null;
  }
}
