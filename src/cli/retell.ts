import {
  createTerminalReporter,
  type TerminalReporter,
  type Verbosity,
} from '../report/terminal/terminal.js';
import type { Screen } from './screen.js';

/** Creates a reporter for the records of a run that has ended. It leaves out the starts: they show a spinner. */
export function createRetelling({ people, color }: Screen, verbosity: Verbosity): TerminalReporter {
  const reporter = createTerminalReporter({ stream: people, verbosity, color, now: () => 0 });
  return {
    ...reporter,
    onEvent: (event) => {
      if (event.type !== 'attempt-started') reporter.onEvent(event);
    },
  };
}
