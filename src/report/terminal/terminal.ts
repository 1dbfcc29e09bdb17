import { Chalk, type ChalkInstance } from 'chalk';
import type { Planned } from '../../domain/attempt.js';
import type { JournalEvent } from '../../domain/journal.js';
import type { Report } from '../../domain/report/report.js';
import { executionKey, tierTitle } from '../../domain/vocabulary.js';
import { renderAgentSummary } from './agent.js';
import { createHeartbeat, type Heartbeat } from './heartbeat.js';
import {
  renderAnalysisEnd,
  renderAttempt,
  renderChoice,
  renderLastRun,
  renderQuietSummary,
  renderRunHeader,
  renderSummaryLines,
} from './lines.js';
import { createProgress } from './progress.js';
import { createSpinner, type Spinner } from './spinner.js';

/** How much is printed. `agent` is for calls by an agent: what failed, and where to read more. */
export type Verbosity = 'quiet' | 'agent' | 'normal' | 'verbose';

/** What the terminal reporter needs from its output stream. */
export type TerminalStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export interface TerminalOptions {
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
  /** `folder` contains the failure pages. */
  readonly finish: (report: Report, reportPaths: readonly string[], folder?: string) => void;
  /** Removes the spinner if a run stops without a report. Safe to call at any time. */
  readonly stop: () => void;
}

/** Creates the reporter: a spinner on a TTY, plain lines elsewhere, and little output if quiet. */
export function createTerminalReporter(options: TerminalOptions): TerminalReporter {
  const { stream, verbosity } = options;
  const chalk: ChalkInstance = new Chalk({ level: options.color ? 1 : 0 });
  const style = { chalk, verbose: verbosity === 'verbose' };
  const talkative = verbosity === 'normal' || verbosity === 'verbose';
  const progress = createProgress(options.now);
  const plan = new Map<string, Planned>();
  let tierShown: string | null = null;

  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) stream.write(`${defuseCommands(lines.join('\n'))}\n`);
  };
  const life = talkative ? showLife(options, progress, print) : null;
  const write = (lines: readonly string[]): void => {
    life?.pause();
    print(lines);
    life?.update();
  };

  const showAttempt = (event: Extract<JournalEvent, { type: 'attempt-finished' }>): void => {
    const planned = plan.get(executionKey(event.scenarioId, event.backend));
    const tier = planned ? tierTitle(planned.tier) : 'Tier unknown';
    // With several jobs the results of tiers interleave, so the heading is repeated whenever the tier changes.
    const heading = tier === tierShown ? [] : ['', chalk.bold(tier)];
    tierShown = tier;
    write([...heading, ...renderAttempt(event, style)]);
  };

  const tell = (event: JournalEvent): void => {
    switch (event.type) {
      case 'run-started':
        for (const planned of event.planned)
          plan.set(executionKey(planned.scenarioId, planned.backend), planned);
        write(renderRunHeader(event, chalk));
        break;
      case 'history-known':
        write(renderLastRun(event));
        break;
      case 'attempt-finished':
        showAttempt(event);
        break;
      case 'analysis-started':
        // A spinner says it for as long as it is true.
        write(canAnimate(stream) ? [] : [`  … ${progress.describe()}`]);
        break;
      case 'analysis-finished':
        write(renderAnalysisEnd(event));
        break;
      case 'cause-examined':
      case 'proof-known':
      case 'attempt-started':
      case 'scenario-skipped':
      case 'run-finished':
      case 'journal-changed':
        // `finish` prints skips, grouped by reason.
        life?.update();
        break;
      default:
        event satisfies never;
    }
  };

  const onEvent = (event: JournalEvent): void => {
    progress.onEvent(event);
    if (talkative) tell(event);
    else if (event.type === 'run-started') print(renderChoice(event));
    else if (verbosity === 'agent' && event.type === 'attempt-finished') {
      const failed = event.outcome === 'failed' || event.outcome === 'error';
      if (failed) print(renderAttempt(event, { ...style, assertions: 3 }));
    }
  };

  const finish = (
    report: Report,
    reportPaths: readonly string[],
    folder = report.environment.workspace,
  ): void => {
    life?.stop();
    if (verbosity === 'quiet') print(renderQuietSummary(report, chalk));
    else if (verbosity === 'agent') print(renderAgentSummary(report, { paths: reportPaths, folder }, chalk));
    else print(renderSummaryLines(report, reportPaths, style));
  };

  return { onEvent, finish, stop: () => life?.stop() };
}

/** GitHub treats `::name` at the start of a line and `##[name]` anywhere as a command; agents must not issue any. */
function defuseCommands(text: string): string {
  return text.replaceAll('##[', '# #[').replace(/^(\s*):(?=:)/gm, '$1: ');
}

/** Shows that something is running: a spinner if lines can be redrawn, else a line now and then. */
function showLife(
  { stream, color }: TerminalOptions,
  progress: ReturnType<typeof createProgress>,
  print: (lines: readonly string[]) => void,
): Spinner | (Heartbeat & { readonly pause: () => void }) {
  if (canAnimate(stream)) return createSpinner(stream, { color, ...progress });
  const beat = createHeartbeat(progress.isBusy, () => print([`  … ${progress.describe()}`]));
  return { ...beat, pause: () => {} };
}

/** A terminal without a size (some CI, `script`) has zero columns, on which ora would wrap its line forever. */
function canAnimate({ isTTY, columns = 0 }: TerminalStream): boolean {
  return isTTY === true && columns > 0;
}
