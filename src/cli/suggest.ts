/** The known words that somebody who wrote this one probably meant: one or two letters away, the nearest first. */
export function suggestWords(written: string, known: readonly string[]): string[] {
  const allowed = written.length <= 3 ? 1 : 2;
  return known
    .map((word) => ({ word, distance: countEdits(written.toLowerCase(), word) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((one, other) => one.distance - other.distance)
    .map(({ word }) => word);
}

/** Letters to add, to drop or to change; two that swapped places count as one. */
function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
        ...(swapped ? [at(row - 2, column - 2) + 1] : []),
      ];
      rows[row]?.push(Math.min(...edits));
    }
  }
  return at(from.length, to.length);
}
