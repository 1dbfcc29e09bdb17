import type { ChalkInstance } from 'chalk';
import { type AttemptFinished, isInconclusive } from '../../domain/attempt.js';
import { groupBy } from '../../domain/common/group-by.js';
import type { JournalEvent } from '../../domain/journal.js';
import {
  comparePlaces,
  executionKey,
  groupTitle,
  type Standing,
  type Tier,
  tierTitle,
} from '../../domain/vocabulary.js';
import { INCONCLUSIVE_MARK, listCounts } from '../words/outcomes.js';

/** Folds the results of tests into one line for each tier. */
interface TierFold {
  readonly onEvent: (event: JournalEvent) => void;
  /** Keeps the lines of a test until its tier has ended, or returns false if it is in none that is open. */
  readonly keep: (attempt: AttemptFinished, lines: readonly string[]) => boolean;
  /** Returns the lines of the tiers that have ended since the last call, in order. `all` takes the others, too. */
  readonly take: (chalk: ChalkInstance, all?: boolean) => string[];
}

interface FoldedTier {
  readonly title: string;
  readonly tests: ReadonlySet<string>;
  /** The tests that have not ended. */
  readonly open: Set<string>;
  readonly results: Standing[];
  /** What is shown below the tier: the tests that did not pass. */
  readonly below: string[];
}

/** Creates a fold. A tier comes after the tiers before it, even if it ends earlier. */
export function createTierFold(): TierFold {
  let waiting: FoldedTier[] = [];
  let width = 0;

  const settle = (test: Pick<AttemptFinished, 'scenarioId' | 'backend'>, result: Standing): void => {
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
          tests: new Set(tests.map(({ scenarioId, backend }) => executionKey(scenarioId, backend))),
          open: new Set(tests.map(({ scenarioId, backend }) => executionKey(scenarioId, backend))),
          results: [],
          below: [],
        }));
        width = Math.max(0, ...waiting.map(({ title }) => title.length));
      } else if (event.type === 'scenario-skipped') settle(event, 'skipped');
      else if (event.type === 'attempt-finished' && isResult(event)) settle(event, resultOf(event));
    },
    keep: ({ scenarioId, backend }, lines) => {
      const key = executionKey(scenarioId, backend);
      const tier = waiting.find(({ tests }) => tests.has(key));
      tier?.below.push(...lines.map((line) => `  ${line}`));
      return tier !== undefined;
    },
    take: (chalk, all = false) => {
      const unfinished = all ? -1 : waiting.findIndex(({ open }) => open.size > 0);
      const ended = waiting.splice(0, unfinished === -1 ? waiting.length : unfinished);
      return ended
        .filter(({ results, below }) => results.length > 0 || below.length > 0)
        .flatMap(({ title, results, below }) => {
          const counts = listCounts((standing) => results.filter((result) => result === standing).length);
          const line = `  ${markOf(results)} ${title.padEnd(width)}  ${counts.join(', ')}`.trimEnd();
          return [isRed(results) ? chalk.red(line) : line, ...below];
        });
    },
  };
}

function isResult({ retryInSeconds, interrupted }: AttemptFinished): boolean {
  return retryInSeconds === undefined && !interrupted;
}

function resultOf(attempt: AttemptFinished): Standing {
  const { outcome } = attempt;
  if (outcome === 'passed') return attempt.attempt > 1 ? 'flaky' : 'passed';
  return isInconclusive(attempt) ? 'inconclusive' : outcome;
}

function isRed(results: readonly Standing[]): boolean {
  return results.includes('failed') || results.includes('error');
}

function markOf(results: readonly Standing[]): string {
  if (isRed(results)) return '❌';
  if (results.includes('inconclusive')) return INCONCLUSIVE_MARK;
  if (results.length === 0) return '⏹ ';
  return results.every((result) => result === 'skipped') ? '⏭️ ' : '✅';
}

/** Decides where the titles of tiers stand between the results. */
interface TierHeadings {
  readonly onEvent: (event: JournalEvent) => void;
  /** Returns the title to print first, if any, and what to add to the result itself. */
  readonly place: (attempt: Pick<AttemptFinished, 'scenarioId' | 'backend'>) => {
    readonly heading: string | null;
    readonly note: string;
  };
}

/**
 * Creates headings that come once each, in the order of the tiers. With several jobs a test can end before the last one of
 * an earlier tier: its line then names its tier. A shuffled run has no headings.
 */
export function createTierHeadings(): TierHeadings {
  const tiers = new Map<string, Tier>();
  const open = new Map<string, Tier>();
  const shown = new Set<Tier>();
  let shuffled = false;
  return {
    onEvent: (event) => {
      if (event.type === 'run-started') {
        shuffled = event.shuffleSeed !== undefined;
        for (const { scenarioId, backend, tier, placed } of event.planned) {
          if (!placed) continue;
          tiers.set(executionKey(scenarioId, backend), tier);
          open.set(executionKey(scenarioId, backend), tier);
        }
      }
      const ended = event.type === 'attempt-finished' && event.retryInSeconds === undefined;
      if (ended || event.type === 'scenario-skipped')
        open.delete(executionKey(event.scenarioId, event.backend));
    },
    place: ({ scenarioId, backend }) => {
      const tier = tiers.get(executionKey(scenarioId, backend));
      if (shuffled || tier === undefined) return { heading: null, note: '' };
      if ([...open.values()].some((other) => other < tier)) return { heading: null, note: `tier ${tier}` };
      if (shown.has(tier)) return { heading: null, note: '' };
      shown.add(tier);
      return { heading: tierTitle(tier), note: '' };
    },
  };
}
