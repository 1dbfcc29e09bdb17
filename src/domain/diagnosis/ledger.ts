import { isInconclusive } from '../attempt.js';
import type { HeldPromise } from '../contract.js';
import type { Case } from './clues.js';

/**
 * Sorts the promises of each failed check: those that most failed scenarios hold Ralph to, and the fewest others, come first.
 * Of two that are alike, the one comes first that more failed checks of the test hold, and then the one whose place in the
 * source is suspect. The contract says how many others there are, so a test that fails alone names the same promise as in
 * the whole run.
 */
export function rankPromises(cases: readonly Case[]): Case[] {
  const [byPromise, bySource] = [suspectBy('promise', cases), suspectBy('source', cases)];
  return cases.map((failure) => {
    const held = failure.broken.flatMap(({ promises = [] }) => promises);
    const count = ({ promise }: HeldPromise) => held.filter((one) => one.promise === promise).length;
    const rank = (a: HeldPromise, b: HeldPromise) =>
      compare(byPromise(a), byPromise(b)) || compare(count(a), count(b)) || compare(bySource(a), bySource(b));
    const broken = failure.broken.map(({ promises, ...check }) =>
      promises === undefined ? check : { ...check, promises: promises.toSorted(rank) },
    );
    return { ...failure, broken };
  });
}

/**
 * How much the failed scenarios speak against a promise or its source, more than those that keep it and those that failed
 * elsewhere speak for it: DStar, which finds faults by the tests that run a statement (Wong et al. 2014).
 */
function suspectBy(field: 'promise' | 'source', cases: readonly Case[]): (held: HeldPromise) => number {
  const votes = countVotes(field, cases);
  const voters = new Set([...votes.values()].flatMap((ids) => [...ids])).size;
  return (held) => {
    // A failure without a vote is one at least.
    const failed = votes.get(held[field])?.size ?? 1;
    const kept = Math.max(0, (held.holders?.[field] ?? 0) - failed);
    return failed ** 2 / (kept + Math.max(0, voters - failed));
  };
}

/**
 * The ids of the failed scenarios that hold Ralph to each promise: one vote each, on however many backends. A failure that is
 * not the target's is no vote, and what a known issue breaks is no news.
 */
function countVotes(
  field: 'promise' | 'source',
  cases: readonly Case[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const votes = new Map<string, Set<string>>();
  for (const { attempt, broken, execution } of cases) {
    if (attempt.outcome !== 'failed' || isInconclusive(attempt)) continue;
    for (const held of broken.flatMap(({ promises = [] }) => promises)) {
      const ids = votes.get(held[field]) ?? new Set();
      votes.set(held[field], ids.add(execution.scenarioId));
    }
  }
  return votes;
}

/** The larger first. Both may be infinite. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one > other ? -1 : 1;
}

/** The most promises that a diagnosis quotes: a check that holds Ralph to more says little about each. */
const MOST_PROMISES = 3;

/** The first promises of these, each once. */
export function firstOf(held: readonly HeldPromise[]): readonly HeldPromise[] {
  return [...new Map(held.map((one) => [one.promise, one])).values()].slice(0, MOST_PROMISES);
}
