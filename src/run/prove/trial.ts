import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assignFault } from '../../analyze/fault/assign.js';
import type { Step } from '../../domain/agent-script.js';
import type { AttemptFinished } from '../../domain/attempt.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { Fault } from '../../domain/fault.js';
import type { MadeTrial, TrialRun, TriedScenario, TriedVariant } from '../../domain/proof/tried.js';
import type { Execution, FailureType, RunFacts } from '../../domain/report/analysis.js';
import type { BuiltInSaboteur } from '../../domain/scenario/saboteur.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import {
  FAULT_LOG_VARIABLE,
  FAULT_VARIABLE,
  type StandInFault,
} from '../../domain/scenario/stand-in-faults.js';
import type { VariantName } from '../../domain/scenario/variants.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { readPlainText } from '../../exec/files/plain-file.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import { renderConfig } from '../../kinds/ralph/execute.js';
import type { Variant } from '../../lane/job.js';
import type { SuiteSettings } from '../../lane/settings.js';
import { attemptDir } from '../../workspace/runs/runs.js';
import { runAside, runAttempt } from '../attempt/attempt.js';
import { describePlanned, type Selected } from '../planned.js';
import { judgeChanges } from './change-evidence.js';
import { DEADLINE_SECONDS } from './dishonest-agents.js';
import type { PlannedTrial } from './plan.js';
import { playAs } from './try-variants.js';

/** The run of an unbroken scenario, and what saboteurs use from it. */
export interface OracleRun {
  readonly found: TriedScenario['oracle'];
  /** The workspace that it left, for the saboteur that plants it elsewhere; null if there is none. */
  readonly workspace: string | null;
  /** Its evidence with one thing changed, judged again. */
  readonly made: readonly MadeTrial[];
}

/** Runs a scenario as it is and keeps its workspace. */
export async function runOracle(selected: Selected, settings: SuiteSettings): Promise<OracleRun> {
  const finished = await runAttempt(
    { ...selected, attempt: 1, variant: { name: 'oracle' } },
    { ...settings, keepWorkspace: true },
  );
  const broken = finished.checks.filter(({ passed }) => !passed);
  return {
    found: {
      outcome: wasInterrupted(finished, settings) ? 'not-tried' : finished.outcome,
      reason:
        finished.error ??
        (broken.length === 0
          ? null
          : broken
              .map(({ name, expected, actual }) => `${name}: expected ${expected}, received ${actual}`)
              .join('; ')),
      green: finished.checks.map(({ passed }) => passed),
      seconds: finished.durationSeconds,
      processes: countProcesses(finished.evidence),
      artifacts: finished.artifacts,
    },
    workspace: finished.workspace,
    made: judgeChanges(selected.scenario, finished, settings.lane),
  };
}

/** What a trial needs from the proof. */
export interface TrialContext {
  readonly selected: Selected;
  readonly oracle: OracleRun;
  readonly settings: SuiteSettings;
  readonly diagnose: (failure: Execution, run: RunFacts) => FailureType;
}

/** Runs a sabotaged scenario; null if interrupted. Removes its workspace and keeps its output. */
export async function runTrial(trial: PlannedTrial, context: TrialContext): Promise<TrialRun | null> {
  const { selected, settings } = context;
  const { backend } = selected;
  const artifacts = await attemptDir(settings.run, selected.scenario.id, backend, trial.folder);
  const faultLog = join(artifacts, 'faults.log');
  const variant = describeVariant(trial, context, faultLog);
  const target =
    trial.builtIn === 'silent-ralph' ? { ...settings, binary: await writeSilentRalph(artifacts) } : settings;
  const wanted = trial.breaks === 'config' ? watchConfig(trial.scenario, context) : null;
  const finished = await runAside(
    { ...selected, scenario: wanted?.watched ?? trial.scenario, variant },
    target,
  );
  if (wasInterrupted(finished, settings)) return null;
  const fault = faultOf(finished, context.oracle.found, wanted?.read() ?? null);
  return {
    green: finished.checks.map(({ passed }) => passed),
    error: finished.error,
    harmless: trial.fault === null ? null : await whyHarmless(trial.fault, faultLog),
    diagnosed:
      finished.outcome === 'passed'
        ? null
        : diagnoseAlone(fault === null ? finished : { ...finished, fault }, context),
    fault,
    seconds: finished.durationSeconds,
    processes: countProcesses(finished.evidence),
    artifacts,
  };
}

