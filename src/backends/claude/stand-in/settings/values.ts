import { isMapping } from '../../../../domain/common/strict.js';

/** Settings that the real program refuses. */
export class SettingsError extends Error {}

/** Settings that the real program silently ignores. A test should not. */
export class IgnoredSettings extends Error {}

/** Parses the text of a JSON object. */
export function parseObject(text: string, where: string): Record<string, unknown> {
  try {
    return toRecord(JSON.parse(text));
  } catch {
    throw new IgnoredSettings(`invalid JSON in the settings (${where})`);
  }
}

/** Returns an unchecked value as a record, or an empty one. */
export function toRecord(value: unknown): Record<string, unknown> {
  return isMapping(value) ? value : {};
}

/** Returns an unchecked value as a list, or an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an unchecked value as a text, or undefined. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
