import { involvesRalph, type Planned } from '../../domain/attempt.js';
import type { RepeatTotals } from '../../domain/report/rates/repeats.js';
import type { Counts, Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { countBroken } from '../../domain/report/verdict.js';
import { LANE_TRAITS } from '../../domain/vocabulary.js';
import { describeInconclusive, INCONCLUSIVE } from '../words/outcomes.js';
import { countOf, describeNotRun, nameTarget } from '../words/words.js';
import { describeUntested } from './describe-run.js';

/** A report before its verdict is known. */
export type Unjudged = Omit<Report, 'history'>;

/** What a verdict must state. */
interface Judged extends Unjudged {
  /** Whether the run planned nothing but conversations. */
  readonly onlyTalks: boolean;
}

/** Describes the verdict. It never claims that Ralph was tested if it was not, or that a shard is the whole. */
export function describeVerdict(report: Unjudged, planned: readonly Planned[]): string {
  const { spending, shard, run_errors } = report;
  const onlyTalks = planned.length > 0 && planned.every(({ kind }) => kind === 'conversation');
  const left = spending !== null && spending.not_run > 0 ? spending : null;
  const outcome = [
    describeOutcome({ ...report, onlyTalks }),
    ...describeOpen(report),
    ...describeUntested(report.backends_untested),
    ...(left === null ? [] : [describeNotRun(left.not_run, left.max_usd)]),
    ...(shard === null ? [] : [`this is shard ${shard.index} of ${shard.total}`]),
  ].join('; ');
  return run_errors.length === 0 ? outcome : `${run_errors.join('; ')}. Tests: ${outcome}`;
}

function describeOutcome(run: Judged): string {
  const { summary: counts, shard, repeat } = run;
  const on = describeStandIn(run);
  const broken = describeBroken(counts);
  const unclear = counts.inconclusive > 0 ? `${INCONCLUSIVE}: ${describeInconclusive(run.results)}` : '';
  const cut = run.interrupted ? ', the run was interrupted' : '';
  if (broken)
    return `${broken}${on}${unclear && `, ${counts.inconclusive} ${unclear}`}${cut} - action required`;
  if (unclear) {
    const again = describeAgain(run.results);
    return `no verdict: ${describeOf(counts.inconclusive, counts.total)}${counts.total === 1 ? ' is' : ''} ${unclear}${on}${cut} - ${again}`;
  }
  if (shard?.tests === 0)
    return `nothing to run: no part of the ${countOf(shard.all_tests, 'test')} is left for this shard`;
  if (counts.total === 0) return `nothing was tested${describeNothing(counts, run.interrupted)}`;
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
function describeStandIn({ target, lane, onlyTalks }: Judged): string {
  if (!involvesRalph(target)) return LANE_TRAITS[lane].standIns ? ' on a stand-in for the agent CLI' : '';
  if (target.kind !== 'stand-in') return '';
  return onlyTalks && lane !== 'sim'
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
function describeOpen({ repeat, target }: Unjudged): string[] {
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
