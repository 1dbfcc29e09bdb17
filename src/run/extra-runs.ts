import { KnownError } from '../domain/common/known-error.js';
import type { JournalEvent } from '../domain/journal.js';
import { recordArm } from '../domain/report/rates/baseline.js';
import { sampleContext } from '../domain/scenario/sample-context.js';
import type { ConversationScenario, RalphScenario } from '../domain/scenario/scenario.js';
import { keyOfTest, LANE_TRAITS, type Lane, testLabel } from '../domain/vocabulary.js';
import { runAside } from './attempt/attempt.js';
import { keyOfJob, type Selected } from './planned.js';
import type { Review } from './run-options.js';

/** A test of a plugin. */
type PluginTest = Selected & { readonly scenario: ConversationScenario };

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

/** What runs after the last test needs. */
type AfterTests = Omit<Review, 'readiness'>;

/** Runs each test that ran once more without its plugins, and records what holds then too. No verdict rests on it. */
export async function runBaselines(
  tests: readonly PluginTest[],
  { settings, records, meter, emit }: AfterTests,
): Promise<void> {
  const [ran, done] = [keysOf(records, 'attempt-finished'), keysOf(records, 'baseline-finished')];
  const { costsMoney } = LANE_TRAITS[settings.lane];
  for (const job of tests) {
    const key = keyOfJob(job);
    if (settings.signal.aborted || meter.isReached() || !ran.has(key) || done.has(key)) continue;
    const scenario = withoutPlugins(job.scenario);
    const variant = { name: 'without-plugin' };
    const finished = await runAside({ ...job, scenario, variant }, settings);
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

/** The tests with such a record, which may be of an earlier part of the run. */
function keysOf(
  records: readonly JournalEvent[],
  type: 'attempt-finished' | 'baseline-finished' | 'cause-examined',
): ReadonlySet<string> {
  return new Set(records.flatMap((event) => (event.type === type ? [keyOfTest(event)] : [])));
}

function withoutPlugins(scenario: ConversationScenario): ConversationScenario {
  return { ...scenario, arrange: (context) => ({ ...scenario.arrange(context), plugins: [] }) };
}

/** How many causes are examined: each takes another run of a test. */
const MOST_CAUSES = 3;
const LIMIT_SECONDS = 60;

/**
 * Runs one failed test of each cause once more with Ralph's debug log, and records what Ralph said. The verdict of the run
 * stays as it is. `labels` are the tests that show the causes best.
 */
export async function examineCauses(
  labels: readonly string[],
  selected: readonly Selected[],
  { settings, records, emit }: AfterTests,
): Promise<void> {
  const done = keysOf(records, 'cause-examined');
  for (const label of labels.slice(0, MOST_CAUSES)) {
    const job = selected.find(({ scenario, backend }) => testLabel(scenario.id, backend) === label);
    if (job?.scenario.kind !== 'ralph' || settings.signal.aborted) continue;
    if (done.has(keyOfJob(job))) continue;
    const scenario = withDebugLog(job.scenario);
    const variant = { name: 'debug', timeoutSeconds: LIMIT_SECONDS };
    const finished = await runAside({ ...job, scenario, variant }, settings);
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
