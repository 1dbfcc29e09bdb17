import { involvesRalph } from '../../domain/attempt.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { RepeatTotals } from '../../domain/report/rates/repeats.js';
import type { Counts, Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { countBroken } from '../../domain/report/verdict.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { describeNotRun } from '../words/money.js';
import { describeInconclusive } from '../words/outcomes.js';
import { countOf, nameTarget } from '../words/words.js';
import { describeUntested } from './describe-run.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** Facts about the run that a verdict must state. */
type VerdictFacts = Pick<RunStarted, 'target' | 'lane' | 'planned' | 'shard'> & {
  readonly interrupted: boolean;
  readonly runErrors: readonly string[];
  readonly untested: Report['backends_untested'];
  readonly results: readonly ReportResult[];
  readonly spending?: Report['spending'];
  readonly repeat?: Report['repeat'];
};

/** Describes the verdict. It never claims that Ralph was tested if the target was a stand-in. */
export function describeVerdict(counts: Counts, run: VerdictFacts): string {
  const { not_run = 0, max_usd = null } = run.spending ?? {};
  const left = not_run === 0 ? [] : [describeNotRun(not_run, max_usd)];
  const outcome = [
    describeOutcome(counts, run),
    ...describeOpen(run),
    ...describeUntested(run.untested),
    ...left,
    ...describeShardOf(run),
  ].join('; ');
  return run.runErrors.length === 0 ? outcome : `${run.runErrors.join('; ')}. Tests: ${outcome}`;
}

/** A shard never claims to be the whole. */
function describeShardOf({ shard }: VerdictFacts): string[] {
  return shard === undefined ? [] : [`this is shard ${shard.index} of ${shard.total}`];
}

function describeOutcome(counts: Counts, run: VerdictFacts): string {
  const on = describeStandIn(run);
  const broken = describeBroken(counts);
  const unclear = counts.inconclusive > 0 ? `inconclusive: ${describeInconclusive(run.results)}` : '';
  const cut = run.interrupted ? ', the run was interrupted' : '';
  if (broken)
    return `${broken}${on}${unclear && `, ${counts.inconclusive} ${unclear}`}${cut} - action required`;
  if (unclear) {
    const again = describeAgain(run.results);
    return `no verdict: ${describeOf(counts.inconclusive, counts.total)}${counts.total === 1 ? ' is' : ''} ${unclear}${on}${cut} - ${again}`;
  }
  if (run.shard !== undefined && run.planned.length === 0)
    return `nothing to run: no part of the ${countOf(run.shard.plan.length, 'test')} is left for this shard`;
  if (counts.total === 0) return `nothing was tested${describeNothing(counts, run.interrupted)}`;
  const { repeat = null } = run;
  const retried = repeat === null ? describeRetried(counts) : describeRepeated(counts, repeat);
  if (run.interrupted) {
    const ran = counts.total === 1 ? 'the only test' : `all ${counts.total} tests`;
    return `interrupted: ${ran} that ran passed${on}${retried}, ${counts.skipped} did not run`;
  }
  return `${describePassed(counts)}${on}${retried}${describeKnown(counts)}${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`;
}

/** Says what to do about inconclusive results. A replay that diverged once diverges each time. */
function describeAgain(results: readonly ReportResult[]): string {
  const unclear = results.filter(({ inconclusive }) => inconclusive);
  const them = unclear.length === 1 ? 'it' : 'them';
  return unclear.every(({ fault }) => fault?.whose === 'recording')
    ? `record ${them} again with a live run`
    : `run ${them} again`;
}

/** Conversations do not involve Ralph: with a real agent CLI, nothing in them is a stand-in. */
function describeStandIn({ target, lane, planned }: VerdictFacts): string {
  if (!involvesRalph(target)) return LANE_TRAITS[lane].standIns ? ' on a stand-in for the agent CLI' : '';
  if (target.kind !== 'stand-in') return '';
  const conversations = planned.length > 0 && planned.every(({ kind }) => kind === 'conversation');
  return conversations && lane !== 'sim'
    ? ' (conversations: Ralph has no part in them)'
    : ` on the stand-in (${target.because === 'none-found' ? 'no ralph was found, ' : ''}Ralph itself was not tested)`;
}

/** Known issues are listed separately, because they are not passes. */
function describePassed({ total, known_issues }: Counts): string {
  const sound = total - known_issues;
  if (sound === 0) return 'nothing but known issues was found';
  if (sound === 1) return total === 1 ? 'the only test passed' : '1 test passed';
  return known_issues === 0 ? `all ${total} tests passed` : `${sound} tests passed`;
}

function describeKnown({ known_issues }: Counts): string {
  return known_issues === 0 ? '' : `, ${countOf(known_issues, 'known issue')}`;
}

function describeBroken(counts: Counts): string | null {
  const { total, errors } = counts;
  const failed = countBroken(counts);
  const lost = 'could not be carried out';
  if (failed > 0) return `${describeOf(failed, total)} failed${errors > 0 ? `, ${errors} ${lost}` : ''}`;
  return errors > 0 ? `${describeOf(errors, total)} ${lost}` : null;
}

/** Says how many tests of all: `2 of 5 tests`, `the only test`. */
function describeOf(count: number, total: number): string {
  return total === 1 ? 'the only test' : `${count} of ${countOf(total, 'test')}`;
}

function describeRetried({ total, flaky }: Counts): string {
  if (flaky === 0) return '';
  return total === 1 ? ', but only when tried again' : `, ${flaky} of them only when tried again`;
}

/** Says what passing means in a run with repeats. */
function describeRepeated({ flaky }: Counts, { times, threshold, incomplete }: RepeatTotals): string {
  if (incomplete > 0) return '';
  if (threshold === null) return `, ${countOf(times, 'time')} each`;
  return `, in at least ${threshold} of ${countOf(times, 'repeat')} each${flaky > 0 ? `, ${flaky} of them not every time` : ''}`;
}

/** Says what the repeats left open, or brought to light. */
function describeOpen({ repeat = null, target }: VerdictFacts): string[] {
  if (repeat === null) return [];
  const { defects, incomplete } = repeat;
  return [
    ...(defects > 0
      ? [
          `${countOf(defects, 'test')} ${defects === 1 ? 'differs' : 'differ'} from repeat to repeat offline, a defect of ${nameTarget(target)} or of ralph-e2e`,
        ]
      : []),
    ...(incomplete > 0 ? [`${countOf(incomplete, 'test')} without all repeats`] : []),
  ];
}

function describeNothing({ skipped }: Counts, interrupted: boolean): string {
  if (interrupted) return ': the run was interrupted';
  if (skipped === 1) return ': the only test was skipped';
  return skipped > 0 ? `: all ${skipped} tests were skipped` : '';
}
