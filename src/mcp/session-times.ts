import { readBlocks, readToolResults, type StreamEvent } from '../backends/claude/stream.js';
import type { HookRun, Turn } from '../domain/evidence/conversation.js';

/** One run of a hook in a conversation, with its time and the call that it ran for. */
interface TimedHook {
  readonly id: string;
  /** Claude Code's name for it: `PreToolUse:Bash`. */
  readonly name: string;
  readonly event: string;
  readonly at: string;
  /** Null while it runs. */
  readonly durationMs: number | null;
  /** Null until its turn is over. Only the whole turn shows which call it ran for and whether it blocked. */
  readonly run: HookRun | null;
  /** The tool call that it ran for. */
  readonly call: Turn['calls'][number] | null;
  /** The prompt of its turn. */
  readonly prompt: string | null;
}

/** When a tool call was reported, and how long its result took; null while there is none. */
interface CallTime {
  readonly startedAt: string;
  readonly durationMs: number | null;
}

/** Notes when the hooks, calls and results of a session arrive. The stream itself has no times. */
export class SessionTimes {
  readonly #hooks = new Map<string, TimedHook>();
  readonly #calls = new Map<string, CallTime>();

  /** The hooks that ran, in order. */
  get hooks(): readonly TimedHook[] {
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
    const known = this.#hooks.get(event.hook_id);
    const at = known?.at ?? now.toISOString();
    this.#hooks.set(event.hook_id, {
      ...{ run: null, call: null, prompt: null, ...known },
      id: event.hook_id,
      name: event.hook_name,
      event: event.hook_event,
      at,
      durationMs: event.subtype === 'hook_response' ? now.getTime() - Date.parse(at) : null,
    });
  }

  /** Adds what the finished turn knows about its hooks. */
  attach(turn: Turn): void {
    for (const run of turn.hooks) {
      const hook = this.#hooks.get(run.id);
      if (hook === undefined) continue;
      const call = turn.calls.find(({ id }) => id === run.callId) ?? null;
      this.#hooks.set(run.id, { ...hook, run, call, prompt: turn.sent });
    }
  }
}
