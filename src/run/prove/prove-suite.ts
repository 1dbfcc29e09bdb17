import { basename } from 'node:path';
import { nameChecks } from '../../domain/check.js';
import { listUnasked } from '../../domain/checks/asked.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import { judgeScenario, judgeTrial } from '../../domain/proof/judge.js';
import type { ScenarioProof } from '../../domain/proof/proof.js';
import type { Trial, TriedScenario } from '../../domain/proof/tried.js';
import { isKnownFor } from '../../domain/scenario/known-issue.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { BackendId } from '../../domain/vocabulary.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import type { SuiteSettings } from '../../lane/settings.js';
import { removeWorkspace } from '../../workspace/create-workspace.js';
import { callScenario } from '../attempt/scenario-code.js';
import { WAITING_PER_JOB } from '../hold-folder.js';
import type { Selected } from '../planned.js';
import { runScheduled } from '../schedule.js';
import { whySkipped } from '../select/why-skipped.js';
import { declareChecks, type PlannedTrial, type PlanOptions, planTrials } from './plan.js';
import { sentTexts } from './sent-texts.js';
import { mostlyWaits, type OracleRun, runOracle, runTrial, runVariant, type TrialContext } from './trial.js';
import { bundle, planVariants, tryBundle, type VariantDraft } from './try-variants.js';

/** Progress of a proof. */
type ProveEvent =
  | { readonly type: 'run-finished'; readonly done: number; readonly total: number; readonly what: string }
  | { readonly type: 'scenario-finished'; readonly proof: ScenarioProof };

export interface ProveSuiteOptions extends Pick<TrialContext, 'diagnose'> {
  readonly selected: readonly Selected[];
  readonly readiness: ReadonlyMap<BackendId, Readiness>;
  readonly jobs: number;
  readonly sorts: PlanOptions['sorts'];
  /** Whether honest variants are played besides the saboteurs. */
  readonly variants: boolean;
  readonly onEvent: (event: ProveEvent) => void;
}

/** Runs every scenario as it is, then with each of its saboteurs, and returns what it found. */
export async function runProveSuite(
  options: ProveSuiteOptions,
  settings: SuiteSettings,
): Promise<TriedScenario[]> {
  const { onEvent: emit, jobs, diagnose } = options;
  const drafts = await Promise.all(
    options.selected.map((selected) => openDraft(selected, options, settings)),
  );
  const due = drafts.filter((draft) => draft.oracle.found.outcome === 'not-tried');
  let total = due.reduce((sum, draft) => sum + 1 + countTasks(draft), 0);
  let done = 0;
  const tell = (what: string) => emit({ type: 'run-finished', done: ++done, total, what });
  const schedule = <Job>(list: readonly Job[], limit: number, work: (job: Job) => Promise<void>) =>
    runScheduled(
      list.map((job) => ({ job, lane: '', first: false })),
      { total: limit, perLane: () => limit },
      work,
      () => settings.signal.aborted,
    );
  const close = (draft: Draft) => emit({ type: 'scenario-finished', proof: judgeScenario(settle(draft)) });

  await schedule(due, jobs, async (draft) => {
    draft.oracle = await runOracle(draft.selected, settings);
    if (!isSound(draft)) total -= countTasks(draft);
    tell(draft.selected.scenario.id);
  });
  const sound = due.filter(isSound);
  const tasks = sound.flatMap((draft) => [...trialTasks(draft), ...variantTasks(draft)]);
  for (const draft of drafts) if (!tasks.some((task) => task.draft === draft)) close(draft);
  const left = new Map<Draft, number>();
  for (const { draft } of tasks) left.set(draft, (left.get(draft) ?? 0) + 1);

  const work = async ({ draft, name, run }: Task): Promise<void> => {
    await run();
    tell(`${draft.selected.scenario.id}: ${name}`);
    const rest = (left.get(draft) ?? 0) - 1;
    left.set(draft, rest);
    if (rest === 0) close(draft);
  };
  await Promise.all([
    schedule(
      tasks.filter(({ waits }) => !waits),
      jobs,
      work,
    ),
    schedule(
      tasks.filter(({ waits }) => waits),
      jobs * WAITING_PER_JOB,
      work,
    ),
  ]);
  for (const draft of due) await tidy(draft, settings);
  return drafts.map(settle);

  function trialTasks(draft: Draft): Task[] {
    return draft.trials.filter(isDue).map((trial) => ({
      draft,
      name: trial.plan.name,
      waits: mostlyWaits(trial.plan, draft.oracle.found),
      run: async () => {
        trial.run = await runTrial(trial.plan, { ...draft, settings, diagnose });
        await forgetUnlessWrong(draft, trial);
      },
    }));
  }

  function variantTasks(draft: Draft): Task[] {
    const { scenario } = draft.selected;
    return bundle(draft.variants).map((group) => ({
      draft,
      name: `an honest agent that differs (${group.map(({ name }) => name).join(', ')})`,
      waits: mostlyWaits({ scenario, builtIn: null, fault: null }, draft.oracle.found),
      run: () =>
        tryBundle(group, settle(draft), async (names, replay = false) => {
          const run = await runVariant(names, draft, settings, replay);
          if (replay || names.length < group.length)
            emit({ type: 'run-finished', done, total, what: scenario.id });
          return run;
        }),
    }));
  }
}

