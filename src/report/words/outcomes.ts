import type { Target } from '../../domain/attempt.js';
import { groupBy } from '../../domain/common/group-by.js';
import type { Fault, Trouble } from '../../domain/fault.js';
import type { Counts, Report } from '../../domain/report/report.js';
import type { ReportCheck, ReportResult } from '../../domain/report/result.js';
import { countBroken, decideVerdict, type RunVerdict } from '../../domain/report/verdict.js';
import { describeLasting } from '../../domain/scenario/known-issue.js';
import { isFailure, type Outcome, type Standing } from '../../domain/vocabulary.js';
import { splitFailed } from '../model/divergence.js';
import { linePair, oneLine } from '../text/safe-text.js';
import { countOf } from './words.js';

/** Words for how a run and its tests came out. Every report takes them from here. */

/** The outcomes, most urgent first: the order of tests, tiles and filters. */
export const OUTCOMES = [
  'failed',
  'error',
  'flaky',
  'known-issue',
  'passed',
  'skipped',
] as const satisfies readonly Outcome[];

/** What a result is called that says nothing about the target. The data call it `inconclusive`. */
export const INCONCLUSIVE = 'inconclusive';

const OUTCOME_WORDS = {
  failed: { word: 'Failed', mark: '❌', meaning: `the target broke a promise, or ${INCONCLUSIVE}` },
  error: { word: 'Error', mark: '💥', meaning: 'the harness or the machine is to blame' },
  flaky: { word: 'Flaky', mark: '🔁', meaning: 'passed, but not every time' },
  'known-issue': { word: 'Known issue', mark: '🐞', meaning: 'broken as it is known to be' },
  passed: { word: 'Passed', mark: '✅', meaning: 'every check held' },
  skipped: { word: 'Skipped', mark: '⏭️', meaning: 'did not run' },
} as const satisfies Record<
  Outcome,
  { readonly word: string; readonly mark: string; readonly meaning: string }
>;

/** Says what an outcome means. */
export function meaningOf(outcome: Outcome): string {
  return OUTCOME_WORDS[outcome].meaning;
}

/** Names a standing: `Known issue`. */
export function nameStanding(standing: Standing): string {
  return standing === 'inconclusive' ? capitalize(INCONCLUSIVE) : OUTCOME_WORDS[standing].word;
}

