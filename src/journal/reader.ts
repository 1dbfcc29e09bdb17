import { readSync } from 'node:fs';
import { type AttemptFinished, isTroubled, type Planned } from '../domain/attempt.js';
import { KnownError } from '../domain/common/known-error.js';
import { isBrokenOff } from '../domain/joined-parts.js';
import { createJournalReader, type JournalEvent, type ParsedJournal } from '../domain/journal.js';
import { executionKey, LANE_TRAITS, testLabel } from '../domain/vocabulary.js';
import { hasErrorCode } from '../exec/error-code.js';
import { openPlainFile } from '../exec/files/plain-file.js';
import { isOwnRun } from './own-runs.js';
import { createSealChecker } from './seal.js';

/** Larger than any journal that fits into memory, and read in seconds. */
const MAX_BYTES = 2 * 1024 ** 3;
/** Larger than any record, and small enough for a string. */
const MAX_LINE = 256 * 1024 ** 2;
const PIECE = 1024 ** 2;
export const LINE_FEED = '\n'.charCodeAt(0);

/** The journal of a run on disk. */
interface ReadJournal extends ParsedJournal {
  /** Whether this user started the run on this machine. */
  readonly own: boolean;
}

/** Reads the journal of a run from disk. If somebody changed it since, its last record says so. */
export async function readJournal(
  path: string,
  keep: (event: JournalEvent) => JournalEvent = (event) => event,
): Promise<ReadJournal> {
  const file = await openPlainFile(path, MAX_BYTES).catch((error) => {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error;
    throw new KnownError(`Expected the run's journal at ${path}, found none.`, {
      hint: 'The run was killed before its first record, or its journal was removed since. `ralph-e2e show --list` lists the runs.',
    });
  });
  try {
    const checker = createJournalChecker(keep);
    let own: boolean | null = null;
    for (const line of readLines(file.fd, path)) {
      own ??= isOwnRun(line.toString('utf8'));
      checker.add(line);
    }
    return { ...checker.end(), own: own ?? false };
  } finally {
    await file.close();
  }
}

/** Parses the lines of a journal and looks for what no run writes. */
export function createJournalChecker(keep: (event: JournalEvent) => JournalEvent) {
  const contradictions = createContradictionFinder();
  const reader = createJournalReader((event) => keep(contradictions.add(event)));
  const seals = createSealChecker();
  let complete = true;
  return {
    /** Takes the next line, with its line feed unless a crash cut that off. */
    add(line: Buffer): void {
      complete = line.at(-1) === LINE_FEED;
      const text = line.subarray(0, line.length - Number(complete));
      seals.add(text);
      reader.add(text.toString());
    },
    /** Returns the records. If somebody changed them, the last one says so. */
    end(): ParsedJournal {
      const parsed = reader.end({ complete });
      const found = seals.end(parsed) ?? contradictions.end();
      if (found !== null)
        parsed.events.push({ type: 'journal-changed', at: '', what: 'journal-later', found });
      return parsed;
    },
    nextSeal: seals.next,
  };
}

/** Reads the lines of an open journal. One with ten thousand results is too long for one string. */
export function* readLines(file: number, path: string): Iterable<Buffer> {
  let begun: Buffer[] = [];
  for (let position = 0; ; ) {
    let rest = Buffer.allocUnsafe(PIECE);
    const count = readSync(file, rest, 0, PIECE, position);
    if (count === 0) break;
    position += count;
    rest = rest.subarray(0, count);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      const line = rest.subarray(0, end + 1);
      yield begun.length === 0 ? line : Buffer.concat([...begun, line]);
      begun = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) begun.push(rest);
    if (begun.length * PIECE > MAX_LINE)
      throw new KnownError(`Expected records of at most ${MAX_LINE} bytes in ${path}, found a longer one.`, {
        hint: 'ralph-e2e did not write it. Remove the folder of this run.',
      });
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** Finds the first result that no run records, because it contradicts its own checks or the plan. */
function createContradictionFinder() {
  let found: string | null = null;
  let started: RunStarted | null = null;
  const tries = new Map<string, number>();
  const see = (event: AttemptFinished, run: RunStarted): void => {
    const key = `${executionKey(event.scenarioId, event.backend)} ${event.repeat ?? 1}`;
    const count = (tries.get(key) ?? 0) + (LANE_TRAITS[run.lane].costsMoney && isTroubled(event) ? 0 : 1);
    tries.set(key, count);
    const odd = count > countAllowed(run) ? 'after its last retry' : describeOdd(event, run);
    if (odd === null) return;
    const test = testLabel(event.scenarioId, event.backend);
    found ??= `attempt ${event.attempt} of ${test} is recorded as ${event.outcome} ${odd}`;
  };
  return {
    /** Returns the record. */
    add(event: JournalEvent): JournalEvent {
      if (event.type === 'run-started') started = event;
      if (started !== null && event.type === 'attempt-finished' && !isBrokenOff(event)) see(event, started);
      return event;
    },
    end: (): string | null => found,
  };
}

function describeOdd({ outcome, checks, ...who }: AttemptFinished, { planned }: RunStarted): string | null {
  const broken = checks.find(({ passed }) => !passed);
  if (outcome === 'passed' && checks.length === 0) return 'without a check';
  if (outcome === 'passed' && broken !== undefined) return `beside a failed check: ${broken.name}`;
  if (outcome !== 'known-issue') return null;
  const isPlanned = ({ scenarioId, backend, knownIssue }: Planned) =>
    knownIssue !== null && scenarioId === who.scenarioId && backend === who.backend;
  return planned.some(isPlanned) ? null : 'where none is planned';
}

/** How many attempts of a test, or of each repeat, may count. A model that did otherwise is asked once more. */
function countAllowed({ call, repeat, lane }: RunStarted): number {
  if (repeat !== undefined && repeat.times > 1) return 1;
  if (call === undefined) return Number.POSITIVE_INFINITY;
  return 1 + Math.max(call.retries, LANE_TRAITS[lane].costsMoney ? 1 : 0);
}

/**
 * Keeps only what a report needs of a record. For an attempt that passed, no rule reads how the agent was called, what
 * it was sent in addition to its prompts, or the whole of a file, and for ten thousand attempts that takes a lot of
 * memory. Attempts that did not pass stay complete: the diagnosis reads everything.
 */
export function keepForReport(event: JournalEvent): JournalEvent {
  if (event.type !== 'attempt-finished' || event.outcome !== 'passed' || event.evidence === null)
    return event;
  const { evidence } = event;
  return {
    ...event,
    evidence: {
      ...evidence,
      iterations: evidence.iterations.map((iteration) => ({ ...iteration, cli: undefined })),
      files: evidence.files.map(({ path, change, sizeBytes, preview }) => ({
        path,
        change,
        sizeBytes,
        preview,
      })),
      ...NOT_KEPT,
    },
  };
}

const NOT_KEPT = {
  invocations: [],
  requests: [],
  errands: [],
  history: [],
  memories: [],
  tasks: [],
  readiness: null,
};
