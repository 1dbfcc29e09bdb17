import { makeFolder } from '../../exec/files/make-folder.js';
import { readDecision } from '../../kinds/conversation/claude/turn.js';
import { type HookAnswer, runHook } from '../../kinds/conversation/plugins/run-hook.js';
import { laneEnvironment } from '../../lane/environment.js';
import { knownSecrets } from '../../lane/secrets.js';
import type { Laboratory } from '../laboratory.js';
import { type OwnedHook, withoutTwinHooks } from './hook-runs.js';

/** Runs the handlers of hooks as Claude Code would, but without a conversation. */
export async function triggerHooks(
  laboratory: Laboratory,
  hooks: readonly OwnedHook[],
  payload: Readonly<Record<string, unknown>>,
  projectDir: string,
  signal: AbortSignal,
): Promise<readonly HookAnswer[]> {
  const { lane, env, passEnv } = laboratory.lane;
  const artifacts = laboratory.scratch('hooks');
  await makeFolder(artifacts);
  const own = laneEnvironment({ lane, base: env, pass: passEnv });
  const secrets = await knownSecrets({ base: env, passed: passEnv }, own);
  const cell = await laboratory.sandbox.open({
    cwd: projectDir,
    readable: [...new Set(hooks.map(({ plugin }) => plugin.path))],
  });
  const answers = Promise.all(
    withoutTwinHooks(hooks).map(({ plugin, hook }) =>
      runHook(
        hook,
        { hook_event_name: hook.event, cwd: projectDir, ...payload },
        {
          pluginRoot: plugin.path,
          projectDir,
          env: own,
          artifacts,
          secrets,
          signal,
          cell,
        },
      ),
    ),
  );
  return answers.finally(() => cell?.close());
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
