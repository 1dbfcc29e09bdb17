import type { Report, ReportResult } from '../domain/report.js';
import type { BackendId } from '../domain/vocabulary.js';
import { quoteCommand } from './shell.js';

/** How this run was called, as far as another call must repeat it. */
interface Call {
  readonly program: readonly string[];
  readonly repeatWith: readonly string[];
}

/** Runs one test again on the run's lane and target, and keeps its workspace. */
export function repeatCommand(
  { scenarioId, backend }: { readonly scenarioId: string; readonly backend: BackendId },
  { program, repeatWith }: Call,
): string {
  const choice = [backend, '--filter', scenarioId, '--verbose', '--keep-workspace'];
  return quoteCommand([...program, ...choice, ...repeatWith]);
}

/** Commands that can be pasted: one for each test that did not pass, repeating the run's lane and target. */
export function suggestCommands(
  results: readonly ReportResult[],
  { program, repeatWith }: Call,
): Report['quick_fix_commands'] {
  const broken = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  const flaky = results.filter(({ outcome }) => outcome === 'flaky');
  return [
    ...broken.map((result) => ({
      description: `Run ${result.scenario_id} on ${result.backend} again and keep its workspace`,
      command: result.repeat_command,
    })),
    ...flaky.map((result) => ({
      description: `Run ${result.scenario_id} on ${result.backend} again: it passed only when tried again`,
      command: result.repeat_command,
    })),
    ...(broken.length > 1
      ? [
          {
            description: 'Run everything that failed or did not run again',
            command: quoteCommand([...program, '--last-failed', ...repeatWith]),
          },
        ]
      : []),
  ];
}
