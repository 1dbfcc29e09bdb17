import type { Report, ReportResult } from '../domain/report.js';
import { quoteCommand } from './shell.js';

/** Commands that can be pasted: one for each test that did not pass, repeating the run's lane and target. */
export function suggestCommands(
  results: readonly ReportResult[],
  { program, repeatWith }: { readonly program: readonly string[]; readonly repeatWith: readonly string[] },
): Report['quick_fix_commands'] {
  const broken = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  const flaky = results.filter(({ outcome }) => outcome === 'flaky');
  const repeat = ({ scenario_id, backend }: ReportResult) =>
    quoteCommand([
      ...program,
      backend,
      '--filter',
      scenario_id,
      '--verbose',
      '--keep-workspace',
      ...repeatWith,
    ]);
  return [
    ...broken.map((result) => ({
      description: `Run ${result.scenario_id} on ${result.backend} again and keep its workspace`,
      command: repeat(result),
    })),
    ...flaky.map((result) => ({
      description: `Run ${result.scenario_id} on ${result.backend} again: it passed only when tried again`,
      command: repeat(result),
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
