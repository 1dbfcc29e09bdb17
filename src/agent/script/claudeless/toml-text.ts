import { isMapping } from '../../../domain/common/strict.js';

/** Writes a claudeless file as TOML the way people do: rules as `[[responses]]`, patterns and turns inline. */
export function writeToml(data: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const { responses, ...rest } = data;
  const plain = Object.entries(rest).filter(([, value]) => !isMapping(value));
  const tables = Object.entries(rest).filter(([, value]) => isMapping(value));
  const rules = (Array.isArray(responses) ? responses : []).map((rule, index) => {
    const comment = names[index] === undefined ? [] : [`# ${names[index].replace(/\s+/g, ' ')}`];
    return [...comment, '[[responses]]', ...writeEntries(rule)].join('\n');
  });
  const blocks = [
    plain.map(([key, value]) => `${writeKey(key)} = ${writeValue(value)}`).join('\n'),
    ...tables.map(([key, value]) => [`[${writeKey(key)}]`, ...writeEntries(value)].join('\n')),
    ...rules,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function writeEntries(table: unknown): string[] {
  return Object.entries(isMapping(table) ? table : {}).map(([key, value]) => {
    const long = Array.isArray(value) && value.some(isMapping);
    return `${writeKey(key)} = ${long ? writeLongList(value) : writeValue(value)}`;
  });
}

function writeLongList(list: readonly unknown[]): string {
  return `[\n${list.map((item) => `    ${writeValue(item)},\n`).join('')}]`;
}

function writeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeValue).join(', ')}]`;
  if (value instanceof Date) return value.toISOString();
  if (isMapping(value)) {
    const entries = Object.entries(value).map(([key, item]) => `${writeKey(key)} = ${writeValue(item)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? writeText(value) : String(value);
}

function writeKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : writeText(key);
}

/** TOML uses JSON's escapes, and also escapes DEL. */
function writeText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}
