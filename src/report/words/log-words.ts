/** Marks the start of an iteration in Ralph's debug log. */
const ITERATION = /^\w+ [\w:]+: Iteration (\d+)\//;
/** What Ralph did last before an iteration decides how the iteration begins. */
const LINES_BEFORE = 3;

/**
 * Chooses the lines of Ralph's log that belong to an iteration: with the debug log, those from its start to the next one.
 * Else the warnings and errors: how a loop starts and ends is the same in every test.
 */
export function chooseLogLines(lines: readonly string[], iteration: number | null, most: number): string[] {
  const start = lines.findIndex((line) => ITERATION.exec(line)?.[1] === String(iteration));
  if (start >= 0) {
    const next = lines.findIndex((line, index) => index > start && ITERATION.test(line));
    return lines
      .slice(Math.max(0, start - LINES_BEFORE), next < 0 ? undefined : next + 1)
      .slice(0, Math.max(1, most));
  }
  return lines.filter(isSerious).slice(-Math.max(1, most));
}

/** Whether a line of Ralph's log is a warning or an error. */
export function isSerious(line: string): boolean {
  return /^(?:WARN|ERROR) /.test(line);
}
