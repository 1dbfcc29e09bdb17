import { appendFile } from 'node:fs/promises';
import { messageOf } from '../domain/common/message-of.js';
import type { Report } from '../domain/report/report.js';
import { renderGithubAnnotations } from '../report/github.js';
import { renderJson } from '../report/json.js';
import { renderJobSummary } from '../report/markdown/markdown.js';
import {
  createTerminalReporter,
  type TerminalReporter,
  type Verbosity,
} from '../report/terminal/terminal.js';
import { describeChanges } from '../report/words/words.js';
import { chooseVerbosity } from './input/run-call.js';
import type { RunFlags } from './input/run-flags.js';
import { openScreen, type Screen } from './screen.js';

/** How a run is shown. Nothing here changes a verdict. */
export interface View extends Required<Pick<RunFlags, 'follow' | 'yes' | 'json'>> {
  readonly screen: Screen;
  readonly verbosity: Verbosity;
}

/** Reads from the flags of a command how it shows its run. */
export function openView(flags: RunFlags): View {
  const { json = false, follow = false, yes = false } = flags;
  return { json, follow, yes, verbosity: chooseVerbosity(flags), screen: openScreen({ json }) };
}

/** Shows what is printed below the report of a run: how a repeated one differs, and the report as JSON. */
export function showEnd(report: Report, { screen, json }: View): void {
  if (report.origin !== null) screen.tell(`\n${describeChanges(report.origin).join('\n')}`);
  if (json) screen.printAll(renderJson(report));
}

/** Creates a reporter for the records of a run that has ended. It leaves out the starts: they show a spinner. */
export function createRetelling({ screen, verbosity }: Pick<View, 'screen' | 'verbosity'>): TerminalReporter {
  const { people, color } = screen;
  const reporter = createTerminalReporter({ stream: people, verbosity, color, now: () => 0 });
  return {
    ...reporter,
    onEvent: (event) => {
      if (event.type !== 'attempt-started') reporter.onEvent(event);
    },
  };
}

/**
 * Publishes the report in a GitHub workflow: prints annotations as workflow commands and appends the summary to the
 * step's summary file. Does nothing outside of a workflow. If the summary cannot be written, it says so and goes on.
 */
export async function publishToGithub(report: Report, { people }: Screen): Promise<void> {
  const { GITHUB_ACTIONS = '', GITHUB_STEP_SUMMARY = '' } = process.env;
  const print = (line: string) => people.write(`${line}\n`);
  if (GITHUB_ACTIONS === 'true') for (const line of renderGithubAnnotations(report)) print(line);
  if (GITHUB_STEP_SUMMARY === '') return;
  try {
    await appendFile(GITHUB_STEP_SUMMARY, [...renderJobSummary(report)].join(''));
  } catch (error) {
    print(`Could not write the job summary: ${messageOf(error)}`);
  }
}
