import { join } from 'node:path';
import { BACKENDS, type Backend } from '../../backends/index.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { ErrandRecord, Evidence, ProcessExit } from '../../domain/evidence/evidence.js';
import type { ConversationArrangement } from '../../domain/scenario/conversation-arrangement.js';
import { credentialValues } from '../../exec/environment.js';
import { ATTEMPT_MARKER, FOLDER_MARKER } from '../../exec/process/markers.js';
import { type AttemptCell, prepareCell } from '../../lane/attempt-cell.js';
import { type ErrandSite, runErrands } from '../../lane/errands.js';
import { type Places, type Stage, setStage, workspaceName, workspacePath } from '../../lane/stage.js';
import type { AttemptJob } from '../../run/attempt/attempt.js';
import type { SuiteSettings } from '../../run/attempt/settings.js';
import { createWorkspace, type Workspace } from '../../workspace/create-workspace.js';
import { createReader } from '../../workspace/read-inside.js';
import {
  describeExit,
  readFiles,
  readInvocations,
  toCapturedText,
} from '../../workspace/runs/run-remains.js';
import { type FileChange, listChanges, snapshotFiles } from '../../workspace/snapshot.js';
import { isOwnWorkspace } from '../../workspace/workspace-registry.js';
import { type HeldConversation, holdConversation } from './hold-conversation.js';
import { HOOK_LOG_VARIABLE } from './hook-log.js';
import { layOutPlugins } from './plugins/lay-out.js';
import { findTotalCost } from './turns/draft.js';

/** Lays out the workspace and the plugins, holds the conversation and collects the evidence. */
export async function executeConversation(
  job: AttemptJob,
  arrangement: ConversationArrangement,
  places: Places,
  settings: SuiteSettings,
): Promise<{ evidence: Evidence; workspace: Workspace }> {
  const env = { ...settings.env, ...job.variant?.env };
  const stage = await setStage(job, 'as-is', places, { ...settings, env });
  const pluginDirs = await layOutPlugins(arrangement.plugins ?? [], join(places.artifacts, 'plugins'));
  const isolation = prepareCell(settings.enclosure, {
    ...places,
    agentLog: stage.agentLog,
    modelUrl: stage.server?.url,
    readable: pluginDirs,
    writable: [join(places.artifacts, HOOK_LOG)],
  });
  try {
    return await converse(job, arrangement, { ...places, pluginDirs }, { ...stage, isolation }, settings);
  } finally {
    await isolation.close();
    await stage.server?.close();
  }
}

async function converse(
  job: AttemptJob,
  arrangement: ConversationArrangement,
  places: Places & { readonly pluginDirs: readonly string[] },
  stage: Stage & { readonly isolation: AttemptCell },
  settings: SuiteSettings,
): Promise<{ evidence: Evidence; workspace: Workspace }> {
  const { scenario, backend, attempt, variant } = job;
  const secrets = credentialValues({ ...settings.base, ...stage.env });
  const cell = await stage.isolation.open(workspacePath(job, settings.root));
  const workspace = await createWorkspace(settings.root, workspaceName(job), {
    files: arrangement.files ?? {},
    mcpServers: 'of-plugins',
    ...(variant?.plant === undefined ? {} : { plant: variant.plant }),
  });
  const hookLog = join(places.artifacts, HOOK_LOG);
  const env = {
    ...stage.env,
    [HOOK_LOG_VARIABLE]: hookLog,
    [FOLDER_MARKER]: settings.root.path,
    // The agent's git must not look above the workspace, even if the agent removed the repo there.
    GIT_CEILING_DIRECTORIES: settings.root.path,
  };
  const timeoutSeconds = variant?.timeoutSeconds ?? settings.timeoutSeconds ?? scenario.timeoutSeconds;
  const site = {
    binary: settings.binary,
    workspace: workspace.path,
    env,
    timeoutSeconds,
    secrets,
    signal: settings.signal,
    cell,
  } satisfies ErrandSite;
  const earlier = await runErrands(arrangement.before ?? [], 'before', site);
  const before = await snapshotFiles(workspace.path);
  const startedAt = new Date();
  const held = await holdConversation({
    backend,
    ...(arrangement.form === undefined ? {} : { form: arrangement.form }),
    turns: arrangement.turns,
    ...(arrangement.workflow === undefined ? {} : { workflow: arrangement.workflow }),
    hookLog,
    session: {
      executable: BACKENDS[backend].command,
      cwd: workspace.path,
      env,
      artifacts: places.artifacts,
      pluginDirs: places.pluginDirs,
      permissionMode: arrangement.permissionMode ?? 'acceptEdits',
      allowedTools: arrangement.allowedTools ?? [],
      args: moreArguments(BACKENDS[backend], arrangement, settings),
      sessionTimeoutSeconds: timeoutSeconds,
      marker: {
        name: ATTEMPT_MARKER,
        value: `${settings.run.id}/${scenario.id}-${backend}/${variant?.name ?? ''}${attempt}`,
      },
      secrets,
      signal: settings.signal,
      cell,
    },
  });
  if (!(await isOwnWorkspace(settings.root, workspace.name))) {
    throw new KnownError(
      `the agent replaced its workspace ${workspace.path} by something else: nothing is read from it`,
    );
  }
  const after = await snapshotFiles(workspace.path);
  const later = await runErrands(arrangement.after ?? [], 'after', site);
  const evidence = await describeConversation(held, {
    workspace: workspace.path,
    command: [BACKENDS[backend].command],
    startedAt,
    timeoutSeconds,
    changes: listChanges(before, after),
    changesCut: before.truncated || after.truncated,
    asks: job.asks ?? [],
    errands: [...earlier, ...later],
    stage,
    secrets,
    interrupted: settings.signal.aborted,
  });
  return { evidence: { ...evidence, isolation: stage.isolation.record(evidence) }, workspace };
}

