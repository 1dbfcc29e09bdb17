import { involvesRalph } from '../domain/attempt.js';
import { groupBy } from '../domain/common/group-by.js';
import { compareVersions } from '../domain/common/versions.js';
import type { FailureType, Recommendation, RunFacts } from '../domain/report/analysis.js';
import { causeKey } from '../domain/report/failure-cause.js';
import type { ReportResult } from '../domain/report/result.js';
import type { SkipCause, SkipNeed } from '../domain/report/skip-cause.js';
import { IMITATED_RALPH } from '../domain/stand-ins.js';
import { isFailure, LANE_TRAITS, type Lane, testLabel } from '../domain/vocabulary.js';

const CATEGORIES = {
  BackendError: 'backend',
  PromptIneffective: 'prompt',
  EventMissing: 'event',
  EventMalformed: 'event',
  TimeoutExceeded: 'timeout',
  UnexpectedTermination: 'loop',
  AssertionMismatch: 'assertion',
  ConfigurationError: 'config',
  AuthenticationError: 'authentication',
  Unknown: 'harness',
} as const satisfies Record<FailureType, string>;

/** Recommends what to do about the whole run, most urgent first: failures by cause, flaky tests, untested parts. */
export function recommend(results: readonly ReportResult[], run: RunFacts): Recommendation[] {
  return [
    ...recommendForVersion(results, run),
    ...recommendForFailures(results),
    ...recommendForFlaky(results),
    ...recommendForSkipped(results),
    ...recommendForQuality(results),
    ...recommendForTarget(run),
  ];
}

/** An older Ralph fails on what it never promised; looking at each failure alone would lead nowhere. */
function recommendForVersion(results: readonly ReportResult[], { target }: RunFacts): Recommendation[] {
  const distance = target.kind === 'real' ? compareVersions(target.version, IMITATED_RALPH) : null;
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (distance === null || distance >= 0 || failed.length === 0) return [];
  return [
    {
      severity: 'Critical',
      category: 'config',
      title: `ralph ${target.version} is older than what the scenarios describe (${IMITATED_RALPH})`,
      description:
        'It promises and records other things, so many of the failures below are only differences between versions.',
      affected_tests: [],
      suggested_fix: `Test ralph ${IMITATED_RALPH} or newer, or compare two older versions with ralph-e2e compare.`,
    },
  ];
}

function recommendForFailures(results: readonly ReportResult[]): Recommendation[] {
  const failed = results.filter(isFailure);
  const groups = groupBy(failed, ({ diagnosis }) => (diagnosis ? causeKey(diagnosis) : 'undiagnosed'));
  return [...groups.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => {
      const diagnosis = group[0]?.diagnosis ?? null;
      const [best] = (diagnosis?.potential_fixes ?? []).toSorted((a, b) => b.confidence - a.confidence);
      return {
        severity: 'Critical',
        category: categoryOf(diagnosis?.failure_type ?? 'Unknown', group),
        title: `${titleOf(diagnosis?.rule ?? 'undiagnosed')}: ${group.length} ${group.length === 1 ? 'test' : 'tests'}`,
        description: diagnosis?.root_cause_hypothesis ?? 'These tests did not pass; there is no diagnosis.',
        affected_tests: labelsOf(group),
        suggested_fix: best?.description ?? diagnosis?.suggested_investigations[0] ?? null,
      };
    });
}

/** A conversation has no loop that could end too early. */
function categoryOf(type: FailureType, group: readonly ReportResult[]): string {
  const category = CATEGORIES[type];
  const isConversation = group.every(({ context }) => context?.conversation !== undefined);
  return category === 'loop' && isConversation ? 'conversation' : category;
}

function recommendForFlaky(results: readonly ReportResult[]): Recommendation[] {
  const flaky = results.filter(({ outcome }) => outcome === 'flaky');
  if (flaky.length === 0) return [];
  return [
    {
      severity: 'Warning',
      category: 'flaky',
      title: `Passed, but not every time: ${flaky.length}`,
      description: 'The attempts of these tests differ. Do not base a release on them.',
      affected_tests: labelsOf(flaky),
      suggested_fix: 'Compare the evidence of the attempts: what differs in the prompts or the answers?',
    },
  ];
}

function recommendForSkipped(results: readonly ReportResult[]): Recommendation[] {
  const all = results.filter(({ outcome }) => outcome === 'skipped');
  const groups = groupBy(all, ({ backend, skip_cause }) => `${backend}: ${adviseOnSkip(skip_cause)}`);
  return [...groups.values()].map((skipped) => ({
    severity: skipped.some(({ priority }) => priority === 'must') ? 'Warning' : 'Info',
    category: 'coverage',
    title: `Not tested on ${skipped[0]?.backend}: ${skipped.length}`,
    description: [...new Set(skipped.map(({ skip_reason }) => skip_reason ?? 'no reason was recorded'))]
      .slice(0, 3)
      .join('; '),
    affected_tests: idsOf(skipped),
    suggested_fix: adviseOnSkip(skipped[0]?.skip_cause ?? null),
  }));
}

