import { createReadStream } from 'node:fs';

/** What ralph printed between the header and the footer of one iteration: its agent's output, line by line. */
export interface IterationOutput {
  readonly number: number;
  readonly hat: string;
  readonly lines: string[];
  /** Lines of the backend's stderr, which ralph shows only with -v. */
  readonly stderr: string[];
}

const RULE = '='.repeat(79);
const HEADER = /^ ITERATION (\d+) \| \S+ (.+?) \| .* elapsed \| \d+\/\d+$/;
const FOOTER = /^\[iter (\d+)\/\d+ done\] /;
const LOG_LINE = /^\d{4}-\d\d-\d\dT[\d:.]+Z\s+(?:TRACE|DEBUG|INFO|WARN|ERROR) /;
const STDERR_PREFIX = '[stderr] ';
const MAX_LINES = 20_000;
const MAX_LINE_LENGTH = 1024 * 1024;

/**
 * Cuts ralph's stdout into iterations. An agent can print the same lines, so a header counts only between two rules and
 * with the number that comes next.
 */
export async function readTranscript(stdoutPath: string): Promise<IterationOutput[]> {
  const iterations: IterationOutput[] = [];
  let open: IterationOutput | null = null;
  let previous = '';
  let candidate: { number: number; hat: string } | null = null;
  for await (const line of readLines(stdoutPath)) {
    if (candidate !== null && line === RULE) {
      open = { ...candidate, lines: [], stderr: [] };
      iterations.push(open);
      candidate = null;
    } else {
      candidate = previous === RULE ? readHeader(line, iterations.length + 1) : null;
      if (open !== null && Number(FOOTER.exec(line)?.[1]) === open.number) open = null;
      else if (open !== null && candidate === null) keepLine(open, line);
    }
    previous = line;
  }
  for (const iteration of iterations) dropTrailingRule(iteration.lines);
  return iterations;
}

function readHeader(line: string, expected: number): { number: number; hat: string } | null {
  const match = HEADER.exec(line);
  return match !== null && Number(match[1]) === expected ? { number: expected, hat: match[2] ?? '' } : null;
}

function keepLine(iteration: IterationOutput, line: string): void {
  if (LOG_LINE.test(line)) return;
  const isStderr = line.startsWith(STDERR_PREFIX);
  const lines = isStderr ? iteration.stderr : iteration.lines;
  if (lines.length < MAX_LINES) lines.push(isStderr ? line.slice(STDERR_PREFIX.length) : line);
}

/** Without a footer (the backend died with ralph) the rule above the next header was taken for output. */
function dropTrailingRule(lines: string[]): void {
  if (lines.at(-1) === RULE) lines.pop();
}

/** Lines of a file of any size; of a line without end only its beginning is kept in memory. */
async function* readLines(path: string): AsyncGenerator<string> {
  let partial = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = `${chunk}`.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      yield cap(partial + line);
      partial = '';
    }
    partial = cap(partial + last);
  }
  if (partial !== '') yield partial;
}

function cap(line: string): string {
  return line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line;
}
