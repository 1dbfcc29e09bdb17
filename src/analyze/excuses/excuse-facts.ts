import type { CheckCategory, CheckResult } from '../../domain/check.js';
import { topicsOf } from '../../domain/diagnosis/check-facts.js';
import type { Evidence, Iteration, ToolCall } from '../../domain/evidence/evidence.js';
import { promiseOf } from '../../domain/evidence/facts.js';
import type { Execution } from '../../domain/report/analysis.js';

/** What there is to hold an agent's words against. */
export interface ExcuseFacts {
  readonly execution: Execution;
  readonly evidence: Evidence;
  /** Broken checks on what the agent was asked to do. */
  readonly undone: readonly CheckResult[];
  readonly broken: readonly CheckResult[];
  readonly green: readonly CheckResult[];
  readonly calls: readonly ToolCall[];
  /** Whether this backend shows its tool calls: where it does not, none seen means nothing. */
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

/** The last attempt in which the target failed, as far as there is evidence. What the harness broke excuses nobody. */
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

/** The lines of an answer that are the agent's own: what it only repeats of its prompt is no claim. */
export function ownLines({ said, prompt }: Iteration): string[] {
  return said
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !(prompt ?? '').includes(line));
}

/**
 * The topics of an event check by which a line can be held to it. They have a dot: `build.done`. One without is a word
 * like any other, and its appearance shows nothing.
 */
export function tellingTopics(check: CheckResult): string[] {
  const { category } = check;
  if (category !== 'EventEmitted' && category !== 'EventPayload') return [];
  return topicsOf(check).filter((topic) => topic.includes('.'));
}

/** The first undone check that shares a telling word with the sentence. */
export function relatedTo(sentence: string, undone: readonly CheckResult[]): CheckResult | undefined {
  const words = wordsOf(sentence);
  return undone.find((check) => [...wordsOf(termsOf(check))].some((word) => words.has(word)));
}

/** What a check is about in a few words: its kind (`memoryStored`: memory, stored) and its facts. */
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

/** A broken check as what really happened. */
export function describeUndone({ name, actual }: CheckResult): string {
  return `It did not happen: "${name}" got ${actual.slice(0, 160)}`;
}
