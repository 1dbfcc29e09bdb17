import type { CheckResult } from '../../../../domain/check.js';
import { list } from '../../../../domain/checks/text.js';
import type { Case } from '../../../../domain/diagnosis/clues.js';
import { observe } from '../observe/observe.js';

/** Checks that fail in the same way, with that way in words. */
interface SharedSymptom {
  readonly checks: readonly CheckResult[];
  readonly text: string;
}

/** Fewer checks may look alike by chance. */
const FEWEST = 3;

/**
 * Finds out whether the first failed check fails like others that test something else. Then what they share is wrong, and
 * not what each of them tests.
 */
export function findSharedSymptom(failure: Case, checks: readonly CheckResult[]): SharedSymptom | null {
  const [lead] = checks;
  if (lead === undefined) return null;
  const alike = checks.filter((check) => failsAlike(check, lead));
  if (alike.length < FEWEST || alike.every(({ promises = [] }) => promises.length === 0)) return null;
  const holders = (promise: string) =>
    alike.filter(({ promises = [] }) => promises.some((held) => held.promise === promise)).length;
  const isSplit = alike
    .flatMap(({ promises = [] }) => promises)
    .every(({ promise }) => 2 * holders(promise) < alike.length);
  if (!isSplit) return null;
  const { text } = observe(lead, failure.evidence);
  const others = alike.slice(1, 4).map(nameOf);
  const more = alike.length - 1 - others.length;
  return {
    checks: alike,
    text: `${text} ${alike.length} checks of different promises fail in this way (also ${list(others)}${more > 0 ? ` and ${more} more` : ''}), so the cause is what they share.`,
  };
}

/** Whether two checks ask the same question about different subjects. */
export function failsAlike(check: CheckResult, other: CheckResult): boolean {
  return COMPARED.has(check.kind) && check.kind === other.kind;
}

/** Checks with one subject each, such as an event: if many fail, the cause is what they share. */
const COMPARED: ReadonlySet<string> = new Set(['pendingAfter']);

function nameOf({ about = {}, name }: CheckResult): string {
  return about.names?.[0] ?? about.topics?.[0] ?? `${name}`;
}
