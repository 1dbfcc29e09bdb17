import type { Target } from '../domain/journal.js';
import type { Counts } from '../domain/report.js';
import { countOf } from './words.js';

/** The verdict in words. It never claims to have tested Ralph when a stand-in was the target. */
export function describeVerdict(counts: Counts, run: { target: Target; interrupted: boolean }): string {
  const broken = describeBroken(counts);
  if (broken) return `${broken}${run.interrupted ? ', the run was interrupted' : ''} - action required`;
  if (counts.total === 0) return `nothing was tested${describeNothing(counts, run.interrupted)}`;
  const on = run.target.kind === 'stand-in' ? ' on the stand-in (Ralph itself was not tested)' : '';
  const retried = counts.flaky > 0 ? `, ${counts.flaky} of them only when tried again` : '';
  if (run.interrupted) {
    return `interrupted: the ${countOf(counts.total, 'test')} that ran passed${on}${retried}, ${counts.skipped} did not run`;
  }
  const all = counts.total === 1 ? 'the only test passed' : `all ${counts.total} tests passed`;
  return `${all}${on}${retried}${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`;
}

function describeBroken({ failed, errors }: Counts): string | null {
  const parts = [
    ...(failed > 0 ? [`${countOf(failed, 'test')} failed`] : []),
    ...(errors > 0 ? [`${countOf(errors, 'test')} could not be carried out`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : null;
}

function describeNothing({ skipped }: Counts, interrupted: boolean): string {
  if (interrupted) return ': the run was interrupted';
  return skipped > 0 ? `: all ${skipped} were skipped` : '';
}
