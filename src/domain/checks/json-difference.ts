import type { Difference } from '../check.js';
import { shortenPair } from '../common/shorten-pair.js';
import { type JsonValue, matches, showJson, type WantedJson } from './wanted-json.js';

/** The most differences that a result keeps, and the most characters of each value. */
const MOST = 6;
const MOST_LENGTH = 160;

/**
 * Compares what is wanted, or one of several such things, with the document that comes closest, and returns only the
 * differences. None if several documents have little in common with it: then it is missing, and no other one is wrong.
 */
export function findClosest(documents: readonly JsonValue[], ...wanted: readonly WantedJson[]): Difference[] {
  const [closest] = documents
    .flatMap((document) => wanted.map((one) => ({ one, differences: compare(document, one, '') })))
    .sort((a, b) => a.differences.length - b.differences.length);
  if (closest === undefined) return [];
  const { one, differences } = closest;
  const isOther = documents.length > 1 && 2 * differences.length > countParts(one);
  return isOther ? [] : differences.slice(0, MOST);
}

function countParts(wanted: WantedJson): number {
  if (wanted === null || typeof wanted !== 'object' || wanted instanceof RegExp) return 1;
  return Object.values(wanted).reduce((sum: number, part) => sum + countParts(part), 0);
}

/** Every place that differs, the innermost ones only. */
function compare(found: JsonValue, wanted: WantedJson, path: string): Difference[] {
  if (matches(found, wanted)) return [];
  if (Array.isArray(wanted) && Array.isArray(found)) return compareLists(found, wanted, path);
  if (!isObject(wanted) || !isObject(found)) return [differ(path, wanted, found)];
  return Object.entries(wanted).flatMap(([field, part]) => {
    const value = found[field];
    const at = path === '' ? field : `${path}.${field}`;
    return value === undefined ? [differ(at, part, undefined)] : compare(value, part, at);
  });
}

/** Items that are in one list only. Where one of each is left, they are compared with each other. */
function compareLists(
  found: readonly JsonValue[],
  wanted: readonly WantedJson[],
  path: string,
): Difference[] {
  const extra = found.map((item, index) => ({ item, at: `${path}[${index}]` }));
  const lacking = wanted.filter((one) => {
    const at = extra.findIndex(({ item }) => matches(item, one));
    if (at !== -1) extra.splice(at, 1);
    return at === -1;
  });
  if (lacking.length + extra.length === 0)
    return [
      {
        path,
        wanted: shortenPair(showJson(wanted), '', MOST_LENGTH)[0],
        found: 'the same items in another order',
      },
    ];
  if (lacking.length === extra.length)
    return lacking.flatMap((one, index) => {
      const other = extra[index];
      return other === undefined ? [] : compare(other.item, one, other.at);
    });
  const fields = new Set(wanted.flatMap((one) => (isObject(one) ? Object.keys(one) : [])));
  return [
    ...lacking.map((one) => differ(path, one, undefined)),
    ...extra.map(({ item }) => differ(path, undefined, pick(item, fields))),
  ];
}

/** Keeps the fields that the wanted items are about, if there are any. */
function pick(item: JsonValue, fields: ReadonlySet<string>): JsonValue {
  if (!isObject(item)) return item;
  const kept = Object.entries(item).filter(([field]) => fields.has(field));
  return kept.length === 0 ? item : Object.fromEntries(kept);
}

function differ(path: string, wanted: WantedJson | undefined, found: JsonValue | undefined): Difference {
  const [one, other] = [
    wanted === undefined ? '' : showJson(wanted),
    found === undefined ? '' : JSON.stringify(found),
  ];
  const [shownWanted, shownFound] = shortenPair(one, other, MOST_LENGTH);
  return {
    path,
    wanted: wanted === undefined ? null : shownWanted,
    found: found === undefined ? null : shownFound,
  };
}

function isObject(value: WantedJson): value is { readonly [field: string]: WantedJson };
function isObject(value: JsonValue): value is { [field: string]: JsonValue };
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RegExp);
}
