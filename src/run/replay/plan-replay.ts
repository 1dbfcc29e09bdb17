import { join } from 'node:path';
import { BACKENDS } from '../../backends/index.js';
import type { AttemptFinished } from '../../domain/attempt.js';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import type { Origin } from '../../domain/recording/origin.js';
import { type AgentRecording, RECORDING_FILE } from '../../domain/recording/recording.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { keyOfTest, LANE_TRAITS, LANES, testLabel, testNames } from '../../domain/vocabulary.js';
import type { Replay } from '../../lane/settings.js';
import { nameAttemptDir, type RunDir } from '../../workspace/runs/runs.js';
import { callScenario } from '../attempt/scenario-code.js';
import { hashScenario } from '../planned.js';
import {
  lastAttempts,
  type RecordedRun,
  readRecording,
  requireScenarioOf,
} from '../recording/earlier-attempts.js';
import { scriptOf } from './script.js';

/** What a replay runs. */
export interface ReplayPlan {
  /** The scenarios of the recorded tests, which the replay runs in another lane than usual. */
  readonly catalogue: readonly Scenario[];
  /** The names of the tests. */
  readonly tests: readonly string[];
  readonly replays: ReadonlyMap<string, Replay>;
  readonly origin: Origin;
}

/** A test of an earlier run: its recording, or why there is none. */
type Recorded = Pick<AgentRecording, 'scenarioId' | 'backend'> &
  ({ readonly recording: AgentRecording } | { readonly why: string });

/** Plans the replay of a run, or of one of its tests. */
export async function planReplay(
  { run, started, records, source }: RecordedRun,
  test: string | undefined,
  catalogue: readonly Scenario[],
): Promise<ReplayPlan> {
  const { lane, target, runId } = started;
  if (started.origin !== undefined)
    throw new KnownError(`Run ${runId} is a ${started.origin.kind} itself: expected a live run.`, {
      hint: `Replay the run that it comes from: ${started.origin.runId}.`,
    });
  if (!LANE_TRAITS[lane].costsMoney)
    throw new KnownError(
      `Run ${runId} ran in the ${lane} lane: expected a live run, whose agents are recorded.`,
      {
        hint: 'The agents of the other lanes are scripts. Run it again: it costs nothing.',
      },
    );
  const attempts = lastAttempts(records, runId, test);
  const recorded: Recorded[] = [];
  for (const attempt of attempts) recorded.push(await findRecording(run, attempt));
  const outcomes = attempts.map(({ scenarioId, backend, outcome }) => ({ scenarioId, backend, outcome }));
  const origin: Origin = {
    ...{ kind: 'replay', runId, source, isSingle: false, lane, target, outcomes, changed: [] },
  };
  return planFor(recorded, catalogue, origin);
}

/** Plans the replay of a single recording, from this file. */
export function planSingle(
  recording: AgentRecording,
  source: string,
  catalogue: readonly Scenario[],
): ReplayPlan {
  const { scenarioId, backend, runId, lane, target } = recording;
  const origin: Origin = {
    ...{ kind: 'replay', runId, source, isSingle: true, lane, target, outcomes: [], changed: [] },
  };
  return planFor([{ scenarioId, backend, recording }], catalogue, origin);
}

async function findRecording(run: RunDir, attempt: AttemptFinished): Promise<Recorded> {
  const { scenarioId, backend, recordingSha256, notRecorded } = attempt;
  const test = { scenarioId, backend };
  if (recordingSha256 === undefined)
    return {
      ...test,
      why:
        notRecorded === undefined ? 'This attempt was not recorded.' : `It was not recorded: ${notRecorded}`,
    };
  const path = join(nameAttemptDir(run, scenarioId, backend, attempt.attempt), RECORDING_FILE);
  try {
    return { ...test, recording: await readRecording(path, recordingSha256) };
  } catch (error) {
    if (isKnownError(error)) return { ...test, why: error.message };
    throw error;
  }
}

function planFor(recorded: readonly Recorded[], catalogue: readonly Scenario[], origin: Origin): ReplayPlan {
  const found = recorded.map((test) => ({
    test,
    scenario: requireScenarioOf(test, origin.runId, catalogue),
  }));
  return {
    catalogue: [...new Set(found.map(({ scenario }) => scenario))].map((scenario) => ({
      ...scenario,
      lanes: LANES,
    })),
    tests: found.map(({ test }) => testNames(test.scenarioId, test.backend)[0]),
    replays: new Map(found.map(({ test, scenario }) => [keyOfTest(test), replayOf(test, scenario)])),
    origin: {
      ...origin,
      changed: found.flatMap(({ test, scenario }) =>
        'recording' in test && hasChanged(test.recording, scenario)
          ? [testLabel(test.scenarioId, test.backend)]
          : [],
      ),
    },
  };
}

function replayOf(test: Recorded, scenario: Scenario): Replay {
  if ('why' in test) return { kind: 'cannot', why: test.why };
  const { recording } = test;
  const { backend, lane, drawn } = recording;
  // Not only the recording says so: it may come from somebody else.
  if (scenario.kind !== 'ralph')
    return { kind: 'cannot', why: 'It is a conversation: Ralph has no part in it.' };
  const isRecorded = LANE_TRAITS[lane].costsMoney && scenario.lanes.includes(lane);
  if (!isRecorded || scenario.unplayable[lane] !== undefined)
    return { kind: 'cannot', why: `The scenario is not recorded in the ${lane} lane.` };
  const { whyNotReplayed } = BACKENDS[backend];
  if (whyNotReplayed !== null) return { kind: 'cannot', why: whyNotReplayed };
  const context = { backend, lane, ...drawn };
  const { config } = callScenario(() => scenario.arrange(context));
  const written = scriptOf(recording, { ralphHooks: config?.hooks !== undefined });
  return written.kind === 'cannot' ? written : { kind: 'play', script: written.script, context };
}

function hasChanged({ scenarioHash, backend, lane }: AgentRecording, scenario: Scenario): boolean {
  return scenarioHash !== undefined && hashScenario(scenario, backend, lane).hash !== scenarioHash;
}
