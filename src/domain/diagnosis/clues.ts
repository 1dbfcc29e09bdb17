import type { AttemptFinished } from '../attempt.js';
import type { CheckCategory, CheckResult } from '../check.js';
import { shortenPair } from '../common/shorten-pair.js';
import type { CapturedText, Evidence } from '../evidence/evidence.js';
import type { Execution, RunFacts } from '../report/analysis.js';
import { isBrokenAsKnown } from '../scenario/known-issue.js';

/** What a rule looks at: the attempt that did not pass, and what is known around it. */
export interface Case {
  readonly execution: Execution;
  readonly run: RunFacts;
  readonly attempt: AttemptFinished;
  readonly evidence: Evidence | null;
  /** The checks that did not hold. Where some are news, those that a known issue turns red anyway are left out. */
  readonly broken: readonly CheckResult[];
  /** A known issue explains how the run ended, and something else is broken besides. */
  readonly endIsKnown: boolean;
  /** The scenario wants the backend or the configuration to fail, so that traces of that explain nothing. */
  readonly provoked: boolean;
}

/** The last attempt in which the target failed, or else the harness, laid out for the rules. */
export function openCase(execution: Execution, run: RunFacts): Case | null {
  const attempt =
    execution.attempts.findLast(({ outcome }) => outcome === 'failed') ??
    execution.attempts.findLast(({ outcome }) => outcome !== 'passed');
  if (!attempt) return null;
  const red = attempt.checks.filter(({ passed }) => !passed);
  const issue = execution.planned?.knownIssue ?? { shows: {} };
  const news = red.filter((check) => check.kind !== 'knownIssue' && !isBrokenAsKnown(issue, check));
  const known = news.length === 0 ? [] : red.filter((check) => isBrokenAsKnown(issue, check));
  return {
    execution,
    run,
    attempt,
    evidence: attempt.evidence,
    broken: news.length > 0 ? news : red,
    endIsKnown: known.some(({ category }) => ENDS.has(category)),
    provoked: isProvoked(attempt.checks),
  };
}

/** What shows how a run ended. */
const ENDS: ReadonlySet<CheckCategory> = new Set(['TerminationReason', 'ExitCode', 'Processes']);

/** What the end of a loop shows in, and words that come last. */
export const LAST_CATEGORIES: ReadonlySet<CheckCategory> = new Set([
  'TerminationReason',
  'IterationCount',
  'Harness',
  'OutputContains',
]);

/** Checks by which a scenario shows that it wants its backend or its configuration to fail. */
const TROUBLE_CHECKS = new Set(['backendReported', 'backendNeverCalled', 'failedToRun', 'harnessWouldSkip']);

/** Whether the scenario wants its backend or its configuration to fail. */
function isProvoked(checks: readonly CheckResult[]): boolean {
  return checks.some(({ kind }) => TROUBLE_CHECKS.has(kind));
}

/** Whether the run got as far as the iteration that the check is about, if it is about one. */
export function wasReached({ about = {} }: CheckResult, { iterations }: Evidence): boolean {
  return about.iteration === undefined || iterations.some(({ number }) => number === about.iteration);
}

/** A line of evidence has room for two such texts and the name of their check. */
const MOST_QUOTED = 200;

/** A broken check as a line of evidence. */
export function quoteCheck({
  name,
  expected,
  actual,
}: Pick<CheckResult, 'name' | 'expected' | 'actual'>): string {
  const [wanted, received] = shortenPair(`${expected}`, `${actual}`, MOST_QUOTED);
  return `check failed: ${name}: expected ${wanted}, received ${received}`;
}

/** Warnings and errors in Ralph's own log. */
export function quoteLog(evidence: Evidence | null): string[] {
  const serious = (evidence?.log ?? []).filter(({ level }) => level === 'WARN' || level === 'ERROR');
  const lines = serious.map(({ level, module, text }) => `Ralph logged: ${level} ${module}: ${text}`);
  return [...new Set(lines)].slice(0, 3);
}

