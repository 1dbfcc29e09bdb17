/** One hunk of a diff, as Claude Code reports it. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

const CONTEXT = 3;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** The numbers of this line, or of the next one, on both sides. */
  readonly old: number;
  readonly new: number;
}

/** Compares two texts and returns hunks with three lines of context. */
export function diffLines(before: string, after: string): Hunk[] {
  const lines = compare(toLines(before), toLines(after));
  const changed = lines.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const ranges: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(lines.length, index + CONTEXT + 1);
    if (last !== undefined && from <= last.to) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges.map(({ from, to }) => toHunk(lines.slice(from, to)));
}

function toHunk(lines: readonly Line[]): Hunk {
  const count = (sign: '-' | '+') => lines.filter((line) => line.sign === ' ' || line.sign === sign).length;
  const [oldLines, newLines] = [count('-'), count('+')];
  return {
    oldStart: oldLines === 0 ? 0 : (lines[0]?.old ?? 1),
    oldLines,
    newStart: newLines === 0 ? 0 : (lines[0]?.new ?? 1),
    newLines,
    lines: lines.flatMap(({ sign, text }) =>
      text.endsWith('\n')
        ? [`${sign}${text.slice(0, -1)}`]
        : [`${sign}${text}`, '\\ No newline at end of file'],
    ),
  };
}

function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Finds the longest common subsequence. Strips equal ends first, so that the table stays small for edits. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const signs = compareMiddle(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  const lines: Line[] = [];
  let [old, fresh] = [0, 0];
  const push = (sign: Line['sign']) => {
    const text = (sign === '+' ? after[fresh] : before[old]) ?? '';
    lines.push({ sign, text, old: old + 1, new: fresh + 1 });
    if (sign !== '+') old += 1;
    if (sign !== '-') fresh += 1;
  };
  for (let index = 0; index < start; index += 1) push(' ');
  for (const sign of signs) push(sign);
  for (let index = 0; index < end; index += 1) push(' ');
  return lines;
}

function compareMiddle(before: readonly string[], after: readonly string[]): Line['sign'][] {
  const width = after.length + 1;
  // Texts with almost nothing in common are replaced as a whole: the table would not fit into memory.
  const table =
    before.length * after.length > 4_000_000 ? null : new Uint32Array((before.length + 1) * width);
  if (table === null) return [...before.map(() => '-' as const), ...after.map(() => '+' as const)];
  const at = (row: number, column: number) => table[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      table[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const signs: Line['sign'][] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      signs.push(' ');
      row += 1;
      column += 1;
    } else if (
      column >= after.length ||
      (row < before.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      signs.push('-');
      row += 1;
    } else {
      signs.push('+');
      column += 1;
    }
  }
  return signs;
}