function capitalize(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** Names a standing for a number of tests: `Known issues`. */
export function nameCounted(standing: Standing, count: number): string {
  const word = nameStanding(standing);
  return count !== 1 && (standing === 'error' || standing === 'known-issue') ? `${word}s` : word;
}

/** The order in which tests are counted in one line. */
const COUNTED = ['passed', 'failed', 'inconclusive', 'error', 'flaky', 'known-issue', 'skipped'] as const;

/** Lists how many tests came out in each way: `12 passed`, `2 known issues`. */
export function listCounts(count: (standing: Standing) => number): string[] {
  return COUNTED.flatMap((standing) => {
    const tests = count(standing);
    return tests === 0 ? [] : [`${tests} ${nameCounted(standing, tests).toLowerCase()}`];
  });
}

/** The counts of a summary by standing. */
export function countsOf(summary: Counts): Record<Standing, number> {
  return {
    passed: summary.passed,
    failed: countBroken(summary),
    inconclusive: summary.inconclusive,
    error: summary.errors,
    flaky: summary.flaky,
    'known-issue': summary.known_issues,
    skipped: summary.skipped,
  };
}

/** The mark of a test. */
export function markOf({ outcome, inconclusive }: Pick<ReportResult, 'outcome' | 'inconclusive'>): string {
  return inconclusive ? INCONCLUSIVE_MARK : OUTCOME_WORDS[outcome].mark;
}

/** The verdict in a word, with its mark and the outcome whose color it has. */
const VERDICTS = {
  passed: { word: 'Passed', mark: '🟢', tone: 'passed' },
  failed: { word: 'Failed', mark: '🔴', tone: 'failed' },
  error: { word: 'Error', mark: '💥', tone: 'error' },
  inconclusive: { word: 'No verdict', mark: '🟠', tone: 'flaky' },
  interrupted: { word: 'Interrupted', mark: '🟠', tone: 'flaky' },
  'nothing-tested': { word: 'Nothing tested', mark: '🟠', tone: 'flaky' },
  incomplete: { word: 'Incomplete', mark: '🟠', tone: 'flaky' },
} as const satisfies Record<
  RunVerdict,
  { readonly word: string; readonly mark: string; readonly tone: Outcome }
>;

/** Names the verdict on a run. */
export function nameVerdict(report: Report): (typeof VERDICTS)[RunVerdict] {
  return VERDICTS[decideVerdict(report)];
}

/** Renders the verdict as a heading: `🔴 FAILED`. */
export function titleOf(report: Report): string {
  const { word, mark } = nameVerdict(report);
  return `${mark} ${word.toUpperCase()}`;
}

/** Counts the failures of each type, the most frequent first. */
export function countFailureTypes(results: readonly ReportResult[]): (readonly [string, number])[] {
  const types = results.filter(isFailure).flatMap(({ diagnosis }) => diagnosis?.failure_type ?? []);
  return [...groupBy(types, (type) => type)]
    .map(([type, { length }]) => [type, length] as const)
    .sort(([, a], [, b]) => b - a);
}

/** Names what tests are grouped by. Tests of plugins have no tiers. */
export function groupWord(results: readonly ReportResult[]): 'Tier' | 'Group' {
  return results.some(({ placed }) => placed) ? 'Tier' : 'Group';
}

/** Splits a name such as `PromptIneffective` into words. */
export function spellOut(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
}

/** Says why a test did not simply pass, in one line of at most `limit` characters; null if it did. */
export function reasonOf(result: ReportResult, limit: number): string | null {
  const { outcome, error, skip_reason, known_issue, attempts } = result;
  const first = attempts.find((attempt) => attempt.outcome !== 'passed');
  switch (outcome) {
    case 'passed':
      return isGoodNews(result) ? describeGone(result) : null;
    case 'skipped':
      return skip_reason;
    case 'known-issue':
      return known_issue?.reason ?? null;
    case 'flaky':
      return first === undefined ? null : (first.error ?? first.failed_assertions.join('; '));
    case 'error':
      return error;
    case 'failed':
      return result.inconclusive ? describeResultFault(result) : describeBroken(result, limit);
  }
}

/** Words for tests that did not pass, in formats without markup. */

/**
 * Describes what failed in one sentence: the harness's own error, or the first failed check. If it is longer than
 * `limit`, it drops what was expected, because the name usually says it: what was found must stay.
 */
export function describeBroken(
  result: Pick<ReportResult, 'error' | 'assertions' | 'outcome' | 'context' | 'diagnosis' | 'trace'>,
  limit = Number.POSITIVE_INFINITY,
): string {
  const { error, assertions, outcome } = result;
  if (error !== null) return error;
  const broken = assertions.filter(({ passed }) => !passed);
  const { shown, consequences } = splitFailed(result);
  const [first] = consequences.length === 0 ? broken : shown;
  if (first === undefined) return `${outcome}, but no check failed`;
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : '';
  const whole = `${describeCheck(first)}${more}`;
  if (whole.length <= limit) return whole;
  const room = limit - more.length - ': received '.length;
  const most = Math.max(Math.floor(room * 0.45), room - first.name.length);
  const [, received] = linePair(first.expected, first.actual, most);
  return `${oneLine(first.name, room - received.length)}: received ${received}${more}`;
}

/** Describes what failed in one sentence, after whose fault it is if it is not the target's. */
export function describeProblem(result: ReportResult, limit?: number): string {
  const whose = result.inconclusive ? `${describeResultFault(result)}: ` : '';
  return `${whose}${describeBroken(result, limit)}`;
}

/** Describes a check on one line: its name, what it expected and what it received. */
function describeCheck({ name, expected, actual }: ReportCheck): string {
  return `${name}: expected ${expected}, received ${actual}`;
}

/** The most characters of a prompt without an answer, with why the rules do not fit it. */
export const UNANSWERED_TEXT = 3_000;

/** Counts the checks that failed because a prompt got no answer. */
export function describeConsequences({ length }: readonly unknown[]): string {
  return `${countOf(length, 'more check')} failed as a consequence`;
}

/** Explains why a broken promise does not fail the run. */
export function describeKnownIssue({ known_issue }: ReportResult): string {
  return known_issue === null
    ? 'known issue'
    : `known issue up to ${known_issue.up_to}: ${known_issue.reason} (${known_issue.link})`;
}

/** Says that a known issue of older versions still shows exactly as declared, and what to do; null if none does. */
export function describeLasts({ known_issue_lasts: lasts }: ReportResult): string | null {
  return lasts === undefined ? null : describeLasting({ upTo: lasts.up_to, version: lasts.version });
}

/** Whether a test passed although its target is known to break it. */
export function isGoodNews({ passed, known_issue_gone }: ReportResult): boolean {
  return passed && known_issue_gone;
}

/** Says what to do about a known issue that no longer occurs. */
export function describeGone({ known_issue }: ReportResult): string {
  const [reason, upTo] = [known_issue?.reason ?? 'unknown', known_issue?.up_to ?? 'unknown'];
  return `known issue no longer occurs: ${reason}. Remove it from the scenario or the file that declares it, or lower its upTo (${upTo}).`;
}

/** Words for whose fault it is that a test failed. Every report takes them from here. */

type Blamed = Pick<Fault, 'whose'> & { readonly trouble?: Trouble | null | undefined };

/** What the run tested. */
interface Tested {
  readonly isConversation?: boolean;
  readonly isStandIn?: boolean;
}

const PARTIES = {
  target: 'Ralph broke a promise',
  agent: 'the agent did otherwise',
  infrastructure: 'infrastructure',
  recording: 'Ralph did not send what the recorded agent answered',
} as const satisfies Record<Fault['whose'], string>;

const TROUBLES = {
  'rate-limit': 'rate limit',
  overload: 'overload',
  login: 'lost login',
  network: 'network',
} as const satisfies Record<Trouble, string>;

/** The mark of an inconclusive result, where a failure has a cross. */
export const INCONCLUSIVE_MARK = '❔';

/** Names the party: `the agent did otherwise`. */
function describeParty({ whose, trouble }: Blamed, { isConversation, isStandIn }: Tested): string {
  if (whose === 'target' && isConversation) return 'the plugin or the agent CLI broke a promise';
  if (whose === 'target' && isStandIn) return 'the stand-in broke a promise of Ralph';
  return `${PARTIES[whose]}${trouble ? ` (${TROUBLES[trouble]})` : ''}`;
}

/** Says whose a fault is: `Ralph broke a promise`, `inconclusive: the agent did otherwise`. */
export function describeFault(fault: Blamed, tested: Tested = {}): string {
  const party = describeParty(fault, tested);
  if (fault.whose === 'recording') return `diverged: ${party}`;
  return fault.whose === 'target' ? party : `${INCONCLUSIVE}: ${party}`;
}

/** Says whose fault a failed test is; null if it did not fail. Without a recorded fault it is the target's. */
export function describeResultFault(
  { outcome, fault, context, repeats }: ReportResult,
  target?: Pick<Target, 'kind'>,
): string | null {
  if (outcome !== 'failed') return null;
  const tested = {
    isConversation: context?.conversation !== undefined,
    isStandIn: target?.kind === 'stand-in',
  };
  // The rate is below the threshold: that is a failure, whoever caused it.
  if (fault !== null && repeats?.below_threshold) return describeParty(fault, tested);
  return describeFault(fault ?? { whose: 'target' }, tested);
}

/** Says in a few words why results are inconclusive: `the agent did otherwise (2), infrastructure (1)`. */
export function describeInconclusive(results: readonly ReportResult[]): string {
  const faults = results.flatMap(({ inconclusive, fault }) => (inconclusive && fault ? [fault] : []));
  const parties = groupBy(faults, ({ whose }) =>
    whose === 'recording' ? describeFault({ whose }) : PARTIES[whose],
  );
  return [...parties].map(([party, { length }]) => `${party} (${length})`).join(', ');
}

/** What to do about inconclusive results. */
export const INCONCLUSIVE_ADVICE =
  'These results say nothing about the target: the agent did something else than it was asked, or its service did not answer. Run them again.';
