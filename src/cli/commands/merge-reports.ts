import { resolve } from 'node:path';
import { mergeRuns } from '../../blob/merge.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { ReportFormat } from '../../domain/report/formats.js';
import { writeUp } from '../../harness/harness.js';
import { oneLine } from '../../report/text/safe-text.js';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.js';
import type { SharedFlags } from '../input/run-flags.js';
import { listenForInterrupt } from '../interrupt.js';
import { fromHere, ownProgram } from '../program-name.js';
import { createRetelling, openView, publishToGithub, showEnd } from '../view.js';

/** The flags of `merge-reports` as commander passes them. */
export interface MergeFlags extends SharedFlags<'verbose' | 'quiet' | 'json'> {
  readonly report: readonly ReportFormat[];
}

/** Runs `ralph-e2e merge-reports <blobs…>`: makes one run of its shards, and judges it as one. */
export async function mergeReportsCommand(blobs: readonly string[], flags: MergeFlags): Promise<ExitCode> {
  const view = openView(flags);
  const { output, report: formats } = flags;
  const merge = { blobs: blobs.map((path) => resolve(path)), output };
  const interrupt = listenForInterrupt();
  const merged = await mergeRuns(
    { ...merge, program: ownProgram(), startedIn: process.cwd(), signal: interrupt.signal },
    async (run, call) => ({ ...(await writeUp(run, formats, {})), records: run.records, call }),
  )
    .catch((error: unknown) => (interrupt.signal.aborted ? null : tame(error)))
    .finally(interrupt.stop);
  if (merged === null) return EXIT.interrupted;
  const { report, records, call, paths, folder } = merged;
  const reporter = createRetelling(view);
  for (const event of records) reporter.onEvent(event);
  reporter.finish(report, paths.map(fromHere), fromHere(folder));
  if (formats.includes('github')) await publishToGithub(report, view.screen);
  showEnd(report, view);
  return exitCodeOf(report, call);
}

const LONGEST_MESSAGE = 4_000;

/** Keeps what a blob says from painting the terminal, and from giving commands to a CI system in lines of its own. */
function tame(error: unknown): never {
  if (!(error instanceof KnownError)) throw error;
  const { message, hint, cause } = error;
  throw new KnownError(oneLine(message, LONGEST_MESSAGE), {
    ...(hint === undefined ? {} : { hint: oneLine(hint, LONGEST_MESSAGE) }),
    cause,
  });
}
