import { basename } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import type { JournalEvent } from '../domain/journal.js';
import { recordArm } from '../domain/report/rates/baseline.js';
import { sampleContext } from '../domain/scenario/sample-context.js';
import type { ConversationScenario } from '../domain/scenario/scenario.js';
import { executionKey, LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import type { SuiteSettings } from '../lane/settings.js';
import { removeWorkspace } from '../workspace/create-workspace.js';
import { runAttempt } from './attempt/attempt.js';
import type { Meter } from './money/meter.js';
import type { Selected } from './planned.js';

/** A test of a plugin. */
export type PluginTest = Selected & { readonly scenario: ConversationScenario };

/** Picks the tests whose conversations have plugins. */
export function listPluginTests(selected: readonly Selected[], lane: Lane): PluginTest[] {
  return selected.filter(
    (job): job is PluginTest =>
      job.scenario.kind === 'conversation' &&
      (job.scenario.arrange(sampleContext(job.backend, lane)).plugins ?? []).length > 0,
  );
}

/** Rejects `--without-plugin` if no test has a plugin: the run would look as if it had compared something. */
export function requirePluginTests(selected: readonly Selected[], lane: Lane): void {
  if (listPluginTests(selected, lane).length > 0) return;
  throw new KnownError('--without-plugin: expected a test with a plugin, found none among the chosen ones.', {
    hint: 'Choose tests of plugins with --scenarios, --suite plugins or --filter.',
  });
}

interface Baselines {
  readonly settings: SuiteSettings;
  /** The records of the run so far. */
  readonly records: readonly JournalEvent[];
  readonly meter: Meter;
  readonly emit: (event: JournalEvent) => void;
}

/** Runs each test that ran once more without its plugins, and records what holds then too. No verdict rests on it. */
export async function runBaselines(
  tests: readonly PluginTest[],
  { settings, records, meter, emit }: Baselines,
): Promise<void> {
  const keysOf = (type: 'attempt-finished' | 'baseline-finished') =>
    new Set(
      records.flatMap((event) =>
        event.type === type ? [executionKey(event.scenarioId, event.backend)] : [],
      ),
    );
  const [ran, done] = [keysOf('attempt-finished'), keysOf('baseline-finished')];
  const { costsMoney } = LANE_TRAITS[settings.lane];
  const { onOutput: _, ...silent } = settings;
  for (const job of tests) {
    const key = executionKey(job.scenario.id, job.backend);
    if (settings.signal.aborted || meter.isReached() || !ran.has(key) || done.has(key)) continue;
    const scenario = withoutPlugins(job.scenario);
    const variant = { name: 'without-plugin' };
    const finished = await runAttempt({ ...job, scenario, attempt: 1, variant }, silent);
    if (finished.workspace !== null) await removeWorkspace(settings.root, basename(finished.workspace));
    if (finished.interrupted) return;
    const spending = meter.price(finished.evidence, job.backend);
    emit({
      type: 'baseline-finished',
      at: new Date().toISOString(),
      scenarioId: scenario.id,
      backend: job.backend,
      ...recordArm(finished, { costsMoney }),
      ...(spending === null ? {} : { spending }),
    });
  }
}

function withoutPlugins(scenario: ConversationScenario): ConversationScenario {
  return { ...scenario, arrange: (context) => ({ ...scenario.arrange(context), plugins: [] }) };
}
