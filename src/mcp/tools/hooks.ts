import * as z from 'zod';
import { ToolError } from '../errors.js';
import type { Harness } from '../harness.js';
import {
  hooksOf,
  isRunOf,
  listHookRuns,
  listHooks,
  type OwnedHook,
  runsOfHook,
} from '../plugins/hook-runs.js';
import { hookNotFound, selectHooks, startTriggeredRun } from '../plugins/trigger-hooks.js';
import { type HookExecution, hookExecutionSchema } from '../session-times.js';
import { defineTool, pageShape, type Tool, takePage } from '../tool.js';

export const hookTools: readonly Tool[] = [
  defineTool({
    name: 'list_active_hooks',
    description: 'Lists the hooks of the installed plugins, and how often each ran.',
    input: z.object({ session_id: z.string().optional(), ...pageShape }),
    output: z.object({
      hooks: z.array(
        z.object({
          hook_name: z.string(),
          event: z.string(),
          plugin: z.string(),
          handler: z.string(),
          enabled: z.boolean(),
          execution_count: z.number(),
          last_execution: z.string().nullable(),
          shared_by: z
            .array(z.string())
            .describe('Other hooks that match the same runs. Then execution_count is that of the group'),
        }),
      ),
      total: z.number(),
    }),
    run: ({ session_id, ...page }, harness) => {
      const session = session_id === undefined ? null : harness.sessions.get(session_id);
      const runs = listHookRuns(harness).filter((run) => session === null || run.session_id === session.id);
      const owned = listHooksIn(harness, session_id);
      const hooks = owned.map(({ plugin, hook }) => {
        const { runs: own, sharedBy } = runsOfHook({ plugin, hook }, harness.sessions, runs);
        return {
          hook_name: hook.name,
          event: hook.event,
          plugin: plugin.name,
          handler: hook.handler,
          enabled: plugin.status.isActive,
          execution_count: own.length,
          last_execution: own.at(-1)?.timestamp ?? null,
          shared_by: sharedBy.map(
            (other) => `${other.plugin.name}: ${other.hook.name}: ${other.hook.handler}`,
          ),
        };
      });
      return { hooks: takePage(hooks, page), total: hooks.length };
    },
  }),

  defineTool({
    name: 'trigger_hook',
    description:
      'Runs all handlers that Claude Code would run for an event, with your payload on stdin, but without a conversation or a model.',
    input: z.object({
      hook_name: z
        .string()
        .min(1)
        .describe(
          'The event with what it is about, such as PreToolUse:Bash: every hook runs whose matcher fits. Or the name from list_active_hooks',
        ),
      payload: z.record(z.string(), z.unknown()).default({}),
      wait_for_completion: z.boolean().default(true),
      session_id: z.string().optional().describe('Run the hooks of this conversation, in its folder'),
    }),
    output: hookExecutionSchema.omit({
      timestamp: true,
      event_payload: true,
      session_id: true,
      action_id: true,
    }),
    run: async ({ hook_name, payload, wait_for_completion, session_id }, harness, context) => {
      const hooks = listHooksIn(harness, session_id);
      const session = session_id === undefined ? null : harness.sessions.get(session_id).options;
      const place = {
        projectDir: session?.cwd ?? harness.paths.root,
        home: session?.home ?? harness.scratch('homes'),
      };
      const chosen = selectHooks(hooks, hook_name, payload);
      // A caller that does not wait cannot cancel either.
      const caller = wait_for_completion ? context.signal : new AbortController().signal;
      const { started, finished } = startTriggeredRun(harness, chosen, place, caller);
      return { ...(wait_for_completion ? await finished : started), hook_name };
    },
  }),

  defineTool({
    name: 'get_hook_execution_log',
    description:
      'Lists the runs of a hook in all conversations and by trigger_hook, or in one conversation, the newest last.',
    input: z.object({
      hook_name: z.string().min(1),
      session_id: z.string().optional(),
      limit: pageShape.limit.default(50).describe('How many of the newest to return'),
      offset: pageShape.offset.describe('How many of the newest to leave out'),
    }),
    output: z.object({
      executions: z.array(hookExecutionSchema),
      total: z.number(),
    }),
    run: ({ hook_name, session_id, ...page }, harness) => {
      const session = session_id === undefined ? null : harness.sessions.get(session_id).id;
      const runs = listHookRuns(harness)
        .filter((run) => isRunOf(run, hook_name))
        .filter((run) => session === null || run.session_id === session);
      if (runs.length === 0) requireHook(harness, hook_name);
      return { executions: takePage(runs.toReversed(), page).toReversed(), total: runs.length };
    },
  }),

  defineTool({
    name: 'verify_hook_blocked_action',
    description:
      'Checks that a hook prevented an action. action_id is the id of a tool call, or of a prompt or command that was blocked.',
    input: z.object({ action_id: z.string().min(1), hook_name: z.string().optional() }),
    output: z.object({
      blocked: z.boolean(),
      hook_name: z.string().nullable(),
      action_id: z.string(),
      block_reason: z.string().nullable(),
      block_time: z.string().nullable(),
      details: z.string(),
    }),
    run: ({ action_id, hook_name }, harness) => {
      if (hook_name !== undefined) requireHook(harness, hook_name);
      const { denied, runs } = findAction(harness, action_id);
      const blocking = runs.find(
        (run) => run.action_blocked && (hook_name === undefined || isRunOf(run, hook_name)),
      );
      return {
        // Both must be true: a hook decided to block it, and it did not happen.
        blocked: denied && blocking !== undefined,
        hook_name: blocking?.hook_name ?? hook_name ?? null,
        action_id,
        block_reason: blocking?.error ?? null,
        block_time: blocking?.timestamp ?? null,
        details:
          blocking === undefined
            ? 'no hook blocked it'
            : denied
              ? 'a hook blocked it, and it did not happen'
              : 'a hook blocked it, but it happened anyway',
      };
    },
  }),
];

