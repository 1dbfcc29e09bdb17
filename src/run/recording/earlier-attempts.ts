import { createHash } from 'node:crypto';
import type { AttemptFinished } from '../../domain/attempt.js';
import { FORMATS } from '../../domain/common/formats.js';
import { KnownError } from '../../domain/common/known-error.js';
import { suggestNearest } from '../../domain/common/nearest.js';
import { joinParts } from '../../domain/joined-parts.js';
import type { JournalEvent } from '../../domain/journal.js';
import { type AgentRecording, recordingSchema } from '../../domain/recording/recording.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { isNamed, keyOfTest } from '../../domain/vocabulary.js';
import { readNamedFile } from '../../journal/own-file.js';
import type { RunDir } from '../../workspace/runs/runs.js';
import type { RunStarted } from '../resume/whole-journal.js';

/** An earlier run with everything that it recorded. */
export interface RecordedRun {
  readonly run: RunDir;
  readonly started: RunStarted;
  readonly records: readonly JournalEvent[];
  /** How to name it again. */
  readonly source: string;
}

/** Returns the last attempt of each test, or of the test with this name. */
export function lastAttempts(
  records: readonly JournalEvent[],
  runId: string,
  test: string | undefined,
): readonly AttemptFinished[] {
  const last = new Map<string, AttemptFinished>();
  for (const event of joinParts(records)) {
    if (event.type === 'attempt-finished' && !event.interrupted) last.set(keyOfTest(event), event);
  }
  // In the order of the plan: attempts end in any order.
  const [started] = records;
  const planned = started?.type === 'run-started' ? started.planned : [];
  const all = planned.flatMap((test) => last.get(keyOfTest(test)) ?? []);
  const found =
    test === undefined ? all : all.filter(({ scenarioId, backend }) => isNamed(test, scenarioId, backend));
  if (found.length > 0) return found;
  if (test === undefined)
    throw new KnownError(`Run ${runId} finished no test: there is nothing to judge or play.`);
  const ids = all.map(({ scenarioId }) => scenarioId);
  throw new KnownError(`Expected a test named "${test}" in run ${runId}, found none.`, {
    hint: `${suggestNearest(test, ids)}\`ralph-e2e show ${runId}\` lists its tests.`,
  });
}

/** Reads a recording. With a hash, refuses a file that was changed since. */
export function readRecording(path: string, sha256?: string): Promise<AgentRecording> {
  return readNamedFile(path, {
    ...{ format: FORMATS.recording, schema: recordingSchema, what: 'a recording' },
    refuse: (text) => {
      if (sha256 !== undefined && createHash('sha256').update(text).digest('hex') !== sha256)
        throw new KnownError(`${path}: expected the recording as the run wrote it, found a changed one.`, {
          hint: 'To replay it nevertheless, name the file itself: ralph-e2e replay <file>.',
        });
    },
  });
}

/** Finds the scenario of a test of an earlier run. */
export function requireScenarioOf(
  { scenarioId }: Pick<AttemptFinished, 'scenarioId'>,
  runId: string,
  catalogue: readonly Scenario[],
): Scenario {
  const scenario = catalogue.find(({ id }) => id === scenarioId);
  if (scenario !== undefined) return scenario;
  throw new KnownError(`Run ${runId} has a test of ${scenarioId}: expected this scenario, found none.`, {
    hint: 'Name the module that contains it with --scenarios <file>, or update ralph-e2e.',
  });
}
