import { StringDecoder } from 'node:string_decoder';

/** The lines that Ralph printed between the header and the footer of one iteration: the agent's output. */
export interface IterationOutput {
  readonly number: number;
  readonly hat: string;
  readonly lines: readonly string[];
  /** The backend's stderr, which Ralph shows only with -v. */
  readonly stderr: readonly string[];
  /** How long it took, in whole seconds, as its footer says. Missing if it has none. */
  readonly seconds?: number;
  /** Set if there was more output than we keep. */
  readonly cut?: true;
}

/** The line above and below the header of an iteration. */
export const ITERATION_RULE = '='.repeat(79);
const HEADER = /^ ITERATION (\d+) \| \S{1,40} (.{1,200}?) \| .{0,100} elapsed \| \d+\/\d+$/;
const FOOTER = /^\[iter (\d+)\/\d+ done\] (?:dur=((?:\d+[hms] ?)+))?/;
const LOG_LINE = /^\d{4}-\d\d-\d\dT[\d:.]+Z\s+(?:TRACE|DEBUG|INFO|WARN|ERROR) /;
const STDERR_PREFIX = '[stderr] ';
const MAX_LINE_LENGTH = 1024 * 1024;
/** How much of the beginning, and of the end, of an iteration's output is kept. */
const MAX_END_LENGTH = 1024 * 1024;
/** The same, once all iterations together have kept a lot: an agent can print as many headers as it likes. */
const LATER_END_LENGTH = 16 * 1024;
const MAX_KEPT_LENGTH = 64 * 1024 * 1024;
const MAX_ITERATIONS = 2000;

/**
 * Splits Ralph's stdout into iterations. An agent can print the same lines, so a header counts only between two rules and
 * with the next number.
 */
export async function readTranscript(stdout: AsyncIterable<Buffer>): Promise<IterationOutput[]> {
  const iterations: Kept[] = [];
  let open: Kept | null = null;
  let total = 0;
  let previous = '';
  let candidate: { number: number; hat: string } | null = null;
  for await (const line of readLines(stdout)) {
    if (candidate !== null && line === ITERATION_RULE) {
      const last = iterations.at(-1);
      total += last === undefined ? 0 : last.lines.length + last.stderr.length;
      const room = total > MAX_KEPT_LENGTH ? LATER_END_LENGTH : MAX_END_LENGTH;
      open = { ...candidate, lines: new BothEnds(room), stderr: new BothEnds(room) };
      iterations.push(open);
      candidate = null;
    } else {
      const canBegin = previous === ITERATION_RULE && iterations.length < MAX_ITERATIONS;
      candidate = canBegin ? readHeader(line, iterations.at(-1)?.number) : null;
      const footer = FOOTER.exec(line);
      const latest = iterations.at(-1);
      // An agent can print a footer too. Ralph's own comes last.
      if (latest !== undefined && Number(footer?.[1]) === latest.number) {
        latest.seconds = readSeconds(footer?.[2]) ?? latest.seconds;
        open = null;
      }
      if (open !== null && candidate === null) keepLine(open, line);
    }
    previous = line;
  }
  return iterations.map(({ number, hat, lines, stderr, seconds }) => ({
    number,
    hat,
    lines: dropTrailingRule(lines.all),
    stderr: stderr.all,
    ...(seconds === undefined ? {} : { seconds }),
    ...(lines.cut ? { cut: true as const } : {}),
  }));
}

/** Reads a header. Ralph chooses the first number: with `--continue` it continues the count of the run before. */
function readHeader(line: string, last: number | undefined): { number: number; hat: string } | null {
  const match = HEADER.exec(line);
  if (match === null) return null;
  const number = Number(match[1]);
  return last === undefined || number === last + 1 ? { number, hat: match[2] ?? '' } : null;
}

const SECONDS = { h: 3600, m: 60, s: 1 } as const;

/** Reads a duration such as `1h 2m 3s`. */
function readSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return Object.entries(SECONDS).reduce((sum, [unit, seconds]) => {
    const count = new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? '0';
    return sum + Number(count) * seconds;
  }, 0);
}

function keepLine(iteration: Kept, line: string): void {
  if (LOG_LINE.test(line)) return;
  if (line.startsWith(STDERR_PREFIX)) iteration.stderr.push(line.slice(STDERR_PREFIX.length));
  else iteration.lines.push(line);
}

/** An iteration while it is being read. */
interface Kept {
  readonly number: number;
  readonly hat: string;
  readonly lines: BothEnds;
  readonly stderr: BothEnds;
  seconds?: number | undefined;
}

/** Keeps the first and the last lines of a list that may be endless. */
class BothEnds {
  readonly #room: number;
  readonly #head: string[] = [];
  #tail: string[] = [];
  #headLength = 0;
  #tailLength = 0;
  #cut = false;

  constructor(room: number) {
    this.#room = room;
  }

  push(line: string): void {
    if (line.length >= MAX_LINE_LENGTH) this.#cut = true;
    if (this.#headLength < this.#room) {
      this.#head.push(line);
      this.#headLength += line.length + 1;
      return;
    }
    this.#tail.push(line);
    this.#tailLength += line.length + 1;
    // Now and then instead of each time: removing the first of a long list is slow.
    if (this.#tailLength > 2 * this.#room) this.#trim();
  }

  #trim(): void {
    let from = 0;
    while (this.#tailLength > this.#room && from < this.#tail.length) {
      this.#tailLength -= (this.#tail[from] ?? '').length + 1;
      from += 1;
    }
    if (from === 0) return;
    this.#tail = this.#tail.slice(from);
    this.#cut = true;
  }

  /** How many characters are kept. */
  get length(): number {
    return this.#headLength + this.#tailLength;
  }

  /** Whether lines in the middle, or the end of a line, are missing. */
  get cut(): boolean {
    this.#trim();
    return this.#cut;
  }

  get all(): string[] {
    this.#trim();
    return [...this.#head, ...this.#tail];
  }
}

/** Drops the rule above the next header: without a footer (the backend died with Ralph) it was read as output. */
function dropTrailingRule(lines: string[]): string[] {
  return lines.at(-1) === ITERATION_RULE ? lines.slice(0, -1) : lines;
}

/** Yields the lines of a file of any size. Keeps only the beginning of an endless line in memory. */
async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let partial = '';
  for await (const chunk of chunks) {
    const lines = decoder.write(chunk).split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      yield cap(partial + line);
      partial = '';
    }
    partial = cap(partial + last);
  }
  partial += decoder.end();
  if (partial !== '') yield partial;
}

function cap(line: string): string {
  return line.length > MAX_LINE_LENGTH ? line.slice(0, MAX_LINE_LENGTH) : line;
}