/** Lists the hooks of a conversation, or without one those of all installed plugins. */
function listHooksIn(harness: Harness, sessionId: string | undefined): readonly OwnedHook[] {
  if (sessionId === undefined) return listHooks(harness);
  return harness.sessions.get(sessionId).options.plugins.flatMap(hooksOf);
}

function requireHook(harness: Harness, name: string): void {
  const known = listHooks(harness).some(
    ({ hook }) => isRunOf({ hook_name: hook.name }, name) || isRunOf({ hook_name: name }, hook.name),
  );
  if (!known && !listHookRuns(harness).some((run) => isRunOf(run, name)))
    throw hookNotFound(listHooks(harness), name);
}

/** Finds an action (a tool call, or a prompt or command), whether it was denied, and the hooks that ran for it. */
function findAction(harness: Harness, id: string): { denied: boolean; runs: readonly HookExecution[] } {
  const all = listHookRuns(harness);
  for (const session of harness.sessions.all) {
    const turn = session.turns.find(({ calls }) => calls.some((call) => call.id === id));
    const call = turn?.calls.find((made) => made.id === id);
    if (turn !== undefined && call !== undefined) {
      return {
        denied: turn.denied.includes(id) && call.isError,
        runs: all.filter((run) => run.action_id === id),
      };
    }
    const blocked = session.find(id)?.turn;
    if (blocked !== undefined && blocked !== null) {
      const ids = new Set(blocked.hooks.map((run) => run.id));
      return {
        denied: blocked.outcome.kind === 'blocked',
        runs: all.filter((run) => ids.has(run.execution_id)),
      };
    }
  }
  throw new ToolError(
    'ActionNotFoundError',
    `Expected the id of an action, found ${JSON.stringify(id.slice(0, 100))}, which is in no conversation.`,
    'Use the id of a tool call (from tool_calls), or of a prompt or command (response_id, execution_id).',
  );
}
