import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pluginDataFolder } from '../../backends/claude/plugins/running-hooks.js';
import { messageOf } from '../../domain/common/message-of.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { readDecision } from '../../kinds/conversation/claude/turn.js';
import { type HookAnswer, runHook } from '../../kinds/conversation/plugins/run-hook.js';
import { knownSecrets } from '../../lane/secrets.js';
import { ToolError } from '../errors.js';
import type { Harness } from '../harness.js';
import { homeEnvironment } from '../prepare-claude.js';
import type { HookExecution } from '../session-times.js';
import { isRunOf, nameHandler, type OwnedHook, withoutTwinHooks } from './hook-runs.js';

type Payload = Readonly<Record<string, unknown>>;

/** The fields that Claude Code 2.1.325 compares with matchers, and their events. For other events every hook runs. */
const MATCHED: Readonly<Record<string, readonly string[]>> = {
  tool_name: ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'PermissionDenied'],
  command_name: ['UserPromptExpansion'],
  source: ['SessionStart', 'ConfigChange'],
  reason: ['SessionEnd'],
  trigger: ['Setup', 'PreCompact', 'PostCompact'],
  notification_type: ['Notification'],
  error: ['StopFailure'],
  agent_type: ['SubagentStart', 'SubagentStop'],
  mcp_server_name: ['Elicitation', 'ElicitationResult'],
  load_reason: ['InstructionsLoaded'],
};

function findMatchedField(event: string): string | undefined {
  return Object.keys(MATCHED).find((field) => MATCHED[field]?.includes(event));
}

/** The hooks to run for an event. */
interface HookSelection {
  /** The event with what it is about, as Claude Code names the run. */
  readonly name: string;
  readonly hooks: readonly OwnedHook[];
  readonly payload: Payload;
}

/**
 * Selects the hooks that Claude Code would run for an event, and completes its payload. `name` is the event, with what
 * it is about (`PreToolUse:Bash`), or the name of a hook from the list (`PreToolUse:Bash|Write`).
 */
export function selectHooks(all: readonly OwnedHook[], name: string, given: Payload): HookSelection {
  const { ranFor, hooks, payload } = selectByMatcher(all, name, given);
  if (hooks.length === 0) throw hookNotFound(all, ranFor);
  hooks.forEach(refuseWhatIsOnlyInClaude);
  return { name: ranFor, hooks, payload };
}

function selectByMatcher(all: readonly OwnedHook[], name: string, payload: Payload) {
  const [event = '', ...rest] = name.split(':');
  const hooks = all.filter(({ hook }) => hook.event === event);
  const field = findMatchedField(event);
  if (field === undefined) return { ranFor: event, hooks: withoutTwinHooks(hooks), payload };
  const written = rest.join(':');
  const named = hooks.filter(({ hook }) => hook.name === name);
  // A matcher from the list, which says nothing about one tool.
  const isMatcher = named.length > 0 && !/^[\w-]*$/.test(written);
  const given = payload[field];
  const about = written !== '' && !isMatcher ? written : typeof given === 'string' ? given : '';
  const ranFor = about === '' ? name : `${event}:${about}`;
  if (about === '') return { ranFor, hooks: withoutTwinHooks(named), payload };
  const matching = (isMatcher ? named : hooks).filter(({ hook }) =>
    isRunOf({ hook_name: ranFor }, hook.name),
  );
  return { ranFor, hooks: withoutTwinHooks(matching), payload: { [field]: about, ...payload } };
}

/** Refuses by name what only Claude Code can run or judge. */
function refuseWhatIsOnlyInClaude({ plugin, hook }: OwnedHook): void {
  if (hook.onlyInClaude === null) return;
  throw new ToolError(
    'UnsupportedError',
    `trigger_hook does not support ${hook.onlyInClaude}, which the ${hook.name} hook of the plugin ${plugin.name} has.`,
    'Let a conversation run it: start_conversation and send_prompt, with --lane scripted or live.',
  );
}

/** Explains why no hook has this name. */
export function hookNotFound(hooks: readonly OwnedHook[], name: string): ToolError {
  const [event = '', ...about] = name.split(':');
  const own = hooks.filter(({ hook }) => hook.event === event);
  const names = [...new Set((own.length > 0 ? own : hooks).map(({ hook }) => hook.name))].join(', ');
  const field = findMatchedField(event);
  const [expected, hint] =
    own.length === 0
      ? [
          'an event for which an installed plugin has a hook',
          `Hooks in installed plugins: ${names || 'none'}.`,
        ]
      : about.length === 0
        ? [
            `${event}:<${field}>, because all its hooks have a matcher`,
            `Write it so, or put "${field}" in the payload. Hooks for ${event}: ${names}.`,
          ]
        : [`something that a matcher of a ${event} hook fits`, `Hooks for ${event}: ${names}.`];
  return new ToolError('HookNotFoundError', `Expected ${expected}, found ${JSON.stringify(name)}.`, hint);
}

