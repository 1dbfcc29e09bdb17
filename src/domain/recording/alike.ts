import { structuredPatch } from 'diff';

/**
 * What may differ between two runs that went the same way, in addition to the folder: what Ralph makes from the clock or
 * at random. In this order: ids of memories and tasks, ids of loops and names of their files, UUIDs, dates and times, and
 * how old something is. Everything else in a prompt is content.
 */
const SPOT =
  /\b(?:mem|task)-\d{9,11}-[0-9a-f]{4}\b|\b\d{8}-\d{6}(?:-[0-9a-f]{4,8})?\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]\d\d[:-]\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?)?|\b(?:\d{1,6} ?(?:s|m|h|d|seconds?|minutes?|hours?|days?) ago|just now)\b/g;

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
    const other = isId(old) ? [...renamed].find(([earlier, name]) => name === now && earlier !== old) : null;
    if (other) return { alike: false, difference: `- ${other[0]}, then ${old}\n+ ${now} (again)` };
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

/** What stands for a spot. Only spots of the same kind may stand for each other. */
function kindOf(spot: string): string {
  if (isId(spot)) return `<${spot.slice(0, spot.indexOf('-'))} id>`;
  if (/^\d{8}-/.test(spot)) return '<loop id>';
  if (/^[0-9a-f]{8}-/.test(spot)) return '<uuid>';
  return /^\d{4}-/.test(spot) ? '<time>' : '<age>';
}

function neutralize({ text, workspace }: Placed): { skeleton: string; spots: readonly string[] } {
  const spots: string[] = [];
  const skeleton = text
    .trim()
    .replaceAll(workspace, WORKSPACE)
    .replace(SPOT, (spot) => {
      spots.push(spot);
      return kindOf(spot);
    });
  return { skeleton, spots };
}

const MOST_LINES = 24;
const LONGEST_LINE = 200;
/** Two texts with more differences than this are compared line by line no further. */
const MOST_EDITS = 1000;

/** Shows the lines that differ, each group below the line before it. */
function describeDifference(before: string, after: string): string {
  const [old, now] = [`${before}\n`, `${after}\n`];
  const options = { context: 1, maxEditLength: MOST_EDITS };
  const lines = structuredPatch('', '', old, now, '', '', options)?.hunks.flatMap((hunk) => hunk.lines) ?? [
    ...before.split('\n').map((line) => `-${line}`),
    ...after.split('\n').map((line) => `+${line}`),
  ];
  const marked = lines.map((line) => `${line.slice(0, 1)} ${line.slice(1)}`);
  const shown = marked.filter(
    (line, index) => !line.startsWith('  ') || marked[index + 1]?.startsWith('  ') === false,
  );
  const more = shown.length - MOST_LINES;
  return [...shown.slice(0, MOST_LINES).map(cut), ...(more > 0 ? [`(${more} more lines)`] : [])].join('\n');
}

function cut(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
