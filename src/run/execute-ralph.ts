import { join } from 'node:path';
import { outputJson } from 'fs-extra/esm';
import { stringify } from 'yaml';
import { BACKENDS, type Environment, probeBackend } from '../backends/index.js';
import { agentScriptSchema } from '../domain/agent-script.js';
import type { Evidence, FileRecord } from '../domain/evidence.js';
import { KnownError } from '../domain/known-error.js';
import type { Readiness } from '../domain/readiness.js';
import type { ArrangedFile, Arrangement } from '../domain/scenario.js';
import type { BackendId } from '../domain/vocabulary.js';
import { credentialValues } from '../exec/environment.js';
import { redactText } from '../exec/redact.js';
import { collectEvidence, SCRATCHPAD } from '../ralph/collect-evidence.js';
import { withBackend } from '../ralph/config.js';
import { ralphCommand, ralphEnvironment, runRalph } from '../ralph/run-ralph.js';
import { createWorkspace, type Workspace } from '../workspace/create-workspace.js';
import { diffSnapshots, type Snapshot, snapshotFiles } from '../workspace/snapshot.js';
import { isOwnWorkspace } from '../workspace/workspace-registry.js';
import type { AttemptJob } from './attempt.js';
import { type ErrandSite, runErrands } from './errands.js';
import { refuseCredentials, scriptedAttempt, simAttempt, unreadyEnvironment } from './lane-environment.js';
import type { ModelServer } from './script-server.js';
import type { SuiteSettings } from './settings.js';

/** Folders of an attempt that the agent does not work in. */
interface Places {
  readonly artifacts: string;
  readonly home: string;
}

/** Lays out the workspace, runs ralph in it and collects the evidence. */
export async function executeRalph(
  job: AttemptJob,
  arrangement: Arrangement,
  places: Places,
  settings: SuiteSettings,
): Promise<{ evidence: Evidence; workspace: Workspace }> {
  const stage = await setStage(job, arrangement, places, {
    ...settings,
    env: { ...settings.env, ...job.variant?.env },
  });
  try {
    return await runOnStage(job, arrangement, places, stage, settings);
  } finally {
    await stage.server?.close();
  }
}

/** Where ralph's agent plays: its environment, and what tells afterwards what it was asked. */
interface Stage {
  readonly env: Environment;
  /** Where the stand-ins of agent CLIs record their calls; null in lanes with the real ones. */
  readonly agentLog: string | null;
  /** The model in the scripted lane. */
  readonly server: ModelServer | null;
}

async function runOnStage(
  job: AttemptJob,
  arrangement: Arrangement,
  places: Places,
  { env, agentLog, server }: Stage,
  settings: SuiteSettings,
): Promise<{ evidence: Evidence; workspace: Workspace }> {
  const { scenario, backend, attempt, variant } = job;
  const configYaml = renderConfig(backend, arrangement, settings);
  const secrets = credentialValues({ ...settings.base, ...env });
  const readiness = await probeUnready(backend, arrangement, env, places.home);
  const workspace = await createWorkspace(settings.root, workspaceName(job), {
    files: { ...arrangement.files, 'ralph.yml': configYaml, 'prompt.md': `${arrangement.prompt}\n` },
    ...(variant?.plant === undefined ? {} : { plant: variant.plant }),
  });
  const timeoutSeconds = variant?.timeoutSeconds ?? settings.timeoutSeconds ?? scenario.timeoutSeconds;
  const extraArgs = arrangement.args ?? [];
  const site: ErrandSite = {
    binary: settings.binary,
    workspace: workspace.path,
    env: ralphEnvironment(env, settings.root.path),
    timeoutSeconds,
    secrets,
    signal: settings.signal,
  };
  const earlier = await runErrands(arrangement.before ?? [], 'before', site);
  const before = await snapshotFiles(workspace.path);
  const startedAt = new Date();
  const result = await runRalph({
    binary: settings.binary,
    workspace: workspace.path,
    artifacts: places.artifacts,
    extraArgs,
    env,
    secrets,
    timeoutSeconds,
    attemptId: `${settings.run.id}/${scenario.id}-${backend}/${variant?.name ?? ''}${attempt}`,
    folder: settings.root.path,
    signal: settings.signal,
  });
  if (!(await isOwnWorkspace(settings.root, workspace.name))) {
    throw new KnownError(
      `the agent replaced its workspace ${workspace.path} by something else: nothing is read from it`,
    );
  }
  const after = listChanges(before, await snapshotFiles(workspace.path));
  const later = await runErrands(arrangement.after ?? [], 'after', site);
  const evidence = await collectEvidence({
    command: ralphCommand(settings.binary, extraArgs),
    workspace: workspace.path,
    configYaml: redactText(configYaml, secrets),
    promptText: redactText(arrangement.prompt, secrets),
    startedAt,
    timeoutSeconds,
    result,
    scratchpadBefore: textOf(arrangement.files?.[SCRATCHPAD]),
    changes: after,
    errands: [...earlier, ...later],
    agentLog,
    requests: server?.requests ?? [],
    readiness,
    secrets,
  });
  return { evidence, workspace };
}

