import { involvesRalph, type Target } from '../../domain/attempt.js';
import { BACKEND_FACTS, type BackendId } from '../../domain/backends.js';
import type { Fault } from '../../domain/fault.js';
import type { Estimate } from '../../domain/money/spending.js';
import type { Blame } from '../../domain/report/analysis.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportContext, ReportResult } from '../../domain/report/result.js';
import { FAULT_VARIABLE } from '../../domain/scenario/stand-in-faults.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { countOf } from '../text/count-of.js';
import { cleanText, oneLine } from '../text/safe-text.js';

export { countOf };

/** Words that all renderers share. */

/** Returns the display name of a backend. */
export function backendName(backend: BackendId): string {
  return BACKEND_FACTS[backend].title;
}

const LANE_MEANINGS = {
  live: 'real CLIs, real models',
  scripted: 'real CLIs, a scripted model on loopback',
  sim: 'our executables stand in for the agent CLIs',
} as const satisfies Record<Lane, string>;

/** Explains a lane in a few words. */
export function laneMeaning(lane: Lane): string {
  return LANE_MEANINGS[lane];
}

/** Says why a stand-in was used and what was broken in it on purpose; null if there is nothing to say. */
export function describeMissingRalph({ because, faults }: Pick<Target, 'because' | 'faults'>): string | null {
  const facts = [
    ...(because === 'none-found'
      ? ['No ralph was found: none was named with --ralph or $RALPH_BIN, and none is on PATH.']
      : []),
    ...(faults === undefined ? [] : [`${FAULT_VARIABLE} broke it on purpose: ${faults.join(', ')}.`]),
  ];
  return facts.length === 0 ? null : facts.join(' ');
}

/** Names what is under test, for sentences: `Ralph`. */
export function nameTarget(target: Pick<Target, 'because'>): string {
  return involvesRalph(target) ? 'Ralph' : 'the plugin';
}

/** Describes what a run without Ralph tests. */
export function describeConversationTarget(lane: Lane): string {
  return LANE_TRAITS[lane].standIns
    ? 'conversations with a stand-in for the agent CLI: the real one was not tested'
    : 'conversations with the agent CLI and its plugins';
}

const BLAMED = {
  target: 'the target',
  agent: 'the agent',
  infrastructure: 'the infrastructure',
  recording: 'the recording',
  authentication: 'the authentication',
  quota: 'a quota or rate limit',
  harness: 'the harness or the scenario',
  unknown: 'nobody yet: the evidence does not tell',
} as const satisfies Record<Blame | Fault['whose'], string>;

/** Names the probable cause of a failure. */
export function describeBlame(blame: Blame | Fault['whose']): string {
  return BLAMED[blame];
}

/** Formats a duration: `0.42s`, `12.3s`, `4m 32s`, `1h 02m`. */
export function formatDuration(seconds: number): string {
  if (seconds < 0.995) return `${Math.max(0, seconds).toFixed(2)}s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`;
  return `${Math.floor(whole / 3600)}h ${two(Math.floor((whole % 3600) / 60))}m`;
}

/** Formats a share: `98 %`; only the whole is 100 %. */
export function formatShare(share: number): string {
  return `${share >= 1 ? 100 : Math.min(99, Math.round(Math.max(0, share) * 100))} %`;
}

/** Created for the first number: a formatter is slow to create, and so is `toLocaleString` for each number. */
let numbers: Intl.NumberFormat | undefined;

/** Formats a number: `1,234` in any locale, and `2.5` for a median between two counts. */
export function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  return numbers.format(value);
}

const TIMES = ['', 'once', 'twice'];

/** Ends a sentence with a period, unless it has an end. */
export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Says how often a run went on: `resumed once, 12 results taken over`. */
export function describeResumption({ times, taken_over }: NonNullable<Report['resumed']>): string {
  return `resumed ${TIMES[times] ?? `${times} times`}, ${countOf(taken_over, 'result')} taken over`;
}

/** Formats a duration as a clock does: `0:37`, `12:05`, `1:02:09`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Says which part of a run this is: `shard 2 of 4: 31 of 120 tests`. */
export function describeShard(shard: NonNullable<Report['shard']>): string {
  return `shard ${shard.index} of ${shard.total}: ${shard.tests} of ${countOf(shard.all_tests, 'test')}`;
}

/** Says what a merged run consists of: `4 shards of 30 to 31 tests, the longest took 45s`. */
export function describeShards(shards: NonNullable<Report['shards']>): string {
  const tests = shards.map((shard) => shard.tests);
  const [least, most] = [Math.min(...tests), Math.max(...tests)];
  const each = least === most ? countOf(most, 'test') : `${least} to ${countOf(most, 'test')}`;
  const longest = Math.max(...shards.map(({ duration_seconds }) => duration_seconds));
  const cut = shards.filter(({ interrupted }) => interrupted).map(({ index }) => index);
  const ended = cut.length === 0 ? '' : `; shard ${cut.join(', ')} was interrupted`;
  return `${countOf(shards.length, 'shard')} of ${each}, the longest took ${formatDuration(longest)}${ended}`;
}