/** The lines of a captured stream that match, as `file:line: text`. Numbers only where nothing was cut out before. */
export function quoteLines(captured: CapturedText, pattern: RegExp, limit = 3): string[] {
  return captured.text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [placed(captured, index + 1, line)] : []))
    .slice(0, limit);
}

/** The lines of a captured stream from the last one that matches on. Empty ones are left out. */
export function quoteFrom(captured: CapturedText, pattern: RegExp, limit = 6): string[] {
  const lines = captured.text.split('\n');
  const start = lines.findLastIndex((line) => pattern.test(line));
  if (start === -1) return [];
  return lines
    .flatMap((line, index) =>
      index >= start && line.trim() !== '' ? [placed(captured, index + 1, line)] : [],
    )
    .slice(0, limit);
}

/** What ralph prints under every loop, whatever happened. */
const RALPH_FAREWELL = /^\s*(?:Resume:|\|\s+(?:Iterations|Elapsed):)/;

/** The last lines of a captured stream that say something. */
export function quoteEnd(captured: CapturedText, limit = 3): string[] {
  const lines = captured.text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  return lines
    .filter(({ line }) => /[\p{L}\p{N}]/u.test(line) && !RALPH_FAREWELL.test(line))
    .slice(-limit)
    .map(({ line, number }) => placed(captured, number, line));
}

/** What it reads like when a program that should be started is not there. */
export const MISSING_EXECUTABLE =
  /No such file or directory \(os error 2\)|command not found|ENOENT|executable .{0,80}not found/i;

function placed({ path, truncated }: CapturedText, number: number, line: string): string {
  return `${path}${truncated ? '' : `:${number}`}: ${line.trim()}`;
}

/** The topics that agents emitted, in order, each once. */
export function emittedTopics({ events }: Evidence): string[] {
  return [...new Set(events.filter(({ source }) => source === 'agent').map(({ topic }) => topic))];
}

/** Checks on which hat gets its turn, on which backend, and how often. */
export const ROUTING_KINDS: ReadonlySet<string> = new Set([
  'hatActive',
  'hatSequence',
  'hatNeverActive',
  'hatRanOn',
  'hatCalledWith',
  'toldOnlyTo',
  'toldToNobody',
  'toldTimes',
]);

/** Checks on what ralph makes of events before it hands them on. */
export const PENDING_KINDS: ReadonlySet<string> = new Set(['pendingEvents', 'pendingAfter']);

/** A call of `ralph emit` that ralph confirmed. */
interface ConfirmedEmit {
  readonly iteration: number;
  readonly topic: string;
}

/** What agents published by command and were told to be published. */
export function confirmedEmits({ iterations }: Evidence): ConfirmedEmit[] {
  return iterations.flatMap(({ number, toolCalls }) =>
    toolCalls.flatMap(({ result }) =>
      [...(result ?? '').matchAll(/Event emitted: (\S+)/g)].map(([, topic = '']) => ({
        iteration: number,
        topic,
      })),
    ),
  );
}

/** Prompts that the scripted agent of the offline lanes had no answer to. */
export function unansweredPrompts(evidence: Evidence): string[] {
  return describeCalls(evidence, ['no-match', 'refused', 'script-error']);
}

/** Calls in which the scripted agent itself broke. */
export function brokenCalls(evidence: Evidence): string[] {
  return describeCalls(evidence, ['script-error']);
}

type CallOutcome = Evidence['invocations'][number]['outcome'];

function describeCalls({ invocations, requests }: Evidence, outcomes: readonly CallOutcome[]): string[] {
  const calls = invocations
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map(
      ({ outcome, argv, detail }) => `agent call (${outcome}) ${argv.slice(0, 6).join(' ')}: ${detail ?? ''}`,
    );
  const asked = requests
    .filter(({ outcome }) => outcomes.some((wanted) => wanted === outcome))
    .map(({ outcome, path, detail }) => `model request (${outcome}) ${path}: ${detail ?? ''}`);
  return [...calls, ...asked];
}