/** Where a recording hook writes, among the artifacts. */
const HOOK_LOG = 'hook-log.jsonl';

function moreArguments(
  backend: Backend,
  { agent, args = [] }: ConversationArrangement,
  { lane, model }: SuiteSettings,
): string[] {
  return [
    ...(agent === undefined ? [] : ['--agent', agent]),
    ...(model === null ? [] : backend.modelArgs(model)),
    ...(lane === 'live' ? (backend.withoutUserSettings ?? []) : []),
    ...args,
  ];
}

/** What is known of a conversation besides what was said in it. */
interface ConversationFacts {
  readonly workspace: string;
  readonly command: readonly string[];
  readonly startedAt: Date;
  readonly timeoutSeconds: number;
  readonly changes: readonly FileChange[];
  readonly changesCut: boolean;
  readonly asks: readonly string[];
  readonly errands: readonly ErrandRecord[];
  readonly stage: Stage;
  readonly secrets: readonly string[];
  readonly interrupted: boolean;
}

/** A conversation in the terms of all evidence: a turn is an iteration. */
async function describeConversation(
  { record, result }: HeldConversation,
  facts: ConversationFacts,
): Promise<Evidence> {
  const { turns } = record;
  const reader = createReader(facts.workspace, facts.secrets);
  const { agentLog, server } = facts.stage;
  return {
    command: [...facts.command],
    cwd: facts.workspace,
    configYaml: '',
    promptText: turns.map(({ asked }) => asked).join('\n'),
    startedAt: facts.startedAt.toISOString(),
    durationSeconds: result.durationMs / 1000,
    exit: describeEnd({ record, result }, facts),
    stdout: toCapturedText(result.stdout),
    stderr: toCapturedText(result.stderr),
    termination: null,
    iterations: turns.map((turn) => ({
      number: turn.number,
      hat: null,
      prompt: turn.sent,
      said: turn.text,
      toolCalls: turn.calls.map(({ id, name, input, result: answer, isError }) => ({
        id,
        name,
        input: JSON.stringify(input),
        result: answer,
        isError,
      })),
      durationSeconds: turn.durationMs / 1000,
    })),
    events: [],
    malformedLines: [],
    history: [],
    scratchpad: { before: null, after: null },
    memories: [],
    tasks: [],
    ...(await readFiles(reader, facts)),
    usage: {
      model: record.init?.model ?? null,
      turns: turns.length,
      inputTokens: turns.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      outputTokens: turns.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      costUsd: findTotalCost(turns),
    },
    backendErrors: turns.flatMap(({ outcome }) => (outcome.kind === 'api-error' ? [outcome.message] : [])),
    invocations: agentLog === null ? [] : await readInvocations(agentLog, facts.secrets),
    requests: [...(server?.requests ?? [])],
    errands: [...facts.errands],
    leftBehind: [...result.leftBehind, ...result.survivors].map(({ pid, command }) => ({ pid, command })),
    readiness: null,
    conversation: record,
  };
}

/** We end the CLI ourselves where a turn took too long: that is the turn's fault, and no interruption by the user. */
function describeEnd(
  { record, result }: HeldConversation,
  { interrupted, timeoutSeconds }: ConversationFacts,
): ProcessExit {
  const last = record.turns.at(-1)?.outcome;
  if (interrupted) return { kind: 'interrupted' };
  if (last?.kind === 'timed-out') return { kind: 'timed-out', afterSeconds: last.afterSeconds };
  if (result.interrupted) return { kind: 'killed', signal: 'SIGTERM' };
  return describeExit(result, timeoutSeconds);
}
