import { join } from 'node:path';
import { pluginDataFolder } from '../../backends/claude/plugins/data-folder.js';
import { makeFolder } from '../../exec/files/make-folder.js';
import { readDecision } from '../../kinds/conversation/claude/turn.js';
import { type HookAnswer, runHook } from '../../kinds/conversation/plugins/run-hook.js';
import { knownSecrets } from '../../lane/secrets.js';
import { homeEnvironment } from '../bench.js';
import type { Laboratory } from '../laboratory.js';
import type { OwnedHook } from './hook-runs.js';

/** Where handlers run: in the folder and with the home of a conversation, or in the root with a new home. */
export interface TriggerPlace {
  readonly projectDir: string;
  readonly home: string;
}

/** Runs the handlers of hooks as Claude Code would, but without a conversation. */
export async function triggerHooks(
  laboratory: Laboratory,
  hooks: readonly OwnedHook[],
  payload: Readonly<Record<string, unknown>>,
  { projectDir, home }: TriggerPlace,
  signal: AbortSignal,
): Promise<readonly HookAnswer[]> {
  const { env: base, passEnv } = laboratory.lane;
  const artifacts = laboratory.scratch('hooks');
  await makeFolder(artifacts);
  const env = homeEnvironment(laboratory.lane, home);
  const secrets = await knownSecrets({ base, passed: passEnv }, env);
  const placed = hooks.map((owned) => ({ ...owned, pluginData: dataFolder(laboratory, owned, env) }));
  const folders = [...new Set(placed.map(({ pluginData }) => pluginData))];
  for (const folder of [home, ...folders]) await makeFolder(folder);
  const cell = await laboratory.sandbox.open({
    ...{ cwd: projectDir, home, folders },
    readable: [...new Set(hooks.map(({ plugin }) => plugin.path))],
  });
  const answers = Promise.all(
    placed.map(({ plugin, hook, pluginData }) =>
      runHook(
        hook,
        { hook_event_name: hook.event, cwd: projectDir, ...payload },
        { pluginRoot: plugin.path, pluginData, projectDir, env, artifacts, secrets, signal, cell },
      ),
    ),
  );
  return answers.finally(() => cell?.close());
}

/** Where a plugin keeps its data: in the configuration that it is installed in. */
function dataFolder(
  { plugins }: Laboratory,
  { plugin }: OwnedHook,
  env: Readonly<Record<string, string>>,
): string {
  const own = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '', '.claude');
  const config = plugin.mode === 'marketplace' ? plugins.configFolder : own;
  return pluginDataFolder(config, plugin.id);
}

/** Combines the answers of all handlers of an event. Claude Code runs them all, and one that blocks is enough. */
export function judgeAnswers(answers: readonly HookAnswer[]) {
  const blocking = answers.find(({ exitCode, stdout }) => exitCode === 2 || readDecision(stdout).blocks);
  const failing = answers.find(({ exitCode, error }) => error !== null || (exitCode !== 0 && exitCode !== 2));
  const status = blocking !== undefined ? 'blocked' : failing !== undefined ? 'failed' : 'success';
  const why = blocking ?? failing;
  return {
    status,
    output: answers.map(({ stdout }) => stdout).join('\n'),
    error: why === undefined ? null : explain(why),
    duration_ms: Math.max(...answers.map(({ durationMs }) => durationMs)),
    action_blocked: blocking !== undefined,
  } as const;
}

function explain({ error, stdout, stderr, timedOut, ended, exitCode }: HookAnswer): string {
  if (error !== null) return error;
  if (ended) return 'ended before it was done: the call was cancelled, or the environment was reset';
  if (timedOut) return 'timed out';
  return readDecision(stdout).reason ?? (stderr.trim() || `exit code ${exitCode}`);
}
