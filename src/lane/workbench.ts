import { delimiter, join } from 'node:path';
import type { Environment } from '../backends/index.js';
import { agentScriptSchema } from '../domain/agent-script.js';
import { KnownError } from '../domain/common/known-error.js';
import type { ErrandRecord, Evidence } from '../domain/evidence/evidence.js';
import type { RequestRecord } from '../domain/evidence/request-record.js';
import type { Arrangement, Errand } from '../domain/scenario/arrangement.js';
import type { ConversationErrand } from '../domain/scenario/conversation-arrangement.js';
import { firstOther } from '../domain/scenario/sample-context.js';
import { LANE_TRAITS } from '../domain/vocabulary.js';
import type { ProcessScope } from '../exec/process/containment/process-scope.js';
import { FOLDER_MARKER } from '../exec/process/markers.js';
import { redactRecord } from '../exec/redact/record.js';
import type { Sandbox } from '../isolation/launch.js';
import { createWorkspace, type Workspace, type WorkspaceOptions } from '../workspace/create-workspace.js';
import { type FileChange, listChanges, snapshotFiles } from '../workspace/snapshot.js';
import { isOwnWorkspace } from '../workspace/workspace-registry.js';
import { type AttemptSandbox, type AttemptScope, prepareSandbox, prepareScope } from './attempt-sandbox.js';
import { type ErrandSite, requireTarget, runErrands } from './errands.js';
import { type Attempt, nameAttempt, nameWorkspace } from './job.js';
import { type LaneSetup, setUpLane } from './lane-setup.js';
import { timeLimitOf } from './time-limit.js';

/** What an attempt prepares in addition to the setup of its lane. */
export interface Layout extends Pick<WorkspaceOptions, 'files' | 'mcpServers'> {
  /** Variables for the target and the errands, in addition to those of the lane. */
  readonly env: Environment;
  /** Folders of the workspace that come first on PATH. */
  readonly path?: Arrangement['path'];
  readonly credentials?: Arrangement['credentials'];
  readonly before?: readonly (Errand | ConversationErrand)[];
  readonly after?: readonly (Errand | ConversationErrand)[];
  /** What must be readable in a sandbox, in addition to the workspace: folders of plugins. */
  readonly readable?: readonly string[];
  /** Files that programs in a sandbox append to. */
  readonly writable?: readonly string[];
}

/** What the target of an attempt runs with. */
export interface Workbench extends Pick<LaneSetup, 'lane' | 'secrets'> {
  readonly workspace: string;
  readonly env: Environment;
  readonly timeoutSeconds: number;
  /** The name that marks its processes. */
  readonly attemptId: string;
  readonly signal: AbortSignal;
  /** Gets what the target prints, redacted, as it arrives. */
  readonly onOutput?: ((data: Buffer) => void) | undefined;
  /** The sandbox that it runs in; undefined on the host. */
  readonly sandbox: Sandbox | undefined;
  /** Where its processes live; undefined in a sandbox. */
  readonly scope: ProcessScope | undefined;
}

/** Facts about an attempt that are not in its workspace. */
export interface AttemptFacts {
  readonly workspace: string;
  readonly startedAt: Date;
  readonly timeoutSeconds: number;
  readonly changes: readonly FileChange[];
  /** Whether there were more files than could be compared. */
  readonly changesCut: boolean;
  /** Files that checks read completely. */
  readonly asks: readonly string[];
  /** Where the stand-ins of agent CLIs logged their calls; null in lanes with real CLIs. */
  readonly agentLog: string | null;
  /** The requests to our model server. */
  readonly requests: readonly RequestRecord[];
  readonly errands: readonly ErrandRecord[];
  readonly secrets: readonly string[];
}

/** The result of an attempt. */
export interface Executed {
  /** Without credentials. */
  readonly evidence: Evidence;
  /** Values to remove from what is said about the evidence. */
  readonly secrets: readonly string[];
  readonly workspace: Workspace;
}

/** How one kind of scenario runs its target and collects the evidence. */
export interface TargetRun<Result> {
  readonly run: (workbench: Workbench) => Promise<Result>;
  readonly collect: (result: Result, facts: AttemptFacts) => Promise<Evidence>;
}

