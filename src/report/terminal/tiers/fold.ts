import type { ChalkInstance } from 'chalk';
import { type AttemptFinished, isInconclusive } from '../../../domain/attempt.js';
import { groupBy } from '../../../domain/common/group-by.js';
import type { JournalEvent } from '../../../domain/journal.js';
import { comparePlaces, executionKey, groupTitle } from '../../../domain/vocabulary.js';
import { INCONCLUSIVE_MARK } from '../../words/fault-words.js';

/** Folds the results of tests into one line for each tier. */
export interface TierFold {
  readonly onEvent: (event: JournalEvent) => void;
  /** Returns the lines of the tiers that have ended since the last call, in order. `all` takes the others, too. */
  readonly take: (chalk: ChalkInstance, all?: boolean) => string[];
}

/** The words for the results of a tier, in the order in which they are listed. */
const RESULTS = ['passed', 'flaky', 'failed', 'inconclusive', 'error', 'known issue', 'skipped'] as const;
type Result = (typeof RESULTS)[number];

interface FoldedTier {
  readonly title: string;
  /** The tests that have not ended. */
  readonly open: Set<string>;
  readonly results: Result[];
}

/** Creates a fold. A tier comes after the tiers before it, even if it ends earlier. */
export function createTierFold(): TierFold {
  let waiting: FoldedTier[] = [];
  let width = 0;

  const settle = (test: Pick<AttemptFinished, 'scenarioId' | 'backend'>, result: Result): void => {
    const key = executionKey(test.scenarioId, test.backend);
    const tier = waiting.find(({ open }) => open.has(key));
    tier?.open.delete(key);
    tier?.results.push(result);
  };

  return {
    onEvent: (event) => {
      if (event.type === 'run-started') {
        const groups = groupBy(event.planned.toSorted(comparePlaces), groupTitle);
        waiting = [...groups].map(([title, tests]) => ({
          title,
          open: new Set(tests.map(({ scenarioId, backend }) => executionKey(scenarioId, backend))),
          results: [],
        }));
        width = Math.max(0, ...waiting.map(({ title }) => title.length));
      } else if (event.type === 'scenario-skipped') settle(event, 'skipped');
      else if (event.type === 'attempt-finished' && isResult(event)) settle(event, resultOf(event));
    },
    take: (chalk, all = false) => {
      const unfinished = all ? -1 : waiting.findIndex(({ open }) => open.size > 0);
      const ended = waiting.splice(0, unfinished === -1 ? waiting.length : unfinished);
      return ended
        .filter(({ results }) => results.length > 0)
        .map(({ title, results }) => {
          const line = `  ${markOf(results)} ${title.padEnd(width)}  ${countResults(results)}`;
          return isRed(results) ? chalk.red(line) : line;
        });
    },
  };
}

function isResult({ retryInSeconds, interrupted }: AttemptFinished): boolean {
  return retryInSeconds === undefined && !interrupted;
}

function resultOf(attempt: AttemptFinished): Result {
  const { outcome } = attempt;
  if (outcome === 'known-issue') return 'known issue';
  if (outcome === 'passed') return attempt.attempt > 1 ? 'flaky' : 'passed';
  return isInconclusive(attempt) ? 'inconclusive' : outcome;
}

function countResults(results: readonly Result[]): string {
  return RESULTS.flatMap((word) => {
    const count = results.filter((result) => result === word).length;
    const plural = count > 1 && (word === 'error' || word === 'known issue') ? 's' : '';
    return count === 0 ? [] : [`${count} ${word}${plural}`];
  }).join(', ');
}

function isRed(results: readonly Result[]): boolean {
  return results.includes('failed') || results.includes('error');
}

function markOf(results: readonly Result[]): string {
  if (isRed(results)) return '❌';
  if (results.includes('inconclusive')) return INCONCLUSIVE_MARK;
  return results.every((result) => result === 'skipped') ? '⏭️ ' : '✅';
}
