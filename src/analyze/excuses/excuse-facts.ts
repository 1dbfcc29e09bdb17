import type { CheckCategory, CheckResult } from '../../domain/check.js';
import { topicsOf } from '../../domain/diagnosis/check-facts.js';
import type { Evidence, Iteration, ToolCall } from '../../domain/evidence/evidence.js';
import { promiseOf } from '../../domain/evidence/run-view.js';
import type { Execution } from '../../domain/report/analysis.js';

/** The evidence to compare an agent's words with. */
export interface ExcuseFacts {
  readonly execution: Execution;
  readonly evidence: Evidence;
  /** Failed checks on the agent's work. */
  readonly undone: readonly CheckResult[];
  readonly broken: readonly CheckResult[];
  readonly green: readonly CheckResult[];
  readonly calls: readonly ToolCall[];
  /** Whether this backend shows its tool calls; if not, their absence means nothing. */
  readonly showsCalls: boolean;
  readonly promise: string;
}

/** Checks on the agent's work: files, words, events. */
const WORK: ReadonlySet<CheckCategory> = new Set([
  'OutputContains',
  'FileCreated',
  'FileContains',
  'PromptEffectiveness',
  'EventEmitted',
  'EventPayload',
]);

/** Reads the last attempt that failed, if it has evidence. Errors of the harness do not count. */
export function readFacts(execution: Execution): ExcuseFacts | null {
  const attempt = execution.attempts.findLast(
    ({ outcome }) => outcome === 'failed' || outcome === 'known-issue',
  );
  const evidence = attempt?.evidence;
  if (!attempt || !evidence) return null;
  const broken = attempt.checks.filter(({ passed }) => !passed);
  const calls = evidence.iterations.flatMap(({ toolCalls }) => toolCalls);
  return {
    execution,
    evidence,
    broken,
    undone: broken.filter(({ category }) => WORK.has(category)),
    green: attempt.checks.filter(({ passed }) => passed),
    calls,
    showsCalls:
      calls.length > 0 ||
      evidence.conversation !== undefined ||
      evidence.iterations.some(({ form }) => form === 'claude-stream'),
    promise: promiseOf(evidence),
  };
}

/** Returns the agent's own lines: a line that it only repeats from its prompt is not a claim. */
export function ownLines({ said, prompt }: Iteration): string[] {
  return said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !(prompt ?? '').includes(line));
}

/**
 * Returns the topics of an event check that identify it in a text. They contain a dot, such as `build.done`. A topic
 * without one is an ordinary word, and its appearance shows nothing.
 */
export function tellingTopics(check: CheckResult): string[] {
  const { category } = check;
  if (category !== 'EventEmitted' && category !== 'EventPayload') return [];
  return topicsOf(check).filter((topic) => topic.includes('.'));
}

/** Finds the first failed check that shares a distinctive word with the sentence. */
export function relatedTo(sentence: string, undone: readonly CheckResult[]): CheckResult | undefined {
  const words = wordsOf(sentence);
  return undone.find((check) => [...wordsOf(termsOf(check))].some((word) => words.has(word)));
}

/** Collects the words of a check: its kind (`memoryStored`: memory, stored) and its facts. */
function termsOf({ kind, about = {} }: CheckResult): string {
  const facts = Object.values(about).flat();
  return [kind.replaceAll(/(?=[A-Z])/g, ' '), ...facts].join(' ');
}

const COMMON = new Set(
  'about after agent that this then them they will with have been from into what when where which later contains expected event file said says emitted'.split(
    ' ',
  ),
);

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z][a-z0-9_]{3,}/g) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}

/** Describes what really happened, from a failed check. */
export function describeUndone({ name, actual }: CheckResult): string {
  return `It did not happen: "${name}" received ${`${actual}`.slice(0, 160)}`;
}
