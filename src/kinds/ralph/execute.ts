import { stringify } from 'yaml';
import { BACKENDS, type Environment, probeBackend } from '../../backends/index.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { ArrangedFile, Arrangement } from '../../domain/scenario/arrangement.js';
import type { BackendId } from '../../domain/vocabulary.js';
import { credentialValues } from '../../exec/environment.js';
import { redactText } from '../../exec/redact.js';
import { type AttemptCell, prepareCell } from '../../lane/attempt-cell.js';
import { unreadyEnvironment } from '../../lane/environment.js';
import { type ErrandSite, runErrands } from '../../lane/errands.js';
import { type Places, type Stage, setStage, workspaceName, workspacePath } from '../../lane/stage.js';
import type { AttemptJob } from '../../run/attempt/attempt.js';
import type { SuiteSettings } from '../../run/attempt/settings.js';
import { createWorkspace, type Workspace } from '../../workspace/create-workspace.js';
import { listChanges, snapshotFiles } from '../../workspace/snapshot.js';
import { isOwnWorkspace } from '../../workspace/workspace-registry.js';
import { withBackend } from './config.js';
import { collectEvidence, SCRATCHPAD } from './evidence/collect.js';
import { ralphCommand, ralphEnvironment, runRalph } from './run-ralph.js';

/** Lays out the workspace, runs ralph in it and collects the evidence. */
export async function executeRalph(
  job: AttemptJob,
  arrangement: Arrangement,
  places: Places,
  settings: SuiteSettings,
): Promise<{ evidence: Evidence; workspace: Workspace }> {
  const stage = await setStage(job, arrangement.credentials, places, {
    ...settings,
    env: { ...settings.env, ...job.variant?.env },
  });
  const modelUrl = stage.server?.url;
  const isolation = prepareCell(settings.enclosure, { ...places, agentLog: stage.agentLog, modelUrl });
  try {
    return await runOnStage(job, arrangement, places, { ...stage, isolation }, settings);
  } finally {
    await isolation.close();
    await stage.server?.close();
  }
}

async function runOnStage(
  job: AttemptJob,
  arrangement: Arrangement,
  places: Places,
  { env, agentLog, server, isolation }: Stage & { readonly isolation: AttemptCell },
  settings: SuiteSettings,
): Promise<{ evidence: Evidence; workspace: Workspace }> {
  const { scenario, backend, attempt, variant } = job;
  const configYaml = renderConfig(backend, arrangement, settings);
  const secrets = credentialValues({ ...settings.base, ...env });
  const readiness = await probeUnready(backend, arrangement, env, places.home);
  const cell = await isolation.open(workspacePath(job, settings.root));
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
    cell,
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
    cell,
  });
  if (!(await isOwnWorkspace(settings.root, workspace.name))) {
    throw new KnownError(
      `the agent replaced its workspace ${workspace.path} by something else: nothing is read from it`,
    );
  }
  const after = await snapshotFiles(workspace.path);
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
    changes: listChanges(before, after),
    changesCut: before.truncated || after.truncated,
    asks: job.asks ?? [],
    errands: [...earlier, ...later],
    agentLog,
    requests: server?.requests ?? [],
    readiness,
    secrets,
  });
  return { evidence: { ...evidence, isolation: isolation.record(evidence) }, workspace };
}

function textOf(file: ArrangedFile | undefined): string | null {
  if (file === undefined) return null;
  return typeof file === 'string' ? file : file.content;
}

function renderConfig(backend: BackendId, { config }: Arrangement, { model }: SuiteSettings): string {
  const { ralphBackend, modelArgs } = BACKENDS[backend];
  return stringify(withBackend(config, ralphBackend, model === null ? [] : modelArgs(model)));
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
