import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { IgnoredSettings, parseObject, SettingsError, toRecord } from './values.js';

/** One settings file, or the settings in the call. */
export interface SettingsDocument {
  readonly source: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly directories: readonly string[];
  readonly defaultMode: string | undefined;
  readonly bypassDisabled: boolean;
}

/** Reads a settings file. */
export function readSettingsFile(source: string, file: string): SettingsDocument {
  return toDocument(source, parseObject(readFileSync(file, 'utf8'), file), file);
}

/** Reads the value of `--settings`: JSON, or the path of a file. */
export function readGiven(value: string, cwd: string): SettingsDocument {
  if (value.trim().startsWith('{')) return toDocument('flag', parseObject(value, '--settings'), '--settings');
  const file = resolve(cwd, value);
  if (!existsSync(file)) throw new SettingsError(`Error: Settings file not found: ${file}`);
  return readSettingsFile('flag', file);
}

function toDocument(
  source: string,
  content: Readonly<Record<string, unknown>>,
  where: string,
): SettingsDocument {
  const permissions = toRecord(content.permissions);
  const texts = (key: string) => {
    const value = permissions[key] ?? [];
    if (!Array.isArray(value)) throw new IgnoredSettings(`permissions.${key} in ${where} is not a list`);
    return value.filter((item) => typeof item === 'string');
  };
  const { defaultMode, disableBypassPermissionsMode } = permissions;
  // Whether there is a sandbox, and what it allows, depends on the machine.
  if (toRecord(content.sandbox).enabled === true) throw new IgnoredSettings(`a sandbox (${where})`);
  if (defaultMode !== undefined && (typeof defaultMode !== 'string' || !MODES.includes(defaultMode))) {
    throw new IgnoredSettings(`permissions.defaultMode ${JSON.stringify(defaultMode)} in ${where}`);
  }
  const rules = (key: string) => texts(key).flatMap((rule) => anchor(source, rule));
  return {
    source,
    content,
    allow: rules('allow'),
    deny: rules('deny'),
    ask: rules('ask'),
    directories: texts('additionalDirectories'),
    defaultMode,
    bypassDisabled: disableBypassPermissionsMode === 'disable',
  };
}

const MODES = ['acceptEdits', 'bypassPermissions', 'default', 'dontAsk', 'manual', 'plan'];

/**
 * Leaves out a rule that cannot be read. A path that starts with one slash belongs to the folder of the settings: the
 * project, or one that has nothing to do with it.
 */
function anchor(source: string, rule: string): string[] {
  if (!/^[^()]+(?:\(.*\))?$/s.test(rule)) return [];
  const path = /^(\w+)\((\/[^/].*)\)$/s.exec(rule);
  if (path === null || path[1] === 'Bash') return [rule];
  return source === 'project' || source === 'local' ? [rule] : [];
}
