import { resolve } from 'node:path';
import * as z from 'zod';
import type { ReportFormat } from '../../../domain/report/formats.js';
import { mergeRuns } from '../../../merge-runs.js';
import { renderJson } from '../../../report/json.js';
import { createTerminalReporter } from '../../../report/terminal/terminal.js';
import { fromHere, ownProgram } from '../../conduct-run.js';
import { type ExitCode, exitCodeOf } from '../../exit-codes.js';
import { publishToGithub } from '../../github-actions.js';
import { chooseVerbosity } from '../../input/run-call.js';
import { openScreen } from '../../screen.js';

/** The flags of `merge-reports` as commander passes them. */
export interface MergeFlags {
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly report: readonly ReportFormat[];
  readonly output: string;
  readonly json?: boolean;
}

/** Runs `ralph-e2e merge-reports <blobs…>`: makes one run of its shards, and judges it as one. */
export async function mergeReportsCommand(blobs: readonly string[], flags: MergeFlags): Promise<ExitCode> {
  const verbosity = chooseVerbosity(flags);
  const { json = false, output, report: formats } = flags;
  z.config({ jitless: true });
  const { report, records, call, paths, folder } = await mergeRuns({
    ...{ blobs: blobs.map((path) => resolve(path)), output, formats },
    program: ownProgram(),
    startedIn: process.cwd(),
  });
  const screen = openScreen({ json });
  const reporter = createTerminalReporter({
    ...{ stream: screen.people, verbosity, color: screen.color },
    now: () => 0,
  });
  // Nothing runs, so leave out the starts: they show a spinner and a heartbeat.
  for (const event of records) if (event.type !== 'attempt-started') reporter.onEvent(event);
  reporter.finish(report, paths.map(fromHere), fromHere(folder));
  if (formats.includes('github'))
    await publishToGithub(report, { env: process.env, print: (line) => screen.people.write(`${line}\n`) });
  if (json) screen.printAll(renderJson(report));
  return exitCodeOf(report, call);
}
