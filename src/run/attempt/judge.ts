import { faultIn } from '../../analyze/fault/assign.js';
import type { AttemptFinished, Target } from '../../domain/attempt.js';
import {
  type Check,
  type CheckResult,
  type CommonCheck,
  judgeAll,
  type NamedCheck,
  nameChecks,
} from '../../domain/check.js';
import { endedByItself, nothingLeftBehind, recordsAgree, scriptAnswered } from '../../domain/checks/index.js';
import { whereDiverged } from '../../domain/checks/recording.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import {
  findDifferences,
  findLasting,
  isBrokenAsKnown,
  isKnownFor,
  type KnownIssue,
} from '../../domain/scenario/known-issue.js';
import { gradeAll } from '../../domain/scenario/pressure.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { requireChecks } from '../../domain/scenario/schema.js';
import { IMITATED_RALPH } from '../../domain/stand-ins.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { statesKept } from '../../kinds/conversation/checks/check-turn.js';
import type { SuiteSettings } from '../../lane/settings.js';
import { callScenario } from './scenario-code.js';

/** What decides whether a known issue counts. */
interface Judging extends Pick<SuiteSettings, 'target' | 'lane'> {
  /** Set if a recording was played. */
  readonly isReplay?: boolean;
}

type Judged = Pick<AttemptFinished, 'outcome' | 'checks' | 'knownIssueGone' | 'knownIssueLasts'>;

/** Judges an attempt as a whole: its checks, whose fault a failure is, and how well it went. */
export function judgeAttempt(
  scenario: Scenario,
  declared: readonly NamedCheck[],
  evidence: Evidence,
  judging: Judging,
): Judged & Pick<AttemptFinished, 'fault' | 'quality'> {
  const { lane, isReplay = false } = judging;
  const judged = judge(scenario, declared, evidence, judging);
  const quality = callScenario(() => gradeAll(scenario.quality, evidence));
  if (judged.outcome !== 'failed') return { ...judged, quality };
  const facts = { checks: judged.checks, evidence, excused: listExcused(scenario, judging) };
  return { ...judged, quality, fault: faultIn({ lane, isReplay }, facts) };
}

/** Runs the checks and decides the outcome, with known issues of the target taken into account. */
export function judge(
  scenario: Scenario,
  declared: readonly NamedCheck[],
  evidence: Evidence,
  { target, lane, isReplay = false }: Judging,
): Judged {
  requireKnownRecords(evidence, target);
  // Frozen, because a check that sorts or empties a list would change what later checks see.
  const checks = callScenario(() => judgeAll(declared, freezeDeep(evidence), scenario.promises));
  const broken = checks.filter(({ passed }) => !passed);
  // What the recorded answers do not fit is no known issue either.
  if (isReplay && whereDiverged(evidence) !== null) return { outcome: 'failed', checks };
  const issue = scenario.knownIssue;
  if (issue === null || !isKnownFor(issue, { version: target.version, lane })) {
    if (broken.length === 0) return { outcome: 'passed', checks };
    const lasting = issue === null ? null : findLasting(issue, checks, { version: target.version, lane });
    return { outcome: 'failed', checks, ...(lasting !== null && { knownIssueLasts: lasting }) };
  }
  if (broken.length === 0) return { outcome: 'passed', checks, knownIssueGone: true };
  const differences = findDifferences(issue, checks, { agentVaries: !LANE_TRAITS[lane].hasScript });
  const known = broken.filter((check) => isBrokenAsKnown(issue, check));
  if (known.length === broken.length && differences.length === 0) return { outcome: 'known-issue', checks };
  const told = broken.some((check) => issue.breaks.includes(check.key)) && differences.length > 0;
  return { outcome: 'failed', checks: told ? [...checks, judgeChanged(issue, differences)] : checks };
}

/** Refuses to judge a Ralph whose records cannot be read: most checks would fail, and those for absence would pass. */
function requireKnownRecords({ unknownRecords = [] }: Evidence, { version }: Target): void {
  if (unknownRecords.length === 0) return;
  throw new KnownError(
    `ralph ${version} writes records that this ralph-e2e cannot read: ${unknownRecords.join('; ')}.`,
    { hint: `ralph-e2e reads those of Ralph ${IMITATED_RALPH}; a newer ralph-e2e may read these.` },
  );
}

/** Lists the checks that a known issue of this target breaks. */
function listExcused({ knownIssue }: Scenario, { target, lane }: Judging): readonly string[] {
  if (knownIssue === null || !isKnownFor(knownIssue, { version: target.version, lane })) return [];
  return knownIssue.breaks;
}

/** Returns the scenario's own checks and the common ones. */
export function allChecks(scenario: Scenario, context: ScenarioContext): NamedCheck[] {
  return [...requireChecks(scenario, scenario.expect(context)), ...commonChecks(scenario, context)];
}

/** Returns the checks that every scenario of this kind has to pass. */
export function commonChecks({ kind }: Scenario, { lane }: ScenarioContext): NamedCheck[] {
  const who = kind === 'ralph' ? 'Ralph' : 'the agent CLI';
  return nameChecks({
    endedByItself: endedByItself(who),
    nothingLeftBehind: nothingLeftBehind(),
    recordsAgree: kind === 'ralph' ? recordsAgree() : undefined,
    scriptAnswered: LANE_TRAITS[lane].hasScript ? scriptAnswered(who) : undefined,
    statesKept: kind === 'conversation' ? statesKept() : undefined,
  } satisfies Record<CommonCheck, Check | undefined>);
}

/** Fails a known issue that shows in another way than it is known to. */
function judgeChanged({ shows, reason }: KnownIssue, differences: readonly string[]): CheckResult {
  return {
    key: 'knownIssue',
    kind: 'knownIssue',
    name: 'the known issue shows as it is known to',
    category: 'Harness',
    passed: false,
    expected: `${reason}. ${Object.entries(shows)
      .map(([key, shows]) => `${key}: ${shows}`)
      .join('; ')}`,
    actual: differences.join('; '),
    diff: null,
    suggestion:
      'The target breaks the promise in another way than before. If that is not a regression, update `breaks` of the known issue.',
  };
}

/** Freezes data and everything inside it. */
function freezeDeep<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  Object.freeze(data);
  for (const value of Object.values(data)) freezeDeep(value);
  return data;
}
