import type { JournalEvent } from '../../domain/journal.js';
import type { Origin } from '../../domain/recording/origin.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { FAULT_VARIABLE } from '../../domain/scenario/stand-in-faults.js';
import { type BackendId, isFailure, PRIMARY_BACKENDS, testNames } from '../../domain/vocabulary.js';
import { quoteCommand } from '../text/safe-text.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** The part of this run's call that another call must repeat. */
type Call = Pick<RunStarted, 'program' | 'repeatWith' | 'origin' | 'target'>;

/** Makes the command that runs one test again in the same lane on the same target; it keeps the run's reports. */
export function repeatCommand(
  { scenarioId, backend }: { readonly scenarioId: string; readonly backend: BackendId },
  { repeatWith, origin, ...run }: Call,
): string {
  const program = startAgain(run);
  if (origin !== undefined) {
    const [test] = testNames(scenarioId, backend);
    const which = origin.isSingle ? [] : [test];
    return quoteCommand([...program, ...doAgain(origin, which), ...repeatWith]);
  }
  const choice = [backend, '--test', scenarioId, '--verbose', '--keep-workspace', '--keep-reports'];
  return quoteCommand([...program, ...choice, ...repeatWith]);
}

/** A name from a journal may look like an option: then the command takes it, and all that follows, for names. */
function doAgain({ kind, source }: Origin, tests: readonly string[] = []): string[] {
  const names = [source, ...tests];
  return [kind, ...(names.some((name) => name.startsWith('-')) ? ['--'] : []), ...names];
}

/** Starts a command. The faults of a stand-in come first: another shell does not have the variable. */
function startAgain({ program, target: { faults } }: Pick<Call, 'program' | 'target'>): string[] {
  return [...(faults === undefined ? [] : [`${FAULT_VARIABLE}=${faults.join()}`]), ...program];
}

/** Makes the command that goes on with a run that ended early; null if a program of its own started it. */
export function goOnCommand(run: Call & Pick<RunStarted, 'runId' | 'call' | 'merged'>): string | null {
  if (run.call === undefined || run.merged !== undefined) return null;
  const output = run.repeatWith.indexOf('--output');
  const where = output < 0 ? [] : run.repeatWith.slice(output, output + 2);
  return quoteCommand([...run.program, 'resume', run.runId, ...where]);
}

/** Makes commands to paste: one for everything that failed, then one for each test, in the same lane on the same target. */
export function suggestCommands(
  results: readonly ReportResult[],
  { repeatWith, origin, ...run }: Call,
): Report['quick_fix_commands'] {
  const broken = results.filter(isFailure);
  const flaky = results.filter(({ outcome }) => outcome === 'flaky');
  const all =
    origin === undefined ? [...nameBackends(results), '--last-failed', '--keep-reports'] : doAgain(origin);
  const again = (what: string, command: string) => ({ description: `Run ${what}`, command });
  const one = (note: string) => (result: ReportResult) =>
    again(`${result.scenario_id} on ${result.backend} again${note}`, result.repeat_command);
  return [
    ...(broken.length > 1
      ? [
          again(
            'everything that failed or did not run again',
            quoteCommand([...startAgain(run), ...all, ...repeatWith]),
          ),
        ]
      : []),
    ...broken.map(one(' and keep its workspace')),
    ...flaky.map(one(': it did not pass every time')),
  ];
}

/** Names the backends of the run; the default backends need no names. */
function nameBackends(results: readonly ReportResult[]): BackendId[] {
  const backends = [...new Set(results.map(({ backend }) => backend))];
  const usual = backends.every((backend) => PRIMARY_BACKENDS.some((primary) => primary === backend));
  return backends.length > 1 && usual ? [] : backends;
}
