import type { Planned } from '../../domain/attempt.js';
import type { JournalEvent } from '../../domain/journal.js';
import { type BackendId, executionKey, testLabel } from '../../domain/vocabulary.js';
import { oneLine } from '../text/safe-text.js';
import { describeSpent } from '../words/money-words.js';
import { formatDuration } from '../words/words.js';

/** Tracks the progress of a run from its events. */
export interface Progress {
  readonly onEvent: (event: JournalEvent) => void;
  readonly isBusy: () => boolean;
  /** Describes what is running and for how long, how much is done, and how much time is left. */
  readonly describe: () => string;
}

interface Test {
  readonly label: string;
  /** From earlier runs; null if there are none. */
  expected: number | null;
  readonly limit: number;
  /** When it started, in milliseconds. */
  since: number | null;
  settled: boolean;
}

/** Creates a tracker. Expected times come from earlier runs of the same tests, or else from the time limits. */
export function createProgress(now: () => number): Progress {
  const tests = new Map<string, Test>();
  let startedAt = now();
  let spentUsd: number | null = null;
  let maxUsd: number | null = null;
  let analysis: { backend: BackendId; limit: number; since: number } | null = null;

  const plan = ({ scenarioId, backend, timeoutSeconds }: Planned): void => {
    const label = testLabel(scenarioId, backend);
    const fresh = { label, expected: null, limit: timeoutSeconds, since: null, settled: false };
    tests.set(executionKey(scenarioId, backend), fresh);
  };
  const update = (event: { scenarioId: string; backend: BackendId }, change: Partial<Test>): void => {
    const known = tests.get(executionKey(event.scenarioId, event.backend));
    if (known) Object.assign(known, change);
  };

  const onEvent = (event: JournalEvent): void => {
    switch (event.type) {
      case 'run-started':
        startedAt = now();
        event.planned.forEach(plan);
        if (event.budget) [spentUsd, maxUsd] = [0, event.budget.maxUsd];
        break;
      case 'history-known':
        for (const entry of event.expected) update(entry, { expected: entry.seconds });
        break;
      case 'attempt-started':
        update(event, { since: now(), settled: false });
        break;
      case 'attempt-finished':
        if (event.spending) spentUsd = (spentUsd ?? 0) + event.spending.usd;
        update(event, { since: null, settled: true });
        break;
      case 'scenario-skipped':
        update(event, { since: null, settled: true });
        break;
      case 'analysis-started':
        analysis = { backend: event.backend, limit: event.timeoutSeconds, since: now() };
        break;
      case 'analysis-finished':
        analysis = null;
        if (event.spending) spentUsd = (spentUsd ?? 0) + event.spending.usd;
        break;
      case 'cause-examined':
        break;
      case 'proof-known':
      case 'run-finished':
      case 'journal-changed':
        for (const test of tests.values()) test.since = null;
        break;
      default:
        event satisfies never;
    }
  };

  const secondsSince = (moment: number): number => Math.max(0, Math.floor((now() - moment) / 1000));
  const running = (): Test[] => [...tests.values()].filter(({ since }) => since !== null);

  const describeTest = ({ label, expected, limit, since }: Test): string => {
    const bound =
      expected === null ? `limit ${formatDuration(limit)}` : `usually ${formatDuration(expected)}`;
    return `${oneLine(label, 60)} (${secondsSince(since ?? now())}s, ${bound})`;
  };

  /** Estimates the remaining time at the current parallelism; time limits are the bound if nothing better is known. */
  const describeLeft = (): string => {
    const open = [...tests.values()].filter(({ settled }) => !settled);
    const work = open.reduce((sum, { expected, limit, since }) => {
      const spent = since === null ? 0 : secondsSince(since);
      return sum + Math.max(0, (expected ?? limit) - spent);
    }, 0);
    const left = formatDuration(Math.ceil(work / Math.max(1, running().length)));
    return open.every(({ expected }) => expected !== null) ? `about ${left} left` : `at most ${left} left`;
  };

  const describe = (): string => {
    const [first, ...others] = running();
    const done = [...tests.values()].filter(({ settled }) => settled).length;
    const head = first === undefined ? '' : `${describeTest(first)}`;
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    const elapsed = formatDuration(secondsSince(startedAt));
    const money = spentUsd === null ? '' : ` · ${describeSpent(spentUsd, maxUsd)}`;
    if (analysis !== null) {
      const { backend, limit, since } = analysis;
      const time = `${secondsSince(since)}s, limit ${formatDuration(limit)}`;
      return `Ralph analyzes the results on ${backend} (${time}), Ctrl-C skips it${money}`;
    }
    return `${head}${more} · ${done}/${tests.size} done in ${elapsed}, ${describeLeft()}${money}`;
  };

  return { onEvent, isBusy: () => analysis !== null || running().length > 0, describe };
}
