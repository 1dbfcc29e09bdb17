import { isInconclusive, type Target } from '../../domain/attempt.js';
import { groupBy } from '../../domain/common/group-by.js';
import { KnownError } from '../../domain/common/known-error.js';
import { isBrokenOff, joinParts } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { LastFailed } from '../../domain/report/last-failed.js';
import { type MergedExecution, mergeAttempts } from '../../domain/results/merge-attempts.js';
import { EMBEDDED_RALPH } from '../../domain/stand-ins.js';
import { executionKey, type Lane } from '../../domain/vocabulary.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import { readJournal } from '../../journal/reader.js';
import { journalPath } from '../../journal/writer.js';
import { listRuns, type RunDir } from '../../workspace/runs/runs.js';
import type { WorkspaceRoot } from '../../workspace/workspace-root.js';
import type { Selected } from '../planned.js';
import { whyNever } from './why-skipped.js';

/**
 * The state of a test in an earlier run. A known issue counts as passed: it behaved as known. `inconclusive` means that
 * it failed through the agent or its service.
 */
export type PastState = 'passed' | 'failed' | 'inconclusive' | 'not-run';

/** An earlier run, reduced to the state of its tests. */
export interface PastRun {
  readonly runId: string;
  readonly tests: readonly { readonly key: string; readonly standing: PastState }[];
}

/** A test that failed or did not run, and in which run. */
interface OpenTest {
  readonly runId: string;
  readonly standing: Exclude<PastState, 'passed'>;
}

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
 * Finds what failed or did not run last time in this lane on this target. Tests that can never run here are not open:
 * they would be skipped again.
 */
export async function findLastFailed(root: WorkspaceRoot, call: Call): Promise<OpenTests> {
  const wanted = new Set(
    call.candidates
      .filter((test) => whyNever(test, call) === null)
      .map(({ scenario, backend }) => executionKey(scenario.id, backend)),
  );
  const past: PastRun[] = [];
  const unreadable: string[] = [];
  const elsewhere: FoundRun[] = [];
  let others = 0;
  for (const run of await listRuns(root)) {
    const found = await readPastRun(run);
    if (found === 'unreadable') unreadable.push(run.id);
    else if (found !== 'none') {
      const isHere = !isElsewhere(found, call);
      if (!isHere) others += 1;
      if (isHere && found.tampered) unreadable.push(run.id);
      const tests = found.tests.filter(({ key }) => wanted.has(key));
      if (tests.length > 0) (isHere ? past : elsewhere).push({ ...found, tests });
    }
  }
  const latest = past.at(-1);
  const where = describePlace(call);
  const open = findOpenTests(past);
  if (open.size > 0) return { open, unreadable };
  const red = findRedElsewhere(elsewhere, past);
  if (red !== null) throw failedElsewhere(red, call, unreadable);
  if (latest === undefined) throw nothingBefore(root, { where, others, unreadable });
  const nothing = `--last-failed: no test failed or was left out ${where}. The latest run is ${latest.runId}.`;
  if (unreadable.length === 0) throw new NothingFailed(nothing);
  throw new KnownError(`${nothing}${describeUnreadable(unreadable)}`, { hint: 'Run without --last-failed.' });
}

/**
 * The tests that failed in other places and did not pass here since, with the latest place of them; null if there are
 * none. A fault was asked for.
 */
function findRedElsewhere(runs: readonly FoundRun[], here: readonly PastRun[]) {
  const passed = here.flatMap(({ runId, tests }) =>
    tests.flatMap(({ key, standing }) => (standing === 'passed' ? [[key, runId] as const] : [])),
  );
  const passedIn = new Map(passed);
  const healthy = runs.filter(({ target }) => target.faults === undefined);
  const places = [...groupBy(healthy, describePlace).values()].flatMap((group) => {
    const failed = [...findOpenTests(group)].filter(
      ([key, { standing, runId }]) => standing === 'failed' && runId > (passedIn.get(key) ?? ''),
    );
    const latest = group.findLast(({ runId }) => failed.some(([, test]) => test.runId === runId));
    return latest === undefined ? [] : [{ latest, tests: failed.map(([key]) => key) }];
  });
  return places.toSorted((a, b) => (a.latest.runId < b.latest.runId ? -1 : 1)).at(-1) ?? null;
}

const SHOWN_TESTS = 3;

