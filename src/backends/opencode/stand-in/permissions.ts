import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Surroundings } from '../../../agent/face/surroundings.js';

/** What OpenCode makes of a file that it has no permission for: it rejects the reading by itself, and exits 0. */
export interface Rejection {
  readonly result: string;
  /** What it says on stderr; with `--format json` the first line only. */
  readonly lines: readonly string[];
}

/** What the model is never told: the run ends with it. */
export const REJECTION = 'The user rejected permission to use this specific tool call.';

/** Whether reading a file is rejected: outside its folder OpenCode asks first, and nobody is there to answer. */
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

/** The variable holds permissions; settings, of the project or in a variable, hold them under a key. */
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
