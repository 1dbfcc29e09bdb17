import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { involvesRalph } from '../domain/attempt.js';
import type { JournalEvent } from '../domain/journal.js';
import type { Estimate } from '../domain/money/spending.js';
import type { Report } from '../domain/report/report.js';
import type { RunCall } from '../domain/run-call.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import { harnessVersion } from '../exec/files/package-root.js';
import { type HarnessOptions, runHarness, UnwrittenReportError } from '../harness/harness.js';
import { commandAnywhere } from '../report/model/places.js';
import { wrapText } from '../report/terminal/layout.js';
import {
  createTerminalReporter,
  type TerminalReporter,
  type TerminalStream,
} from '../report/terminal/terminal.js';
import { quoteCommand } from '../report/text/safe-text.js';
import { describeEstimate, describeTooMuch } from '../report/words/words.js';
import { Declined } from '../run/money/plan.js';
import { outputFlags } from '../run/repeat-flags.js';
import { NothingFailed } from '../run/select/last-failed.js';
import { countUnasked } from '../run/select/select.js';
import { describeUnasked } from './commands/list.js';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.js';
import { type Interrupt, listenForInterrupt } from './interrupt.js';
import { fromHere, listNextSteps, ownProgram } from './program-name.js';
import { isCalledByAgent, say } from './screen.js';
import { publishToGithub, showEnd, type View } from './view.js';

/** A run that ended. */
export interface Ran {
  /** Null if there is no report: interrupted, declined, or not written. */
  readonly report: Report | null;
  readonly code: ExitCode;
}

/** One run on one Ralph. */
interface Conducted extends Pick<HarnessOptions, 'program' | 'repeatWith' | 'resume' | 'replays' | 'origin'> {
  readonly call: RunCall;
  readonly catalogue: readonly Scenario[];
}

/** Runs what the calls ask for, one after the other, until an interrupt ends them. */
interface Conductor {
  readonly conduct: (run: Conducted) => Promise<Ran>;
  readonly stop: () => void;
}

/** Listens for interrupts and shows on the screen what runs. `output` is the folder of runs as the user named it. */
export function createConductor(view: View, output: string): Conductor {
  let current: TerminalReporter | null = null;
  let recorded = false;
  const goOn = quoteCommand([...ownProgram(), 'resume', ...outputFlags(output)]);
  const interrupt = listenForInterrupt({
    onInterrupt: () => current?.interrupt(),
    onClosed: () =>
      process.stderr.write(
        `stdout was closed: ending the run. Reports go to ${fromHere(resolve(output))}.\n`,
      ),
    onQuit: () => {
      if (recorded) process.stderr.write(`No report was written. Go on with: ${goOn}\n`);
    },
  });
  const conduct = async (run: Conducted): Promise<Ran> => {
    const reporter = createTerminalReporter({
      stream: view.screen.people,
      verbosity: view.verbosity,
      color: view.screen.color,
      now: () => performance.now(),
    });
    current = reporter;
    const onEvent = (event: JournalEvent): void => {
      recorded = true;
      reporter.onEvent(event);
    };
    try {
      return await runOnce(run, view, { reporter: { ...reporter, onEvent }, interrupt });
    } finally {
      reporter.stop();
    }
  };
  return { conduct, stop: interrupt.stop };
}

/** Runs once and shows the end. Returns the exit code. */
export async function conductOnce(view: View, output: string, run: Conducted): Promise<ExitCode> {
  const conductor = createConductor(view, output);
  try {
    const { report, code } = await conductor.conduct(run);
    if (report !== null) showEnd(report, view);
    return code;
  } finally {
    conductor.stop();
  }
}