/** An error, although nothing failed here: somebody who builds Ralph in another place would take it for a pass. */
function failedElsewhere(
  { latest, tests }: NonNullable<ReturnType<typeof findRedElsewhere>>,
  call: Call,
  unreadable: readonly string[],
): KnownError {
  const { lane, target, runId } = latest;
  const more = tests.length > SHOWN_TESTS ? `, and ${tests.length - SHOWN_TESTS} more` : '';
  const names = `${tests.slice(0, SHOWN_TESTS).join(', ')}${more}`;
  const ralph = target.kind === 'stand-in' ? EMBEDDED_RALPH : target.path;
  const there = [
    ...(lane === call.lane ? [] : [`--lane ${lane}`]),
    ...(isSameTarget(target, call.target) ? [] : [`--ralph ${ralph}`]),
  ];
  return new KnownError(
    `--last-failed: no failed test is known ${describePlace(call)}, but ${tests.length === 1 ? 'one failed' : `${tests.length} failed`} ${describePlace(latest)} (run ${runId}): ${names}.${describeUnreadable(unreadable)}`,
    {
      hint: `To run it there, put \`${there.join(' ')}\` in place of what this call has. To test here, leave out --last-failed.`,
    },
  );
}

/** Thrown if `--last-failed` finds that everything passed: there is nothing to run, and nothing is wrong. */
export class NothingFailed extends KnownError {}

/** Finds the tests that failed or did not run the last time. A run that says nothing about a failure does not clear it. */
export function findOpenTests(runs: readonly PastRun[]): Map<string, OpenTest> {
  const open = new Map<string, OpenTest>();
  for (const { runId, tests } of runs)
    for (const { key, standing } of tests) {
      const isSilent = standing === 'not-run' || standing === 'inconclusive';
      if (standing === 'passed') open.delete(key);
      else if (!isSilent || open.get(key)?.standing !== 'failed') open.set(key, { runId, standing });
    }
  return open;
}

/** Describes for the journal what `--last-failed` chose: how many tests of which runs, oldest first. */
export function describeLastFailed(
  { open, unreadable }: OpenTests,
  selected: readonly Selected[],
): LastFailed {
  const chosen = selected.flatMap(
    ({ scenario, backend }) => open.get(executionKey(scenario.id, backend)) ?? [],
  );
  const runs = [...groupBy(chosen, ({ runId }) => runId)].map(([runId, tests]) => {
    const count = (wanted: PastState) => tests.filter(({ standing }) => standing === wanted).length;
    return {
      runId,
      failed: count('failed'),
      inconclusive: count('inconclusive'),
      notRun: count('not-run'),
    };
  });
  return { runs: runs.toSorted((a, b) => (a.runId < b.runId ? -1 : 1)), unreadable: [...unreadable] };
}

/**
 * Whether both are the same target. A stand-in is the same everywhere. A real Ralph is the one at the same path, because
 * people rebuild it there to see whether the new build is better, and a version says little about a build.
 */
function isSameTarget(one: Target, other: Target): boolean {
  return one.kind === other.kind && (one.kind === 'stand-in' || one.path === other.path);
}

function isElsewhere(found: FoundRun, { lane, target }: Call): boolean {
  return found.lane !== lane || !isSameTarget(found.target, target);
}

function describePlace({ lane, target }: Pick<Call, 'lane' | 'target'>): string {
  return `in the ${lane} lane on ${describeTarget(target)}`;
}

/** An earlier run, and where it ran. */
interface FoundRun extends PastRun, Pick<Call, 'lane' | 'target'> {
  readonly tampered: boolean;
}

/** Reads an earlier run. A proof has a folder but no journal, and a run only writes plain files. */
async function readPastRun(run: RunDir): Promise<FoundRun | 'none' | 'unreadable'> {
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
  return {
    ...{ lane: started.lane, target: started.target },
    runId: run.id,
    // A run that tampers with earlier ones may have removed what failed there.
    tampered: events.some(({ type }) => type === 'journal-changed'),
    tests: mergeAttempts(events).map((test) => ({
      key: executionKey(test.scenarioId, test.backend),
      standing: stateOf(test),
    })),
  };
}

function stateOf({ outcome, decisive, repeats }: MergedExecution): PastState {
  switch (outcome) {
    case 'passed':
    case 'flaky':
    case 'known-issue':
      return repeats === null || repeats.left_reason === null ? 'passed' : 'not-run';
    case 'failed':
      return decisive !== null && isInconclusive(decisive) ? 'inconclusive' : 'failed';
    case 'error':
      return 'failed';
    case 'skipped':
      return 'not-run';
    default:
      return outcome satisfies never;
  }
}

/** Drops the evidence: a journal holds megabytes of it, and twenty journals are read. */
function keepOutcome(event: JournalEvent): JournalEvent {
  if (event.type !== 'attempt-finished') return event;
  return { ...event, checks: [], quality: [], evidence: null, interrupted: isBrokenOff(event) };
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
