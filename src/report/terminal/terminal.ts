import { join } from 'node:path';
import { Chalk, type ChalkInstance } from 'chalk';
import type { AttemptFinished } from '../../domain/attempt.js';
import { handleRecord, type JournalEvent, type RecordHandlers } from '../../domain/journal.js';
import type { Report } from '../../domain/report/report.js';
import { isFailure } from '../../domain/vocabulary.js';
import { breakCommands, oneLine } from '../text/safe-text.js';
import { countOf } from '../words/words.js';
import { renderAttempt } from './attempt.js';
import { createFollower, type FollowedTest } from './follow.js';
import { renderChoice, renderLastRun, renderResumed, renderRunHeader } from './header.js';
import { widthOf, wrapText } from './layout.js';
import { createProgress } from './progress.js';
import { createRepeatLines } from './repeats.js';
import { createHeartbeat, createSpinner } from './spinner.js';
import { renderQuietSummary, renderSummaryLines } from './summary.js';
import { createTiers } from './tiers.js';

/** How much is printed. `folded` has a line for each tier instead of each test. */
export type Verbosity = 'quiet' | 'folded' | 'normal' | 'verbose';

/** What the terminal reporter needs from its output stream. */
export type TerminalStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

interface TerminalOptions {
  readonly stream: TerminalStream;
  readonly verbosity: Verbosity;
  /** The caller decides, from NO_COLOR, flags and the kind of stream. */
  readonly color: boolean;
  /** Milliseconds, for elapsed times. */
  readonly now: () => number;
}

/** Prints the journal's events as they happen. Nothing else writes to the screen. */
export interface TerminalReporter {
  readonly onEvent: (event: JournalEvent) => void;
  /** Takes what an earlier part of a resumed run recorded: it counts, and is not printed again. */
  readonly recall: (event: JournalEvent) => void;
  /** Shows what a running test prints, for `--follow`. */
  readonly onOutput: (test: FollowedTest, chunk: Buffer) => void;
  /** Says at once that the run was interrupted, and what happens now. */
  readonly interrupt: () => void;
  /** `folder` contains the failure pages: by default the folder of the run. */
  readonly finish: (report: Report, reportPaths: readonly string[], folder?: string) => void;
  /** Removes the spinner and prints what it held back, if a run stops without a report. Safe to call at any time. */
  readonly stop: () => void;
}

