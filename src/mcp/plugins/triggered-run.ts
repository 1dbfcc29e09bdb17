import { randomUUID } from 'node:crypto';
import { messageOf } from '../../domain/common/message-of.js';
import type { Laboratory } from '../laboratory.js';
import type { HookExecution } from './hook-execution.js';
import { nameHandler } from './hook-runs.js';
import type { HookSelection } from './select-hooks.js';
import { judgeAnswers, type TriggerPlace, triggerHooks } from './trigger-hooks.js';

/** Handlers that trigger_hook started. */
interface TriggeredRun {
  readonly started: HookExecution;
  /** Resolves when all handlers are done. Rejects if they could not be run. */
  readonly finished: Promise<HookExecution>;
}

/** Starts the selected handlers, and keeps the log of hooks true until they are done, whoever waits for them. */
export function startTriggeredRun(
  laboratory: Laboratory,
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
  laboratory.hookRuns.push(started);
  const record = (change: Partial<HookExecution>): HookExecution => {
    const now = { ...started, ...change };
    const at = laboratory.hookRuns.indexOf(started);
    // A reset of the test environment forgets the runs that it ends.
    if (at >= 0) laboratory.hookRuns[at] = now;
    return now;
  };
  const finished = laboratory
    .runEndable(caller, (signal) => triggerHooks(laboratory, hooks, payload, place, signal))
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
