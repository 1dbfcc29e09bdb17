import type { JournalEvent } from '../domain/journal.js';
import type { AnalysisRecord } from '../domain/report/analyst.js';
import type { Report } from '../domain/report/report.js';
import { type BackendId, LANE_TRAITS } from '../domain/vocabulary.js';
import type { RalphConfig } from '../kinds/ralph/config.js';
import { ANALYSIS_SECONDS, analyseWithRalph } from '../run/analyst/meta-ralph.js';
import { ANALYSIS_CALLS } from '../run/money/plan.js';
import type { Review } from '../run/run-options.js';

/** Runs work that the user can skip: its signal is aborted then, and the run goes on. */
export type Skippable = <Result>(work: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;

interface ReviewOptions {
  /** The analyzer's ralph.yml; null for the built-in one. */
  readonly config: RalphConfig | null;
  readonly makeReport: (records: readonly JournalEvent[]) => Report;
  /** Default: the user cannot skip it. */
  readonly skippable?: Skippable | undefined;
}

/** Asks Ralph to analyze the run, on the first backend that was ready. Records why if it does not. */
export async function reviewRun(
  { records, readiness, settings, meter, emit }: Review,
  { config, makeReport, skippable = (work) => work(settings.signal) }: ReviewOptions,
): Promise<void> {
  const lost = new Set(records.flatMap(findLost));
  const ready = [...readiness.values()].find((backend) => backend.ready && !lost.has(backend.backend));
  if (settings.signal.aborted || ready === undefined) return;
  const ran = records.some((event) => event.type === 'attempt-finished');
  if (!ran) return;
  const finish = (record: AnalysisRecord) =>
    emit({ type: 'analysis-finished', at: new Date().toISOString(), ...record });
  if (!records.some(hasCompleted)) return finish(skipped('no loop of this Ralph completed'));
  const { backend } = ready;
  if (!meter.affords(ANALYSIS_CALLS, backend)) return finish(skipped('--max-cost leaves no money for it'));
  const by = LANE_TRAITS[settings.lane].hasScript ? 'script' : 'model';
  const timeoutSeconds = ANALYSIS_SECONDS[settings.lane];
  const report = makeReport([...records, describeEnd(records)]);
  emit({ type: 'analysis-started', at: new Date().toISOString(), backend, by, timeoutSeconds });
  const price = (evidence: Parameters<typeof meter.price>[0]) => meter.price(evidence, backend);
  finish(
    await skippable((signal) =>
      analyseWithRalph(report, { backend, config, price }, { ...settings, signal }),
    ),
  );
}

/** The backend of a test that did not run because its service or its gate had failed before. */
function findLost(event: JournalEvent): BackendId[] {
  if (event.type !== 'scenario-skipped') return [];
  return event.cause?.kind === 'service-lost' || event.cause?.kind === 'gate-failed' ? [event.backend] : [];
}

/** Whether this Ralph is able to run a loop: only then can it analyze anything. */
function hasCompleted(event: JournalEvent): boolean {
  return event.type === 'attempt-finished' && event.evidence?.termination?.reason === 'completed';
}

function skipped(why: string): AnalysisRecord {
  return { outcome: 'skipped', by: null, backend: null, durationSeconds: 0, notes: [why], answer: null };
}

/** The end of the run as the analyst sees it: now. */
function describeEnd(records: readonly JournalEvent[]): JournalEvent {
  const startedAt = Date.parse(records[0]?.at ?? '');
  const at = new Date();
  return {
    type: 'run-finished',
    at: at.toISOString(),
    interrupted: false,
    durationSeconds: Number.isNaN(startedAt) ? 0 : (at.getTime() - startedAt) / 1000,
  };
}
