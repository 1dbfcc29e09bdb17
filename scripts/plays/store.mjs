import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Plays on disk: one JSON line each. Long values that occur twice, such as sections of prompts, are lines of texts.jsonl. */

const TEXTS = 'texts.jsonl';
/** Shorter values are not worth a number. */
const LONG = 60;
/** Longer ones are looked into, unless they are texts. */
const WHOLE = 1000;

/**
 * Reads the plays of a folder, by file.
 * @param {string} folder
 * @returns {Map<string, unknown[]>}
 */
export function readPlays(folder) {
  const texts = existsSync(`${folder}/${TEXTS}`) ? readLines(`${folder}/${TEXTS}`) : [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl') && name !== TEXTS);
  return new Map(
    files.map((name) => [name, readLines(`${folder}/${name}`).map((play) => unpack(play, texts))]),
  );
}

/**
 * Writes all plays of a folder, sorted by their first field.
 * @param {string} folder
 * @param {ReadonlyMap<string, readonly unknown[]>} files
 */
export function writePlays(folder, files) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const plays of files.values()) {
    pack(plays, (json) => {
      counts.set(json, (counts.get(json) ?? 0) + 1);
      return undefined;
    });
  }
  const shared = [...counts].filter(([, count]) => count > 1).map(([json]) => json);
  const numbers = new Map(shared.map((json, number) => [json, number]));
  for (const [name, plays] of files) {
    const lines = plays.map((play) => JSON.stringify(pack(play, (json) => numbers.get(json))));
    writeLines(`${folder}/${name}`, lines.toSorted());
  }
  writeLines(`${folder}/${TEXTS}`, shared);
}

/**
 * Replaces long values by their numbers, as far as `numberOf` knows one. A text is cut at its headings.
 * @param {unknown} value
 * @param {(json: string) => number | undefined} numberOf
 * @returns {unknown}
 */
function pack(value, numberOf) {
  if (typeof value === 'string' && value.length >= LONG) {
    const parts = value.split(/(?<=\n)(?=#{2,4} )/).map((part) => numberOf(JSON.stringify(part)) ?? part);
    return parts.every((part) => typeof part === 'string') ? value : { $: parts };
  }
  if (value === null || typeof value !== 'object') return value;
  const json = JSON.stringify(value);
  const number = json.length >= LONG && json.length <= WHOLE ? numberOf(json) : undefined;
  if (number !== undefined) return { $: number };
  if (Array.isArray(value)) return value.map((one) => pack(one, numberOf));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, pack(one, numberOf)]));
}

/**
 * Undoes `pack`.
 * @param {unknown} value
 * @param {readonly unknown[]} texts
 * @returns {unknown}
 */
function unpack(value, texts) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one) => unpack(one, texts));
  const packed = '$' in value ? value.$ : undefined;
  if (typeof packed === 'number') return texts[packed];
  if (Array.isArray(packed)) {
    return packed.map((part) => (typeof part === 'number' ? texts[part] : part)).join('');
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, unpack(one, texts)]));
}

/**
 * @param {string} path
 * @returns {unknown[]}
 */
function readLines(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/**
 * @param {string} path
 * @param {readonly string[]} lines
 */
function writeLines(path, lines) {
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
}