type ReportOrigin = NonNullable<Report['origin']>;

/** Words for a replay or a regrade. Every report takes them from here. */

/** Says what this run is: `replay of run … (live, ralph 2.10.1)`. */
export function describeOriginRun({ kind, run_id, lane, ralph_version }: OriginRun): string {
  return `${kind} of run ${oneLine(run_id, 80)} (${lane}, ralph ${oneLine(ralph_version, 60)})`;
}

type OriginRun = Pick<ReportOrigin, 'kind' | 'run_id' | 'lane' | 'ralph_version'>;

/** Lists what became of each test: `failed → passed: claude-events`, and what to know about it. */
export function describeChanges({ tests, changed_scenarios, kind }: ReportOrigin): string[] {
  const lines = tests.flatMap(({ test, before, now, because }) => {
    const then = before === null ? '' : `${before} → `;
    const why =
      because === null
        ? []
        : cleanText(because)
            .split('\n')
            .map((line) => `    ${line.slice(0, 220)}`);
    return [`${then}${now}: ${test}`, ...why];
  });
  const changed =
    changed_scenarios.length === 0
      ? []
      : [
          `${countOf(changed_scenarios.length, 'scenario')} changed since ${kind === 'replay' ? 'the recording' : 'that run'}: ${changed_scenarios.join(', ')}`,
        ];
  return [...lines, ...changed];
}

/** Words for money, so that every output says the same. */

/** Formats dollars: `$0.0042`, `$1.20`. */
export function formatUsd(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.095 ? 4 : 2)}`;
}

/** What a model used for a test; null in the offline lanes, where a CLI reports usage although no model answered. */
export function modelUsage({ spending, context }: ReportResult): NonNullable<ReportContext['usage']> | null {
  const usage = context?.usage ?? null;
  return spending === null && usage?.cost_usd === 0 ? null : usage;
}

/** Describes an estimate in one line. */
export function describeEstimate(estimate: Estimate): string {
  const { tests, calls, tokens, usd, seconds, unpriced } = estimate;
  const unknown = unpriced.length === 0 ? '' : ` (without ${unpriced.join(', ')}: price unknown)`;
  return [
    `Estimate: ${countOf(tests, 'test')}, about ${countOf(calls, 'agent call')}`,
    `${formatTokens(tokens)} tokens`,
    `${formatUsd(usd)}${unknown}`,
    `${formatMinutes(seconds)}; from ${describeBasis(estimate)}`,
  ].join(', ');
}

function describeBasis({ tests, measured }: Estimate): string {
  if (measured === 0) return 'averages, no test was measured here before';
  return measured === tests
    ? 'earlier runs in this folder'
    : `earlier runs of ${measured} of these tests, and averages`;
}

function formatTokens(tokens: number): string {
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)} thousand`;
  return `${(tokens / 1_000_000).toFixed(1)} million`;
}

function formatMinutes(seconds: number): string {
  return seconds < 60 ? formatDuration(seconds) : formatDuration(Math.ceil(seconds / 60) * 60);
}

/** Says that a limit will end the run early. */
export function describeTooMuch(maxUsd: number): string {
  return `The estimate is above --max-cost ${formatUsd(maxUsd)}: some tests will not run, and there will be no verdict.`;
}

/** Describes what was spent so far: `$1.20 of $5.00`. */
export function describeSpent(usd: number, maxUsd: number | null): string {
  return maxUsd === null ? formatUsd(usd) : `${formatUsd(usd)} of ${formatUsd(maxUsd)}`;
}

type RunSpending = NonNullable<Report['spending']>;

/** Describes what a run cost in a few words: how much, and how much of it is an estimate. */
export function summarizeCost(spending: RunSpending, models: readonly string[] = []): string {
  const { cost_usd, estimated_usd, analysis_usd, max_usd } = spending;
  const parts = [
    ...(estimated_usd > 0
      ? [`${formatUsd(estimated_usd)} of it estimated, where the CLI reported none`]
      : []),
    ...(analysis_usd > 0 ? [`${formatUsd(analysis_usd)} of it for the analysis`] : []),
    ...models,
  ];
  return `${describeSpent(cost_usd, max_usd)}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
}

/** Describes what a run cost, and what `--max-cost` did. */
export function describeCost(spending: RunSpending, models: readonly string[]): string[] {
  const { cost_usd, max_usd, not_run } = spending;
  const over = max_usd !== null && cost_usd > max_usd ? cost_usd - max_usd : 0;
  return [
    `Cost: ${summarizeCost(spending, models)}`,
    ...(over > 0 ? [`  └─ ${formatUsd(over)} more than --max-cost: what was running went on`] : []),
    ...(not_run > 0 ? [`  └─ ${describeNotRun(not_run, max_usd)}`] : []),
  ];
}

/** Describes the tests that the budget kept from running. */
export function describeNotRun(notRun: number, maxUsd: number | null): string {
  return `${countOf(notRun, 'test')} did not run: --max-cost ${formatUsd(maxUsd ?? 0)} was reached`;
}
