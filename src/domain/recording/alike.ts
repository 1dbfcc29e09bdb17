/**
 * What may differ between two runs that went the same way: the folder, and what Ralph makes from the clock or at random.
 * Everything else in a prompt is content.
 */
const SPOT = new RegExp(
  [
    // Ids of memories and tasks: seconds since 1970, and four random digits.
    /\b(?:mem|task)-\d{9,11}-[0-9a-f]{4}\b/,
    // Ids of loops, and names of event files and of folders with diagnostics.
    /\b\d{8}-\d{6}(?:-[0-9a-f]{4,8})?\b/,
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/,
    /\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]\d\d[:-]\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?)?/,
    // How old a memory or a task is.
    /\b(?:\d{1,6} ?(?:s|m|h|d|seconds?|minutes?|hours?|days?) ago|just now|today|yesterday)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

const WORKSPACE = '<workspace>';

/** A text from a run, and the folder of that run. */
export interface Placed {
  readonly text: string;
  readonly workspace: string;
}

/** Whether two texts say the same. */
export type Likeness =
  | {
      readonly alike: true;
      /** What has another name now: ids and dates, by their old name. */
      readonly renamed: ReadonlyMap<string, string>;
    }
  | {
      readonly alike: false;
      /** The lines that differ: the old with `-`, the new with `+`. */
      readonly difference: string;
    };

/** Compares a text of a recorded run with that of another run. */
export function compareTexts(recorded: Placed, received: Placed): Likeness {
  const [before, after] = [neutralize(recorded), neutralize(received)];
  if (before.skeleton !== after.skeleton) {
    return { alike: false, difference: describeDifference(before.skeleton, after.skeleton) };
  }
  const renamed = new Map<string, string>();
  for (const [index, old] of before.spots.entries()) {
    const now = after.spots[index] ?? old;
    const known = renamed.get(old);
    // Two moments may be one second in one run and two in the other. An id is one thing.
    if (known !== undefined && known !== now && isId(old)) {
      return { alike: false, difference: `- ${old} (again)\n+ ${known}, then ${now}` };
    }
    if (known === undefined) renamed.set(old, now);
  }
  return { alike: true, renamed };
}

/** Writes a recorded text as the new run would have it: in its folder, and with its ids. */
export function renameIn(
  text: string,
  { from, to, renamed }: { from: string; to: string; renamed: ReadonlyMap<string, string> },
): string {
  return text.replaceAll(from, to).replace(SPOT, (spot) => renamed.get(spot) ?? spot);
}

function isId(spot: string): boolean {
  return /^(?:mem|task)-/.test(spot);
}

function neutralize({ text, workspace }: Placed): { skeleton: string; spots: readonly string[] } {
  const spots: string[] = [];
  const skeleton = text
    .trim()
    .replaceAll(workspace, WORKSPACE)
    .replace(SPOT, (spot) => {
      spots.push(spot);
      return isId(spot) ? '<id>' : '<time>';
    });
  return { skeleton, spots };
}

const MOST_LINES = 12;
const LONGEST_LINE = 200;

/** Shows what is between the common beginning and the common end of two texts. */
function describeDifference(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const context = start === 0 ? [] : [`  ${cut(old[start - 1] ?? '')}`];
  return [
    ...context,
    ...mark('-', old.slice(start, old.length - end)),
    ...mark('+', now.slice(start, now.length - end)),
  ].join('\n');
}

function mark(sign: string, lines: readonly string[]): string[] {
  const more = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES).map((line) => `${sign} ${cut(line)}`),
    ...(more > 0 ? [`${sign} (${more} more lines)`] : []),
  ];
}

function cut(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