/** An id that names its backend needs no suffix; any other may run on several backends at once. */
function workspaceName({ scenario, backend, variant }: AttemptJob): string {
  const plain = scenario.tiedToBackend ? scenario.id : `${scenario.id}-${backend}`;
  return variant === undefined ? plain : `${plain}-${variant.name}`;
}

function textOf(file: ArrangedFile | undefined): string | null {
  if (file === undefined) return null;
  return typeof file === 'string' ? file : file.content;
}

function renderConfig(backend: BackendId, { config }: Arrangement, { model }: SuiteSettings): string {
  const { ralphBackend, modelArgs } = BACKENDS[backend];
  return stringify(withBackend(config, ralphBackend, model === null ? [] : modelArgs(model)));
}

async function setStage(
  { scenario, backend }: AttemptJob,
  { credentials }: Arrangement,
  { artifacts, home }: Places,
  { lane, env, base }: SuiteSettings,
): Promise<Stage> {
  const script = join(artifacts, 'agent-script.json');
  const agent = agentScriptSchema.parse(scenario.agent);
  switch (lane) {
    case 'live': {
      const refused = credentials === 'refused';
      return {
        env: refused ? refuseCredentials(BACKENDS[backend], env, home) : env,
        agentLog: null,
        server: null,
      };
    }
    case 'sim': {
      await outputJson(script, agent, { spaces: 2 });
      const agentLog = join(artifacts, 'agent-calls.jsonl');
      return { env: simAttempt(env, home, { script, log: agentLog }), agentLog, server: null };
    }
    case 'scripted': {
      await outputJson(script, agent, { spaces: 2 });
      const recordTo = join(artifacts, 'model-requests.jsonl');
      // Loaded here: the other lanes need neither the server nor node:http.
      const { serveScript } = await import('./script-server.js');
      const server = await serveScript({ script: agent, recordTo, secrets: credentialValues(base) });
      const cast = [backend, ...scenario.companions({ backend, lane })].map((id) => BACKENDS[id]);
      return { env: scriptedAttempt(cast, env, home, server.url), agentLog: null, server };
    }
    default:
      return lane satisfies never;
  }
}

async function probeUnready(
  backend: BackendId,
  { probe }: Arrangement,
  env: Environment,
  home: string,
): Promise<Readiness | null> {
  if (probe === undefined) return null;
  return probeBackend(BACKENDS[backend], { env: unreadyEnvironment(BACKENDS[backend], env, home, probe) });
}

function listChanges(before: Snapshot, after: Snapshot) {
  const diff = diffSnapshots(before, after);
  const added = new Set(diff.added.map(({ path }) => path));
  const modified = new Set(diff.modified.map((change) => change.after.path));
  const changeOf = (path: string): FileRecord['change'] =>
    added.has(path) ? 'added' : modified.has(path) ? 'modified' : 'unchanged';
  return [
    ...after.files.map(({ path, size }) => ({ path, size, change: changeOf(path) })),
    ...diff.deleted.map(({ path, size }) => ({ path, size, change: 'deleted' as const })),
  ];
}
