import { Chalk, type ChalkInstance } from 'chalk';
import type { JournalEvent, Planned } from '../domain/journal.js';
import type { Report } from '../domain/report.js';
import { type BackendId, tierTitle } from '../domain/vocabulary.js';
import { createSpinner, type Spinner } from './spinner.js';
import { renderAttempt, renderHeader, renderQuietSummary, renderSummaryLines } from './terminal-lines.js';
import { testLabel } from './words.js';

export type Verbosity = 'quiet' | 'normal' | 'verbose';

/** What the terminal reporter needs of the stream that it writes to. */
export type TerminalStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export interface TerminalOptions {
  readonly stream: TerminalStream;
  readonly verbosity: Verbosity;
  /** Decided by the caller: NO_COLOR, flags and the kind of stream all have a say. */
  readonly color: boolean;
  /** Milliseconds, for the elapsed time that the spinner shows. */
  readonly now: () => number;
}

/** Reads the journal's events as they happen and tells people. The only one who writes to the screen. */
export interface TerminalReporter {
  readonly onEvent: (event: JournalEvent) => void;
  readonly finish: (report: Report, reportPaths: readonly string[]) => void;
  /** Takes the spinner away when a run breaks off without a report. Harmless at any time. */
  readonly stop: () => void;
}

/** Makes the reporter: a spinner while something runs on a TTY, plain lines elsewhere, little when quiet. */
export function createTerminalReporter(options: TerminalOptions): TerminalReporter {
  const { stream, verbosity } = options;
  const chalk: ChalkInstance = new Chalk({ level: options.color ? 1 : 0 });
  const spinner: Spinner | null =
    verbosity !== 'quiet' && canAnimate(stream) ? createSpinner(stream, options) : null;
  const plan = new Map<string, Planned>();
  let tierShown: string | null = null;

  const write = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    spinner?.pause();
    stream.write(`${lines.join('\n')}\n`);
    spinner?.resume();
  };

  const showAttempt = (event: Extract<JournalEvent, { type: 'attempt-finished' }>): void => {
    const planned = plan.get(keyOf(event.scenarioId, event.backend));
    const tier = planned ? tierTitle(planned.tier) : 'Tier unknown';
    // With several jobs the results of tiers interleave: the heading comes back whenever the tier changes.
    const heading = tier === tierShown ? [] : ['', chalk.bold(tier)];
    tierShown = tier;
    write([...heading, ...renderAttempt(event, { chalk, verbose: verbosity === 'verbose' })]);
  };

  const onEvent = (event: JournalEvent): void => {
    if (verbosity === 'quiet') return;
    switch (event.type) {
      case 'run-started':
        for (const planned of event.planned) plan.set(keyOf(planned.scenarioId, planned.backend), planned);
        write(renderHeader(event, chalk));
        break;
      case 'attempt-started':
        spinner?.add(testLabel(event.scenarioId, event.backend));
        break;
      case 'attempt-finished':
        spinner?.remove(testLabel(event.scenarioId, event.backend));
        showAttempt(event);
        break;
      case 'scenario-skipped':
      case 'analysis-finished':
      case 'run-finished':
        // Told by `finish`: skips are grouped by their reason.
        break;
      default:
        event satisfies never;
    }
  };

  const finish = (report: Report, reportPaths: readonly string[]): void => {
    spinner?.stop();
    write(
      verbosity === 'quiet'
        ? renderQuietSummary(report, chalk)
        : renderSummaryLines(report, reportPaths, { chalk, verbose: verbosity === 'verbose' }),
    );
  };

  return { onEvent, finish, stop: () => spinner?.stop() };
}

function keyOf(scenarioId: string, backend: BackendId): string {
  return `${scenarioId}\u0000${backend}`;
}

/** A terminal without a size (some CI, `script`) has zero columns: ora would wrap its line for ever there. */
function canAnimate({ isTTY, columns = 0 }: TerminalStream): boolean {
  return isTTY === true && columns > 0;
}