/** Creates the reporter: a progress line on a TTY, plain lines elsewhere, and little output if quiet. */
export function createTerminalReporter(options: TerminalOptions): TerminalReporter {
  const { stream, verbosity } = options;
  const chalk: ChalkInstance = new Chalk({ level: options.color ? 1 : 0 });
  const folded = verbosity === 'folded';
  const talkative = folded || verbosity === 'normal' || verbosity === 'verbose';
  const progress = createProgress(options.now);
  const tiers = createTiers();
  const repeats = createRepeatLines();
  const style = () => ({ chalk, verbose: verbosity === 'verbose', columns: widthOf(stream) });

  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) stream.write(`${breakCommands(wrapText(lines.join('\n'), stream))}\n`);
  };
  // Quiet means no lines that stay, and folded few. The progress line does not stay.
  const life = (talkative && !folded) || canAnimate(stream) ? showLife(options, progress, print) : null;
  const write = (lines: readonly string[]): void => {
    life?.pause();
    print(lines);
    life?.update();
  };
  const follower = createFollower({ chalk, columns: () => widthOf(stream), write });

  /** Shows a repeat only if it did not pass, and the test once all its repeats have ended. */
  const showRepeat = (event: AttemptFinished): void => {
    const isShown = verbosity === 'verbose' || isFailure(event);
    write([...(isShown ? renderAttempt(event, style()) : []), ...repeats.end(event, chalk)]);
  };

  /** Shows a failure below its tier, once the tier has ended. */
  const showFolded = (event: AttemptFinished): void => {
    const { columns, ...rest } = style();
    const lines = isFailure(event) ? renderAttempt(event, { ...rest, columns: columns - 2 }) : [];
    write([...(tiers.keep(event, lines) ? [] : lines), ...tiers.take(chalk)]);
  };

  const showAttempt = (event: AttemptFinished): void => {
    if (repeats.plan() !== null) return showRepeat(event);
    if (folded) return showFolded(event);
    if (event.outcome === 'known-issue' && verbosity !== 'verbose') return life?.update();
    const { heading, note } = tiers.place(event);
    write([
      ...(heading === null ? [] : ['', chalk.bold(heading)]),
      ...renderAttempt(event, { ...style(), note }),
    ]);
  };

  // `finish` prints skips, grouped by reason.
  const refresh = (): void => life?.update();
  const handlers: RecordHandlers<void> = {
    'run-started': (event) => write(renderRunHeader(event, chalk, folded)),
    'run-resumed': (event) => write(renderResumed(event)),
    'history-known': (event) => write(renderLastRun(folded ? { ...event, runs: [] } : event)),
    'attempt-finished': showAttempt,
    // The progress line says it for as long as it is true.
    'analysis-started': () => write(canAnimate(stream) ? [] : [`  … ${progress.describe()}`]),
    'analysis-finished': (event) => write(renderAnalysisEnd(event)),
    'cause-examined': refresh,
    'baseline-finished': refresh,
    'proof-known': refresh,
    'attempt-started': refresh,
    'scenario-skipped': refresh,
    'run-finished': refresh,
    'journal-changed': refresh,
  };

  const count = (event: JournalEvent): void => {
    for (const follower of [progress, tiers, repeats]) follower.onEvent(event);
  };
  const onEvent = (event: JournalEvent): void => {
    count(event);
    if (event.type === 'attempt-finished') follower.end(event);
    if (talkative) return handleRecord(event, handlers);
    if (event.type === 'run-started') write(renderChoice(event));
    else life?.update();
  };

  const stop = (): void => {
    life?.stop();
    if (folded) print(tiers.take(chalk, true));
  };
  const finish = (
    report: Report,
    paths: readonly string[],
    folder = join(report.environment.workspace, 'runs', report.run_id),
  ): void => {
    stop();
    const ending = { ...style(), paths, folder, folded };
    if (verbosity === 'quiet') print(renderQuietSummary(report, ending));
    else print(renderSummaryLines(report, ending));
  };

  return {
    onEvent,
    recall: (event) => (event.type === 'run-started' ? onEvent : count)(event),
    onOutput: follower.onOutput,
    interrupt: () => {
      progress.interrupt();
      write([chalk.yellow(describeInterrupt(progress.countRunning()))]);
    },
    finish,
    stop,
  };
}

function describeInterrupt(running: number): string {
  const ending = running === 0 ? 'ending the run' : `ending ${countOf(running, 'test')}`;
  return `Interrupted: ${ending}… Press Ctrl-C again to quit at once.`;
}

/** Renders why there is no analysis by Ralph. A finished one is in the reports. */
function renderAnalysisEnd({
  outcome,
  notes,
}: Extract<JournalEvent, { type: 'analysis-finished' }>): string[] {
  if (outcome === 'done') return [];
  const why = oneLine(notes.join('; '), 300);
  return ['', `Analysis by Ralph: ${outcome === 'skipped' ? 'skipped' : 'failed'}: ${why}`];
}

/** Shows that something is running: a progress line if it can be redrawn, else a line now and then. */
function showLife(
  { stream, color }: TerminalOptions,
  progress: ReturnType<typeof createProgress>,
  print: (lines: readonly string[]) => void,
) {
  if (canAnimate(stream)) return createSpinner(stream, { color, ...progress });
  const beat = createHeartbeat(progress.isBusy, () => print([`  … ${progress.describe()}`]));
  return { ...beat, pause: () => {} };
}

/** A terminal without a size (some CI, `script`) has zero columns, on which ora would wrap its line forever. */
function canAnimate({ isTTY, columns = 0 }: TerminalStream): boolean {
  return isTTY === true && columns > 0;
}