async function runOnce(
  { call, catalogue, program, repeatWith, resume, replays, origin }: Conducted,
  { screen, verbosity, follow, yes }: View,
  { reporter, interrupt }: { readonly reporter: TerminalReporter; readonly interrupt: Interrupt },
): Promise<Ran> {
  const { signal } = interrupt;
  const options: HarnessOptions = {
    ...call,
    ...{ catalogue, program, repeatWith, signal, skippable: interrupt.skippable },
    // A replay cannot be resumed: only its own command knows what to play.
    ...(replays === undefined || origin === undefined ? { call } : { replays, origin }),
    ...(resume === undefined ? {} : { resume, onRecall: reporter.recall }),
    harnessVersion: harnessVersion(),
    approve: createApproval({
      input: process.stdin,
      // What is not a result must not be in the way of an agent, or of somebody who wants only the verdict.
      output:
        verbosity === 'quiet' || isCalledByAgent(process.env) || isPiped() ? process.stderr : screen.people,
      maxUsd: call.maxUsd ?? undefined,
      yes: yes || isCalledByAgent(process.env) || (process.env.CI ?? '') !== '',
      notes: resume === undefined ? describeUnasked(countUnasked(catalogue, call)) : [],
      signal,
    }),
    env: process.env,
    onEvent: reporter.onEvent,
    ...(follow ? { onOutput: reporter.onOutput } : {}),
  };
  try {
    const { report, paths, folder } = await runHarness(options);
    reporter.finish(forReaderHere(report), paths.map(fromHere), fromHere(folder));
    if (verbosity === 'folded') screen.people.write(describeNext(report));
    if (call.reports.includes('github')) await publishToGithub(report, screen);
    return { report, code: exitCodeOf(report, call) };
  } catch (error) {
    // Interrupted before there was anything to report: the user ended it, so the error does not matter.
    if (signal.aborted) return { report: null, code: EXIT.interrupted };
    if (error instanceof NothingFailed) {
      screen.tell(error.message);
      return { report: null, code: EXIT.passed };
    }
    if (error instanceof Declined) {
      say(`${error.message}\n`);
      return { report: null, code: EXIT.untested };
    }
    if (!(error instanceof UnwrittenReportError)) throw error;
    reporter.finish(error.report, []);
    say(`error: ${error.message}\n${error.hint}\n`);
    const failed = exitCodeOf(error.report, call) === EXIT.failed;
    return { report: null, code: failed ? EXIT.failed : EXIT.untested };
  }
}

/** Says how to go on after stand-ins have shown that everything works here; nothing if there is more to do first. */
function describeNext({ target, passed }: Report): string {
  if (!passed || target.kind !== 'stand-in' || !involvesRalph(target)) return '';
  const steps = listNextSteps([
    ['test your Ralph, for free', ['--mock', '--ralph', 'path/to/ralph']],
    ['what this machine can test', ['doctor']],
  ]);
  return `\n${steps.join('\n')}\n`;
}

/** Makes the command to go on with work where the reader is, who may have resumed the run from another folder. */
function forReaderHere(report: Report): Report {
  const { resume_command, environment } = report;
  if (resume_command === null || environment.started_in === process.cwd()) return report;
  return { ...report, resume_command: commandAnywhere(report, resume_command) };
}

/** Whether somebody sits at the terminal although stdout goes elsewhere: a question there would not be seen. */
function isPiped(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !process.stdout.isTTY;
}

/** A live run that should cost more than this asks before it starts. */
const ASK_ABOVE_USD = 5;

interface ApproveOptions {
  /** Where people type. */
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Where people read. */
  readonly output: TerminalStream;
  /** From `--yes`, or because nobody is there who could answer. */
  readonly yes: boolean;
  /** From `--max-cost`. */
  readonly maxUsd?: number | undefined;
  /** More lines to print below the estimate. */
  readonly notes: readonly string[];
  readonly signal: AbortSignal;
}

/** Prints the estimate of a live run and, on a terminal, asks whether to go on if it costs much. Returns the answer. */
export function createApproval(options: ApproveOptions): (estimate: Estimate) => Promise<boolean> {
  const { input, output, yes, maxUsd = Number.POSITIVE_INFINITY, notes, signal } = options;
  return async (estimate) => {
    const over = estimate.usd > maxUsd ? [describeTooMuch(maxUsd)] : [];
    output.write(`${wrapText([describeEstimate(estimate), ...over, ...notes].join('\n'), output)}\n`);
    const people = input.isTTY === true && output.isTTY === true;
    if (yes || !people || !isMuch(estimate, maxUsd)) return true;
    const reader = createInterface({ input, output, terminal: false });
    try {
      // The end of the input is no answer, and no answer is no.
      const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
      const answer = await Promise.race([reader.question('Go on? [y/N] ', { signal }), closed]);
      return /^y(?:es)?$/i.test(answer.trim());
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    } finally {
      reader.close();
    }
  };
}

/** A price that nobody knows may be high. No run costs much more than its limit. */
function isMuch({ usd, unpriced }: Estimate, maxUsd: number): boolean {
  return Math.min(usd, maxUsd) > ASK_ABOVE_USD || unpriced.length > 0;
}