/** Doctor helps if something is missing on the machine, but not if an earlier test or the user caused the skip. */
function adviseOnSkip(cause: SkipCause | null): string {
  switch (cause?.kind) {
    case 'gate-failed':
      return `Make ${cause.gate} pass: the others run only then.`;
    case 'service-lost':
      return cause.trouble === 'login'
        ? 'Log in again, then run ralph-e2e --last-failed: it also runs what did not run.'
        : 'Run ralph-e2e --last-failed when the service answers again: it also runs what did not run.';
    case 'run-ended':
    case 'budget-reached':
      return 'Run ralph-e2e --last-failed: it also runs what did not run.';
    case 'not-ready':
      return adviseOnNeed(cause.needs);
    case undefined:
      return adviseOnNeed(undefined);
    default:
      return cause satisfies never;
  }
}

function adviseOnNeed(needs: SkipNeed | undefined): string {
  switch (needs) {
    case 'real-ralph':
      return 'The stand-in for Ralph cannot do this: name a real ralph (--ralph <path>).';
    case 'scripted-lane':
      return 'This lane cannot do this: use the real CLI with a scripted model (--lane scripted), which is free.';
    case 'live-lane':
      return 'This lane cannot do this: use the real CLI and a real model (--lane live).';
    case undefined:
      return 'Run ralph-e2e doctor to see what is missing.';
    default:
      return needs satisfies never;
  }
}

function recommendForQuality(results: readonly ReportResult[]): Recommendation[] {
  const weak = results.filter(({ analysis }) => analysis?.quality_score === 'Suboptimal');
  const improvable = results.filter(
    ({ analysis }) =>
      analysis !== null && analysis.optimizations.length > 0 && analysis.quality_score !== 'Optimal',
  );
  const said = new Set(
    weak.flatMap(({ analysis }) => analysis?.warnings.map(({ message }) => message) ?? []),
  );
  const [first] = improvable.flatMap(({ analysis }) => analysis?.optimizations ?? []);
  return [
    {
      severity: 'Warning' as const,
      category: 'quality',
      title: `Passed, but barely: ${weak.length}`,
      description: [...said].slice(0, 4).join('; '),
      affected_tests: labelsOf(weak),
      suggested_fix: null,
    },
    {
      severity: 'Info' as const,
      category: 'optimization',
      title: `Room for improvement: ${improvable.length}`,
      description: first?.potential_improvement ?? '',
      affected_tests: labelsOf(improvable),
      suggested_fix: first?.suggested_change ?? null,
    },
  ].filter(({ affected_tests }) => affected_tests.length > 0);
}

function recommendForTarget({ target, lane }: RunFacts): Recommendation[] {
  if (!involvesRalph(target)) return recommendForLane(lane);
  if (target.kind === 'real' && lane === 'live') return [];
  const missing = target.kind === 'stand-in' ? 'Ralph itself was not tested' : 'no real model was asked';
  return [
    {
      severity: 'Info',
      category: 'coverage',
      title: `Before a release: ${missing}`,
      description: `This run used ${target.kind === 'stand-in' ? 'the embedded stand-in for ralph' : 'the real ralph'} in the ${lane} lane${target.because === 'none-found' ? ', because no ralph was found' : ''}.`,
      affected_tests: [],
      suggested_fix:
        'Run ralph-e2e claude --suite smoke with a real ralph on PATH (or --ralph <path>) and Claude Code logged in.',
    },
  ];
}

/** Says what a run without Ralph leaves untested. */
function recommendForLane(lane: Lane): Recommendation[] {
  const { standIns, costsMoney } = LANE_TRAITS[lane];
  if (costsMoney) return [];
  return [
    {
      severity: 'Info',
      category: 'coverage',
      title: `Before a release: ${standIns ? 'the real agent CLI was not tested' : 'no real model was asked'}`,
      description: `This run used ${standIns ? 'a stand-in for the agent CLI' : 'the real agent CLI and a scripted model'}.`,
      affected_tests: [],
      suggested_fix: standIns
        ? 'Run ralph-e2e with --lane scripted, which is free, or without --mock.'
        : 'Run ralph-e2e without --lane scripted, with the agent CLI logged in.',
    },
  ];
}

function labelsOf(results: readonly ReportResult[]): string[] {
  return results.map(({ scenario_id, backend }) => testLabel(scenario_id, backend));
}

/** Only the ids, because the title names the backend. */
function idsOf(results: readonly ReportResult[]): string[] {
  return [...new Set(results.map(({ scenario_id }) => scenario_id))];
}

function titleOf(rule: string): string {
  const words = rule.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
