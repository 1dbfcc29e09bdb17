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
/** Two longer texts are compared only at their ends. */
const MOST_COMPARED = 1_000_000;

/** Shows the lines that differ, each group below the line before it. */
function describeDifference(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const lines = diffLines(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const marked = [...(start === 0 ? [] : [`  ${old[start - 1]}`]), ...lines];
  const shown = marked.filter(
    (line, index) => !line.startsWith('  ') || marked[index + 1]?.startsWith('  ') === false,
  );
  const more = shown.length - MOST_LINES;
  return [...shown.slice(0, MOST_LINES).map(cut), ...(more > 0 ? [`(${more} more lines)`] : [])].join('\n');
}

/** Lists all lines, those of one text alone with a sign. */
function diffLines(old: readonly string[], now: readonly string[]): string[] {
  if (old.length * now.length > MOST_COMPARED)
    return [...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)];
  // common[i][j]: how many lines the texts share from line i and line j on.
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = common[i];
      if (row !== undefined)
        row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(`  ${old[i]}`);
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${old[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${now[j]}`);
      j += 1;
    }
  }
  return lines;
}

function cut(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
