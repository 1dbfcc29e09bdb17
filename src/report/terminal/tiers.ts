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
} from '../../domain/vocabulary.js';
import { INCONCLUSIVE_MARK, listCounts } from '../words/outcomes.js';

type TestOf = Pick<AttemptFinished, 'scenarioId' | 'backend'>;

interface OpenTier {
  readonly title: string;
  /** Null for tests without one. */
  readonly tier: Tier | null;
  readonly tests: ReadonlySet<string>;
  /** The tests that have not ended. */
  readonly open: Set<string>;
  readonly results: Standing[];
  /** What is shown below the tier: the tests that did not pass. */
  readonly below: string[];
  hasTitle: boolean;
}

/** Follows the tiers of a run: their titles between the results, or one line for each in place of its results. */
export function createTiers() {
  let tiers: OpenTier[] = [];
  let taken = 0;
  let shuffled = false;
  const keyOf = ({ scenarioId, backend }: TestOf): string => executionKey(scenarioId, backend);
  const tierOf = (test: TestOf) => tiers.find(({ tests }) => tests.has(keyOf(test)));
  const settle = (test: TestOf, result: Standing | null): void => {
    const tier = tierOf(test);
    if (tier?.open.delete(keyOf(test)) && result !== null) tier.results.push(result);
  };

  return {
    onEvent: (event: JournalEvent): void => {
      if (event.type === 'run-started') {
        shuffled = event.shuffleSeed !== undefined;
        const groups = groupBy(event.planned.toSorted(comparePlaces), groupTitle);
        tiers = [...groups].map(([title, planned]) => ({
          ...{ title, results: [], below: [], hasTitle: false },
          tier: planned[0]?.placed ? planned[0].tier : null,
          tests: new Set(planned.map(keyOf)),
          open: new Set(planned.map(keyOf)),
        }));
      } else if (event.type === 'scenario-skipped') settle(event, 'skipped');
      else if (event.type === 'attempt-finished' && event.retryInSeconds === undefined)
        settle(event, event.interrupted ? null : resultOf(event));
    },
    /**
     * Returns the title to print before a result, if any, and what to add to the result itself. Titles come once each, in
     * order. With several jobs a test can end before the last one of an earlier tier: its line then names its tier. A
     * shuffled run has no titles.
     */
    place: (test: TestOf): { readonly heading: string | null; readonly note: string } => {
      const own = tierOf(test);
      const tier = own?.tier ?? null;
      if (shuffled || own === undefined || tier === null) return { heading: null, note: '' };
      const isEarly = tiers.some((other) => other.tier !== null && other.tier < tier && other.open.size > 0);
      if (isEarly) return { heading: null, note: `tier ${tier}` };
      const heading = own.hasTitle ? null : own.title;
      own.hasTitle = true;
      return { heading, note: '' };
    },
    /** Keeps the lines of a test until its tier has ended, or returns false if it is in none that is open. */
    keep: (test: TestOf, lines: readonly string[]): boolean => {
      const tier = tierOf(test);
      if (tier === undefined || tiers.indexOf(tier) < taken) return false;
      tier.below.push(...lines.map((line) => `  ${line}`));
      return true;
    },
    /**
     * Returns the lines of the tiers that have ended since the last call. A tier comes after those before it, even if it
     * ends earlier. `all` takes the others, too.
     */
    take: (chalk: ChalkInstance, all = false): string[] => {
      const unfinished = all ? -1 : tiers.findIndex(({ open }) => open.size > 0);
      const ended = tiers.slice(taken, unfinished === -1 ? tiers.length : unfinished);
      taken += ended.length;
      const width = Math.max(0, ...tiers.map(({ title }) => title.length));
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
