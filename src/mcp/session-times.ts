import * as z from 'zod';
import { readBlocks, readToolResults, type StreamEvent } from '../backends/claude/stream.js';
import type { Turn } from '../domain/evidence/conversation.js';

/** One run of a hook, in a conversation or by trigger_hook, as callers see it. */
export const hookExecutionSchema = z.object({
  execution_id: z.string(),
  hook_name: z.string(),
  timestamp: z.string(),
  event_payload: z.record(z.string(), z.unknown()).nullable(),
  status: z.enum(['running', 'success', 'failed', 'blocked']),
  output: z.string(),
  error: z.string().nullable(),
  duration_ms: z.number().nullable(),
  action_blocked: z.boolean(),
  session_id: z.string().nullable(),
  /** The id of the tool call that it ran for. */
  action_id: z.string().nullable(),
});

export interface HookExecution extends Readonly<z.infer<typeof hookExecutionSchema>> {
  /** The hooks that trigger_hook ran together; null in a conversation, where Claude Code does not say it. */
  readonly triggered: readonly string[] | null;
}

/** When a tool call was reported, and how long its result took; null while there is none. */
interface CallTime {
  readonly startedAt: string;
  readonly durationMs: number | null;
}

/** Notes when the hooks, calls and results of a session arrive. The stream itself has no times. */
export class SessionTimes {
  readonly #hooks = new Map<string, HookExecution>();
  readonly #calls = new Map<string, CallTime>();

  /** The runs of hooks, in order. */
  get hooks(): readonly HookExecution[] {
    return [...this.#hooks.values()];
  }

  ofCall(id: string): CallTime | null {
    return this.#calls.get(id) ?? null;
  }

  take(event: StreamEvent): void {
    const now = new Date();
    if (event.type === 'assistant') {
      for (const block of readBlocks(event.message.content)) {
        if (block.type !== 'text')
          this.#calls.set(block.id, { startedAt: now.toISOString(), durationMs: null });
      }
    }
    if (event.type === 'user') {
      for (const { id } of readToolResults(event.message.content)) {
        const call = this.#calls.get(id);
        if (call === undefined || call.durationMs !== null) continue;
        this.#calls.set(id, { ...call, durationMs: now.getTime() - Date.parse(call.startedAt) });
      }
    }
    if (event.type !== 'system') return;
    if (event.subtype !== 'hook_started' && event.subtype !== 'hook_response') return;
    const timestamp = this.#hooks.get(event.hook_id)?.timestamp ?? now.toISOString();
    this.#hooks.set(event.hook_id, {
      execution_id: event.hook_id,
      hook_name: event.hook_name,
      timestamp,
      // Rebuilt from the conversation: the stream does not contain the payload that Claude Code passes to the hook.
      event_payload: { hook_event_name: event.hook_event },
      // Only the whole turn shows which call it ran for and whether it blocked.
      status: 'running',
      output: '',
      error: null,
      duration_ms: event.subtype === 'hook_response' ? now.getTime() - Date.parse(timestamp) : null,
      action_blocked: false,
      session_id: null,
      action_id: null,
      triggered: null,
    });
  }

  /** Adds what the finished turn knows about its hooks. */
  attach({ hooks, calls, sent }: Turn): void {
    for (const { id, event, exitCode, blocked, reason, stdout, stderr, callId } of hooks) {
      const run = this.#hooks.get(id);
      if (run === undefined) continue;
      const call = calls.find((made) => made.id === callId);
      const failed = exitCode !== 0 && !blocked;
      this.#hooks.set(id, {
        ...run,
        event_payload: {
          ...run.event_payload,
          ...(call === undefined
            ? {}
            : { tool_name: call.name, tool_input: call.input, tool_use_id: call.id }),
          ...(event === 'UserPromptSubmit' ? { prompt: sent } : {}),
        },
        status: blocked ? 'blocked' : failed ? 'failed' : 'success',
        output: stdout,
        error: reason ?? (failed ? stderr.trim() || `exit code ${exitCode}` : null),
        action_blocked: blocked,
        action_id: callId,
      });
    }
  }
}
