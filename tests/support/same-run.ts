import { reportSchema } from '../../src/domain/report/report.js';

/** What differs between two runs of the same tests, and what stands for it. The first that matches counts. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  // Where a long text is cut depends on how many digits its times have.
  [/[^\n]*\n\[… \d+ characters left out[^\n]*\n[^\n]*/g, '<cut>'],
  [/(?:\/[\w.-]+)+\/run-\d(?![\w-])/g, '<folder>'],
  [/(?<=--output )run-\d/g, '<folder>'],
  [/\d{8}-\d{6}-[0-9a-f]{6,9}/g, '<run>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>'],
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>'],
  [/(?<=(?:msg|toolu|req)_)\w+/g, '<id>'],
  [/(?<=(?:mem|task)-)\d+-[0-9a-f]+/g, '<id>'],
  // Ten characters of a random word may be those of a commit.
  [/(?<![0-9a-z])[a-f]{6}\d{4}(?![0-9a-z])/g, '<nonce>'],
  [/(?<![0-9a-z])[0-9a-f]{7,40}(?![0-9a-z])/g, '<commit>'],
  [/[a-z]{6}\d{4}|\d{4}[a-z]{6}/gi, '<nonce>'],
  [/\d+(?:\.\d+)?/g, '<number>'],
];

/** Numbers that differ, by their names: times, and lengths of texts with random numbers. */
const NUMBERS = /_seconds$|^duration|^start$|^stop$|bytes|tokens|^actual$|^characters$/;

/** What a merged report has for itself, and what stays on the machines of the shards. */
const OWN = {
  shards: () => null,
  workspace: () => null,
  kept_workspaces: () => null,
  artifacts: (value: unknown) =>
    Array.isArray(value)
      ? value.filter((one) => !String(one?.description).startsWith('Workspace of'))
      : value,
} satisfies Record<string, (value: unknown) => unknown>;

/** Masks what differs from run to run in a text. */
export function maskText(text: string): string {
  return TEXTS.reduce((masked, [pattern, name]) => masked.replace(pattern, name), text);
}

/** Masks what differs from run to run in a report. */
export function maskReport(json: string): unknown {
  return maskValue(reportSchema.parse(JSON.parse(json)), '');
}

/** Masks what differs from run to run in data. */
function maskValue(value: unknown, name: string): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'number') return NUMBERS.test(name) ? '<number>' : value;
  if (Array.isArray(value)) {
    // Lines of one text: a cut has lines before and after it.
    if (value.every((one) => typeof one === 'string')) return maskText(value.join('\n')).split('\n');
    return value.map((one) => maskValue(one, name));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const own = Object.entries(OWN).find(([known]) => known === key)?.[1];
      return [key, maskValue(own === undefined ? inner : own(inner), key)];
    }),
  );
}
