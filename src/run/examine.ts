import { basename } from 'node:path';
import type { JournalEvent } from '../domain/journal.js';
import type { RalphScenario } from '../domain/scenario/scenario.js';
import { testLabel } from '../domain/vocabulary.js';
import type { SuiteSettings } from '../lane/settings.js';
import { removeWorkspace } from '../workspace/create-workspace.js';
import { runAttempt } from './attempt/attempt.js';
import type { Selected } from './planned.js';

/** How many causes are examined: each takes another run of a test. */
const MOST_CAUSES = 3;
const LIMIT_SECONDS = 60;

interface Examination {
  readonly selected: readonly Selected[];
  readonly settings: SuiteSettings;
  /** The tests that were examined before the run was resumed. */
  readonly done: ReadonlySet<string>;
  readonly emit: (event: JournalEvent) => void;
}

/**
 * Runs one failed test of each cause once more with Ralph's debug log, and records what Ralph said. The verdict of the run
 * stays as it is. `labels` are the tests that show the causes best.
 */
export async function examineCauses(
  labels: readonly string[],
  { selected, settings, done, emit }: Examination,
): Promise<void> {
  for (const label of labels.slice(0, MOST_CAUSES)) {
    const job = selected.find(({ scenario, backend }) => testLabel(scenario.id, backend) === label);
    if (job?.scenario.kind !== 'ralph' || settings.signal.aborted || done.has(label)) continue;
    const scenario = withDebugLog(job.scenario);
    const variant = { name: 'debug', timeoutSeconds: LIMIT_SECONDS };
    const { onOutput: _, ...silent } = settings;
    const finished = await runAttempt({ ...job, scenario, attempt: 1, variant }, silent);
    if (finished.workspace !== null) await removeWorkspace(settings.root, basename(finished.workspace));
    // Cut off by the user, it says nothing about whether the failure recurs.
    if (finished.interrupted) return;
    emit({
      type: 'cause-examined',
      at: new Date().toISOString(),
      scenarioId: scenario.id,
      backend: job.backend,
      recurred: finished.outcome === 'failed',
      log: finished.evidence?.log ?? [],
      artifacts: finished.artifacts,
    });
  }
}

function withDebugLog(scenario: RalphScenario): RalphScenario {
  return {
    ...scenario,
    arrange: (context) => {
      const plan = scenario.arrange(context);
      return { ...plan, args: [...(plan.args ?? []), '--verbose'] };
    },
  };
}
