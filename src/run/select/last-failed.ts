import { isInconclusive, type Target } from '../../domain/attempt.js';
import { groupBy } from '../../domain/common/group-by.js';
import { KnownError } from '../../domain/common/known-error.js';
import { joinParts } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { RepeatPlan } from '../../domain/options/repeat-plan.js';
import { endsOfRepeats, isBelowThreshold, isCounted } from '../../domain/repeats.js';
import {
  countOpenTests,
  findOpenTests,
  type LastFailed,
  type OpenTest,
  type PastRun,
  type Standing,
} from '../../domain/report/last-failed.js';
import { executionKey, LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { readJournal } from '../../journal/reader.js';
import { journalPath } from '../../journal/writer.js';
import { listRuns, type RunDir } from '../../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../../workspace/workspace-root.js';
import type { Selected } from './selected.js';
import { whyNever } from './why-skipped.js';

/** The tests that `--last-failed` means, and the runs that could not be read. */
export interface OpenTests {
  readonly open: ReadonlyMap<string, OpenTest>;
  readonly unreadable: readonly string[];
}

interface Call {
  readonly lane: Lane;
  readonly target: Target;
  /** Everything that this call could run: other tests and backends do not count. */
  readonly candidates: readonly Selected[];
}

/**
 * Finds what failed or did not run last time in this lane on this target. Later runs of some of the tests count. Tests
 * that can never run here are not open: they would be skipped again.
 */
export async function findLastFailed(root: WorkspaceRoot, call: Call): Promise<OpenTests> {
  const wanted = new Set(
    call.candidates
      .filter(({ scenario }) => whyNever(scenario, call) === null)
      .map(({ scenario, backend }) => executionKey(scenario.id, backend)),
  );
  const past: PastRun[] = [];
  const unreadable: string[] = [];
  let others = 0;
  for (const run of await listRuns(root)) {
    const found = await readPastRun(run, call);
    if (found === 'unreadable') unreadable.push(run.id);
    else if (found === 'other') others += 1;
    else if (found !== 'none') {
      if (found.tampered) unreadable.push(run.id);
      const tests = found.tests.filter(({ key }) => wanted.has(key));
      if (tests.length > 0) past.push({ ...found, tests });
    }
  }
  const latest = past.at(-1);
  const where = `in the ${call.lane} lane on ${describeTarget(call.target)}`;
  if (latest === undefined) throw nothingBefore(root, { where, others, unreadable });
  const open = findOpenTests(past);
  if (open.size > 0) return { open, unreadable };
  const nothing = `--last-failed: no test failed or was left out ${where}. The latest run is ${latest.runId}.`;
  if (unreadable.length === 0) throw new NothingFailed(nothing);
  throw new KnownError(`${nothing}${describeUnreadable(unreadable)}`, { hint: 'Run without --last-failed.' });
}

/** Thrown if `--last-failed` finds that everything passed: there is nothing to run, and nothing is wrong. */
export class NothingFailed extends KnownError {}

/** Describes for the journal what `--last-failed` chose. */
export function describeLastFailed(
  { open, unreadable }: OpenTests,
  selected: readonly Selected[],
): LastFailed {
  const chosen = selected.flatMap(
    ({ scenario, backend }) => open.get(executionKey(scenario.id, backend)) ?? [],
  );
  return { runs: countOpenTests(chosen), unreadable: [...unreadable] };
}

/**
 * Whether both are the same target. A stand-in is the same everywhere. A real Ralph is the one at the same path, because
 * people rebuild it there to see whether the new build is better, and a version says little about a build.
 */
function isSameTarget(one: Target, other: Target): boolean {
  return one.kind === other.kind && (one.kind === 'stand-in' || one.path === other.path);
}

/** Reads an earlier run. A proof has a folder but no journal, and a run only writes plain files. */
async function readPastRun(
  run: RunDir,
  { lane, target }: Call,
): Promise<(PastRun & { readonly tampered: boolean }) | 'none' | 'other' | 'unreadable'> {
  const path = journalPath(run);
  const stat = await statOrNull(path);
  if (stat === null) return 'none';
  if (!stat.isFile()) return 'unreadable';
  const events = await readJournal(path, keepOutcome).then(
    (journal) => joinParts(journal.events),
    () => null,
  );
  const started = events?.find((event) => event.type === 'run-started');
  if (events === null || started === undefined) return 'unreadable';
  if (started.lane !== lane || !isSameTarget(started.target, target)) return 'other';
  const finished = events.findLast((event) => event.type === 'run-finished');
  const interrupted = finished === undefined || finished.interrupted;
  // Offline every repeat does the same, so no rate excuses a failure.
  const offline = LANE_TRAITS[started.lane].costsMoney ? {} : { threshold: null };
  const last = new Map<string, AttemptEnd>();
  const all = groupBy(events.filter(isAttemptEnd), ({ scenarioId, backend }) =>
    executionKey(scenarioId, backend),
  );
  for (const event of events) {
    if (!isAttemptEnd(event)) continue;
    const key = executionKey(event.scenarioId, event.backend);
    // What a service or an agent did later does not cancel a failure of the target.
    const before = last.get(key);
    const stays = isInconclusive(event) && before?.outcome === 'failed' && !isInconclusive(before);
    if (!stays) last.set(key, event);
  }
  return {
    runId: run.id,
    isPart: started.shard !== undefined,
    // A run that tampers with earlier ones may have removed what failed there.
    tampered: events.some(({ type }) => type === 'journal-changed'),
    tests: started.planned.map(({ scenarioId, backend }) => {
      const key = executionKey(scenarioId, backend);
      const standing =
        started.repeat === undefined
          ? standingOf(last.get(key), interrupted)
          : standingOfRepeats(all.get(key) ?? [], { ...started.repeat, ...offline }, interrupted);
      return { key, backend, standing };
    }),
  };
}

type AttemptEnd = Extract<JournalEvent, { type: 'attempt-finished' }>;

function isAttemptEnd(event: JournalEvent): event is AttemptEnd {
  return event.type === 'attempt-finished';
}

/** A test that was repeated passed only if each repeat did, or as many as its threshold asks for. */
function standingOfRepeats(
  attempts: readonly AttemptEnd[],
  plan: RepeatPlan,
  interrupted: boolean,
): Standing {
  const ends = endsOfRepeats(attempts);
  if (isBelowThreshold(ends, plan)) return 'failed';
  if (plan.threshold !== null) return ends.filter(isCounted).length < plan.times ? 'not-run' : 'passed';
  const standings = ends.map((end) => standingOf(end, interrupted));
  const found = (['failed', 'inconclusive'] as const).find((standing) => standings.includes(standing));
  return found ?? (ends.length < plan.times ? 'not-run' : 'passed');
}

function standingOf(attempt: AttemptEnd | undefined, interrupted: boolean): Standing {
  if (attempt === undefined) return 'not-run';
  switch (attempt.outcome) {
    case 'passed':
    case 'known-issue':
      return 'passed';
    case 'failed':
      return isInconclusive(attempt) ? 'inconclusive' : 'failed';
    case 'error':
      // Ctrl-C interrupts what is running: that is no failure of the test.
      return interrupted ? 'not-run' : 'failed';
    default:
      return attempt.outcome satisfies never;
  }
}

/** Drops the evidence: a journal holds megabytes of it, and twenty journals are read. */
function keepOutcome(event: JournalEvent): JournalEvent {
  return event.type === 'attempt-finished' ? { ...event, checks: [], quality: [], evidence: null } : event;
}

function describeTarget({ kind, path }: Target): string {
  return kind === 'stand-in' ? 'the stand-in' : path;
}

function describeUnreadable(runs: readonly string[]): string {
  return runs.length === 0
    ? ''
    : ` Some runs cannot be read, or somebody tampered with them: ${runs.join(', ')}.`;
}

function nothingBefore(
  root: WorkspaceRoot,
  found: { readonly where: string; readonly others: number; readonly unreadable: readonly string[] },
): KnownError {
  const others = found.others === 0 ? 'none' : `only ${found.others} in another lane or on another Ralph`;
  return new KnownError(
    `--last-failed: expected an earlier run ${found.where} in ${root.path}, found ${others}.${describeUnreadable(found.unreadable)}`,
    { hint: 'Run once without --last-failed.' },
  );
}