/** Prepares an attempt, runs its target between its errands, collects the evidence and cleans up. */
export async function runOnWorkbench<Result>(
  attempt: Attempt,
  layout: Layout,
  target: TargetRun<Result>,
): Promise<Executed> {
  const { job, places, settings } = attempt;
  const { scenario, backend, second = firstOther(backend), variant } = job;
  const { lane, base } = settings;
  const laneSetup = await setUpLane({
    lane,
    backends: [backend, ...scenario.companions({ backend, lane, second })],
    script: agentScriptSchema.parse(scenario.agent),
    places,
    env: { ...settings.env, ...variant?.env },
    base,
    passed: settings.passEnv,
    credentials: layout.credentials,
  });
  const { agentLog, modelUrl } = laneSetup;
  const { readable, writable } = layout;
  const isolation = prepareSandbox(settings.enclosure, { ...places, agentLog, modelUrl, readable, writable });
  const processes = prepareScope(settings);
  try {
    return await runBetweenErrands(attempt, layout, { ...laneSetup, isolation, processes }, target);
  } finally {
    await processes.close();
    await isolation.close();
    await laneSetup.close();
  }
}

async function runBetweenErrands<Result>(
  attempt: Attempt,
  layout: Layout,
  {
    isolation,
    processes,
    ...laneSetup
  }: LaneSetup & { readonly isolation: AttemptSandbox; readonly processes: AttemptScope },
  target: TargetRun<Result>,
): Promise<Executed> {
  const { job, settings } = attempt;
  const { root, signal } = settings;
  const { scenario, variant } = job;
  const { lane, secrets, agentLog } = laneSetup;
  const name = nameWorkspace(job);
  const sandbox = await isolation.open(join(root.path, name));
  const workspace = await createWorkspace(root, name, {
    files: layout.files,
    mcpServers: layout.mcpServers,
    plant: variant?.plant,
    // A variant runs besides the test, and whoever runs it removes its workspace.
    owner: { run: settings.run.id, kept: settings.keepWorkspace && variant === undefined },
  });
  const scope = await processes.open();
  const timeoutSeconds =
    variant?.timeoutSeconds ?? settings.timeoutSeconds ?? timeLimitOf(scenario, job.backend, settings.lane);
  const lent = { ...laneSetup.env, ...layout.env, ...keepInside(root.path) };
  const folders = (layout.path ?? []).map((folder) => join(workspace.path, folder));
  const env = folders.length === 0 ? lent : { ...lent, PATH: [...folders, lent.PATH].join(delimiter) };
  const common = { workspace: workspace.path, env, timeoutSeconds, secrets, signal, sandbox, scope };
  const { binary, findChangedTarget } = settings;
  const home = LANE_TRAITS[lane].asUser ? undefined : attempt.places.home;
  const site: ErrandSite = { binary, findChangedTarget, home, ...common };
  const earlier = await runErrands(layout.before ?? [], 'before', site);
  const before = await snapshotFiles(workspace.path);
  const startedAt = new Date();
  const { onOutput } = settings;
  const shown = { scenarioId: scenario.id, backend: job.backend };
  await requireTarget(settings);
  const result = await target.run({
    ...{ lane, attemptId: nameAttempt(attempt), ...common },
    ...(onOutput === undefined ? {} : { onOutput: (data: Buffer) => onOutput(shown, data) }),
  });
  if (!(await isOwnWorkspace(root, workspace.name))) {
    throw new KnownError(
      `The agent replaced its workspace ${workspace.path} with something else, so nothing is read from it.`,
    );
  }
  const after = await snapshotFiles(workspace.path);
  const later = await runErrands(layout.after ?? [], 'after', site);
  const evidence = await target.collect(result, {
    workspace: workspace.path,
    startedAt,
    timeoutSeconds,
    changes: listChanges(before, after),
    changesCut: before.truncated || after.truncated,
    asks: job.asks ?? [],
    agentLog,
    requests: laneSetup.requests(),
    errands: [...earlier, ...later],
    secrets,
  });
  const whole = { ...evidence, isolation: isolation.record(evidence) };
  return { evidence: await redactRecord(whole, secrets), secrets, workspace };
}

/** Keeps the programs of an attempt in the folder of the run, and lets the next run find those left behind. */
function keepInside(folder: string): Environment {
  return {
    // When a loop succeeds, Ralph commits and clears stashes in the repo it finds, and an agent may do anything with git:
    // neither may look above the workspace, even if the agent removed the repo there.
    GIT_CEILING_DIRECTORIES: folder,
    [FOLDER_MARKER]: folder,
  };
}