/** One job of a proof: a run of a saboteur, or of a bundle of honest variants. */
interface Task {
  readonly draft: Draft;
  readonly name: string;
  /** Whether it mostly waits, so that others may go on beside it. */
  readonly waits: boolean;
  readonly run: () => Promise<void>;
}

/** A scenario while it is being proved. */
interface Draft {
  readonly selected: Selected;
  readonly facts: Omit<TriedScenario, 'oracle' | 'trials' | 'made' | 'variants'>;
  readonly variants: readonly VariantDraft[];
  readonly trials: { readonly plan: PlannedTrial; run: Trial['run'] }[];
  oracle: OracleRun;
}

async function openDraft(
  selected: Selected,
  options: ProveSuiteOptions,
  { target, lane, env }: SuiteSettings,
): Promise<Draft> {
  const { scenario, backend } = selected;
  const context = sampleContext(backend, lane);
  const issue = scenario.knownIssue;
  const obstacle = await whySkipped(selected, options.readiness, { lane, env, target });
  const { sorts } = options;
  return {
    selected,
    facts: {
      id: scenario.id,
      backend,
      covers: scenario.covers,
      checks: declareChecks(scenario, context),
      unasked: findUnasked(scenario, backend),
      knownIssue:
        issue !== null && isKnownFor(issue, { version: target.version, lane }) ? issue.reason : null,
    },
    trials: planTrials(scenario, context, { sorts, standIn: target.kind === 'stand-in' }).map((plan) => ({
      plan,
      run: null,
    })),
    variants: options.variants ? planVariants(scenario, context) : [],
    oracle: {
      found: {
        outcome: obstacle === null ? 'not-tried' : 'skipped',
        reason: obstacle?.reason ?? null,
        green: [],
        seconds: 0,
        processes: 0,
        artifacts: null,
      },
      workspace: null,
      made: [],
    },
  };
}

/** Only a real model must be asked: in the other lanes a script answers. */
function findUnasked(scenario: Scenario, backend: BackendId): string[] {
  if (!scenario.lanes.includes('live')) return [];
  const context = sampleContext(backend, 'live');
  try {
    return callScenario(() =>
      listUnasked(nameChecks(scenario.expect(context)), sentTexts(scenario, context)),
    );
  } catch (cause) {
    throw new KnownError(`scenario "${scenario.id}" fails in the live lane: ${messageOf(cause)}.`, { cause });
  }
}

function countTasks({ trials, variants }: Draft): number {
  return trials.filter(isDue).length + bundle(variants).length;
}

function isDue({ plan }: Draft['trials'][number]): boolean {
  return plan.skip === null;
}

function isSound({ oracle }: Draft): boolean {
  return oracle.found.outcome === 'passed' || oracle.found.outcome === 'known-issue';
}

function settle({ facts, oracle, trials, variants }: Draft): TriedScenario {
  return {
    ...facts,
    oracle: oracle.found,
    trials: trials.map(({ plan, run }) => ({ ...plan, run })),
    made: oracle.made,
    variants,
  };
}

/** Removes the output of a trial that went as it should: hundreds of these would hide the few that did not. */
async function forgetUnlessWrong(draft: Draft, trial: Draft['trials'][number]): Promise<void> {
  if (trial.run === null || trial.run.artifacts === null) return;
  const { verdict, breaks, fault } = judgeTrial(settle(draft), { ...trial.plan, run: trial.run });
  if (verdict !== 'noticed' && verdict !== 'masked' && verdict !== 'excused') return;
  if (breaks !== 'agent' && fault?.whose === 'agent') return;
  await removeTree(trial.run.artifacts);
  trial.run = { ...trial.run, artifacts: null };
}

/** Removes the oracle's workspace, which was kept for the saboteurs. If the oracle failed, it stays for the reader. */
async function tidy(draft: Draft, settings: SuiteSettings): Promise<void> {
  const { found, workspace } = draft.oracle;
  if (!isSound(draft)) return;
  if (workspace !== null) await removeWorkspace(settings.root, basename(workspace));
  if (found.artifacts !== null) await removeTree(found.artifacts);
  draft.oracle = { ...draft.oracle, found: { ...found, artifacts: null }, workspace: null };
}
