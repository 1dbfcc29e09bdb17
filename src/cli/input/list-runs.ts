import { shortHash } from '../../domain/attempt.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { RunSummary } from '../../domain/report/history.js';
import type { Report } from '../../domain/report/report.js';
import { readReport } from '../../harness/harness.js';
import { readRunSummary } from '../../journal/summaries.js';
import { journalPath } from '../../journal/writer.js';
import { summarizeRun } from '../../report/model/history.js';
import { oneLine } from '../../report/text/safe-text.js';
import { countOf, formatDuration } from '../../report/words/words.js';
import type { RunDir } from '../../workspace/runs/runs.js';

/** Lists runs for people, one on each line. */
export async function listRunLines(runs: readonly RunDir[]): Promise<string[]> {
  return (await describeRuns(runs)).map(listLine);
}

/** Describes runs for programs. */
export function describeRuns(runs: readonly RunDir[]): Promise<RunLine[]> {
  return Promise.all(runs.map(describeRun));
}

interface RunLine {
  readonly id: string;
  readonly lane: string | null;
  /** What was tested, such as `ralph 2.10.1 ab12cd34`. */
  readonly target: string | null;
  /** The test, if it was one, or how many scenarios ran. */
  readonly selection: string | null;
  readonly verdict: string;
  readonly duration_seconds: number | null;
}

/** Describes a run: from its summary, or from its journal if it was killed before it wrote one. */
async function describeRun(run: RunDir): Promise<RunLine> {
  const { id } = run;
  try {
    const known = (await readRunSummary(run.path)) ?? summaryOf(await readReport(journalPath(run), []));
    const { lane, verdict, duration_seconds } = known;
    return {
      id,
      lane,
      target: nameTarget(known),
      selection: nameSelection(known),
      verdict,
      duration_seconds,
    };
  } catch (error) {
    const verdict = `cannot be read: ${messageOf(error)}`;
    return { id, lane: null, target: null, selection: null, verdict, duration_seconds: null };
  }
}

function summaryOf(report: Report): RunSummary {
  const summary = summarizeRun(report);
  if (summary === null) throw new Error('A report ends with its own run.');
  return summary;
}

function nameTarget({ target_kind, ralph_version, ralph_sha256 }: RunSummary): string {
  const name = oneLine(target_kind === 'real' ? `ralph ${ralph_version}` : ralph_version, 60);
  return ralph_sha256 === undefined ? name : `${name} ${shortHash(ralph_sha256)}`;
}

/** Names the only scenario of a run, or counts them. */
function nameSelection({ tests }: RunSummary): string {
  const [first = '', ...others] = new Set(tests.map(({ scenario_id }) => scenario_id));
  return others.length === 0 ? oneLine(first, 60) : countOf(others.length + 1, 'scenario');
}

function listLine({ id, lane, target, selection, verdict, duration_seconds }: RunLine): string {
  if (duration_seconds === null) return `${id}  ${oneLine(verdict, 140)}`;
  const what = `${target ?? ''}  ${selection ?? ''}`;
  return `${id}  ${(lane ?? '').padEnd(8)}  ${formatDuration(duration_seconds).padStart(7)}  ${what}  ${oneLine(verdict, 160)}`;
}
