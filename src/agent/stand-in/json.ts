import { isMapping, parseJson } from '../../domain/common/json-lines.js';

/** Returns an unchecked value as a mapping, or an empty one. */
export function asMapping(value: unknown): Record<string, unknown> {
  return isMapping(value) ? value : {};
}

/** Parses a JSON object. Null if the text is not JSON; other values than objects are empty mappings. */
export function parseMapping(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return value === undefined ? null : asMapping(value);
}

/** Returns the text of a message, which is a string or a list of blocks. */
export function textOfBlocks(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks
    .map(asMapping)
    .flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
    .join('\n');
}