/** Handlers that trigger_hook started. */
interface TriggeredRun {
  readonly started: HookExecution;
  /** Resolves when all handlers are done. Rejects if they could not be run. */
  readonly finished: Promise<HookExecution>;
}

/** Starts the selected handlers, and keeps the log of hooks true until they are done, whoever waits for them. */
export function startTriggeredRun(
  harness: Harness,
  { name, hooks, payload }: HookSelection,
  place: TriggerPlace,
  caller: AbortSignal,
): TriggeredRun {
  const started: HookExecution = {
    execution_id: randomUUID(),
    hook_name: name,
    timestamp: new Date().toISOString(),
    event_payload: payload,
    status: 'running',
    output: '',
    error: null,
    duration_ms: null,
    action_blocked: false,
    session_id: null,
    action_id: typeof payload.tool_use_id === 'string' ? payload.tool_use_id : null,
    triggered: hooks.map(nameHandler),
  };
  harness.hookRuns.push(started);
  const record = (change: Partial<HookExecution>): HookExecution => {
    const now = { ...started, ...change };
    const at = harness.hookRuns.indexOf(started);
    // A reset of the test environment forgets the runs that it ends.
    if (at >= 0) harness.hookRuns[at] = now;
    return now;
  };
  const finished = harness
    .runEndable(caller, (signal) => triggerHooks(harness, hooks, payload, place, signal))
    .then(
      (answers) => record(judgeAnswers(answers)),
      (error: unknown) => {
        record({ status: 'failed', error: messageOf(error) });
        throw error;
      },
    );
  // Without this, a failure that nobody waits for would end the server.
  finished.catch(() => {});
  return { started, finished };
}

/** Where handlers run: in the folder and with the home of a conversation, or in the root with a new home. */
interface TriggerPlace {
  readonly projectDir: string;
  readonly home: string;
}

/** Runs the handlers of hooks as Claude Code would, but without a conversation. */
async function triggerHooks(
  harness: Harness,
  hooks: readonly OwnedHook[],
  payload: Readonly<Record<string, unknown>>,
  { projectDir, home }: TriggerPlace,
  signal: AbortSignal,
): Promise<readonly HookAnswer[]> {
  const { env: base, passEnv } = harness.lane;
  const artifacts = harness.scratch('hooks');
  await makeFolder(artifacts);
  const env = homeEnvironment(harness.lane, home);
  const secrets = await knownSecrets({ base, passed: passEnv }, env);
  const placed = hooks.map((owned) => ({ ...owned, pluginData: dataFolder(harness, owned, env) }));
  const folders = [...new Set(placed.map(({ pluginData }) => pluginData))];
  for (const folder of [home, ...folders]) await makeFolder(folder);
  const sandbox = await harness.sandboxes.open({
    ...{ cwd: projectDir, home, folders },
    readable: [...new Set(hooks.map(({ plugin }) => plugin.path))],
  });
  const answers = Promise.all(
    placed.map(({ plugin, hook, pluginData }) =>
      runHook(
        hook,
        { hook_event_name: hook.event, cwd: projectDir, ...payload },
        { pluginRoot: plugin.path, pluginData, projectDir, env, artifacts, secrets, signal, sandbox },
      ),
    ),
  );
  return answers.finally(() => sandbox?.close());
}

/** Where a plugin keeps its data: in the configuration that it is installed in. */
function dataFolder(
  { plugins }: Harness,
  { plugin }: OwnedHook,
  env: Readonly<Record<string, string>>,
): string {
  const own = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '', '.claude');
  const config = plugin.mode === 'marketplace' ? plugins.configFolder : own;
  return pluginDataFolder(config, plugin.id);
}

/** Combines the answers of all handlers of an event. Claude Code runs them all, and one that blocks is enough. */
function judgeAnswers(answers: readonly HookAnswer[]) {
  const blocking = answers.find(({ exitCode, stdout }) => exitCode === 2 || readDecision(stdout).blocks);
  const failing = answers.find(({ exitCode, error }) => error !== null || (exitCode !== 0 && exitCode !== 2));
  const status = blocking !== undefined ? 'blocked' : failing !== undefined ? 'failed' : 'success';
  const why = blocking ?? failing;
  return {
    status,
    output: answers.map(({ stdout }) => stdout).join('\n'),
    error: why === undefined ? null : explainAnswer(why),
    duration_ms: Math.max(...answers.map(({ durationMs }) => durationMs)),
    action_blocked: blocking !== undefined,
  } as const;
}

function explainAnswer({ error, stdout, stderr, timedOut, ended, exitCode }: HookAnswer): string {
  if (error !== null) return error;
  if (ended) return 'ended before it was done: the call was cancelled, or the environment was reset';
  if (timedOut) return 'timed out';
  return readDecision(stdout).reason ?? (stderr.trim() || `exit code ${exitCode}`);
}