/** Keeps the ralph.yml that an attempt would have had without the saboteur of its configuration. */
function watchConfig(spoilt: Scenario, { selected, settings }: TrialContext) {
  const { scenario, backend } = selected;
  let config: string | null = null;
  const watched: Scenario =
    spoilt.kind !== 'ralph' || scenario.kind !== 'ralph'
      ? spoilt
      : {
          ...spoilt,
          arrange: (given) => {
            config = renderConfig(backend, scenario.arrange(given), settings.model);
            return spoilt.arrange(given);
          },
        };
  return { watched, read: () => config };
}

/** Classifies a failure from its attempt alone. */
function diagnoseAlone(
  finished: AttemptFinished,
  { selected, settings, diagnose }: TrialContext,
): FailureType {
  const { scenarioId, backend } = finished;
  const { target, lane } = settings;
  const planned = describePlanned(selected, settings);
  const failure = { scenarioId, backend, planned, attempts: [finished] };
  return diagnose(failure, { target, lane, agentIsHonest: false });
}

/** Writes a program that takes the place of any Ralph, and does nothing. */
async function writeSilentRalph(folder: string): Promise<string> {
  const path = join(folder, 'ralph');
  await writeFile(path, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  return path;
}

/**
 * Whose fault it is that checks failed that pass without the saboteur. One that breaks the configuration stands for a Ralph that
 * does not heed it: the fault is judged by the configuration that the scenario wants.
 */
function faultOf(
  { outcome, checks, evidence }: AttemptFinished,
  { green }: OracleRun['found'],
  wanted: string | null,
): Fault | null {
  if (outcome !== 'failed' || evidence === null) return null;
  const excused = checks.flatMap((check, place) => (green[place] === false ? [check.key] : []));
  const configYaml = wanted ?? evidence.configYaml;
  return assignFault({ checks, evidence: { ...evidence, configYaml }, excused });
}

/** Runs a scenario with an honest agent that differs. Keeps its output only where something turned red. */
export async function runVariant(
  names: readonly VariantName[],
  { selected, oracle }: Pick<TrialContext, 'selected' | 'oracle'>,
  settings: SuiteSettings,
  replay = false,
): Promise<TriedVariant['run']> {
  const { scenario, backend } = selected;
  const [first = ''] = names;
  const folder = `${names.length === 1 ? `variant-${first}` : `variants-from-${first}`}${replay ? '-again' : ''}`;
  const artifacts = await attemptDir(settings.run, scenario.id, backend, folder);
  const played = playAs(names, scenario, sampleContext(backend, settings.lane));
  const variant = {
    name: folder,
    timeoutSeconds: variantLimitOf(oracle.found.seconds),
    largeNumbers: true,
  };
  const finished = await runAside({ ...selected, scenario: played, variant }, settings);
  if (wasInterrupted(finished, settings)) return null;
  const green = finished.checks.map(({ passed }) => passed);
  const isGood =
    finished.error === null && green.every((passed, place) => passed || !oracle.found.green[place]);
  if (isGood) await removeTree(artifacts);
  const processes = countProcesses(finished.evidence);
  return { green, error: finished.error, processes, artifacts: isGood ? null : artifacts };
}

function describeVariant(trial: PlannedTrial, { oracle }: TrialContext, faultLog: string): Variant {
  return {
    name: trial.folder,
    timeoutSeconds: limitOf(trial, oracle.found.seconds),
    env: {
      ...(shortensWaits(trial) ? { RALPH_STANDIN_TIME_SCALE: '0.01' } : {}),
      ...(trial.fault === null ? {} : { [FAULT_VARIABLE]: trial.fault, [FAULT_LOG_VARIABLE]: faultLog }),
    },
    ...(trial.builtIn === 'leftovers' && oracle.workspace !== null ? { plant: oracle.workspace } : {}),
  };
}

/** Says why a fault had no effect, or null. The stand-in logs each fault when it takes effect. */
async function whyHarmless(fault: string, log: string): Promise<string | null> {
  const bitten = await readPlainText(log).catch((error) => {
    if (hasErrorCode(error, 'ENOENT')) return '';
    throw error;
  });
  return bitten.split('\n').includes(fault) ? null : `the fault ${fault} never took effect`;
}

function wasInterrupted({ outcome }: AttemptFinished, { signal }: SuiteSettings): boolean {
  return outcome === 'error' && signal.aborted;
}

/** Counts the programs that a run started: Ralph, agent CLIs, errands, and `ralph` called by an agent. */
function countProcesses(evidence: Evidence | null): number {
  if (evidence === null) return 0;
  const { invocations, errands, iterations } = evidence;
  const calls = iterations
    .flatMap(({ toolCalls }) => toolCalls)
    .filter(({ input }) => input.includes('ralph '));
  // An agent that was ended before it logged its call was started, too.
  const agents = Math.max(invocations.length, iterations.length);
  return 1 + agents + errands.length + calls.length;
}

type Timed = Pick<PlannedTrial, 'builtIn' | 'fault' | 'scenario'>;

/** Faults after which a run ends only at its time limit. */
const ENDLESS: ReadonlySet<StandInFault> = new Set(['hang-after-completion', 'never-stop']);
/** Faults after which the stand-in waits for events that never come. */
const EVENTLESS: ReadonlySet<StandInFault> = new Set(['lose-events', 'corrupt-events']);

/**
 * Returns the time limit of a sabotaged run, based on how long the good run took. A run that never ends is cut off soon.
 * Any other gets enough time that it fails because of its saboteur, not because the machine is busy.
 */
function limitOf({ builtIn, fault }: Timed, oracleSeconds: number): number {
  if (builtIn === 'after-the-deadline') return DEADLINE_SECONDS;
  if (fault !== null && ENDLESS.has(fault)) return Math.max(4, 5 * oracleSeconds);
  return Math.max(20, 10 + 4 * oracleSeconds);
}

/** Returns the time limit of an honest variant: it does more than the good run did, and must not fail for that. */
function variantLimitOf(oracleSeconds: number): number {
  return Math.max(30, 10 + 6 * oracleSeconds);
}

/**
 * Agents that publish nothing: the stand-in need not wait for late events.
 */
const MUTE: ReadonlySet<BuiltInSaboteur> = new Set([
  'does-nothing',
  'parrot',
  'claims-success',
  'wrong-place',
  'leftovers',
]);

/** Whether the stand-in may shorten its waits in this run. */
function shortensWaits({ builtIn }: Timed): boolean {
  return builtIn !== null && MUTE.has(builtIn);
}

/** Whether a run mostly waits, so that more runs can overlap. */
export function mostlyWaits(
  { builtIn, fault, scenario }: Timed,
  oracle: { readonly seconds: number; readonly processes: number },
): boolean {
  if (builtIn === 'after-the-deadline') return true;
  if (fault !== null && (ENDLESS.has(fault) || EVENTLESS.has(fault))) return true;
  const slow = oracle.seconds / Math.max(1, oracle.processes) > SLOW_PROCESS_SECONDS;
  return slow || scenario.agent.rules.some(({ respond }) => respond.steps.some(isWait));
}

const SLOW_PROCESS_SECONDS = 1.5;

function isWait(step: Step): boolean {
  return step.do === 'hang' || (step.do === 'wait' && step.milliseconds >= 500);
}
