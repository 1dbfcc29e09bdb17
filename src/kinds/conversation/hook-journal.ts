import type { StreamEvent } from '../../backends/claude/stream.js';
import type { HookRun, Turn } from '../../domain/evidence/conversation.js';

/** One run of a hook in a conversation, with its time and the call that it ran for. */
export interface HookJournalEntry {
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

/** The hooks that ran in one conversation, in order. */
export class HookJournal {
  readonly #entries = new Map<string, HookJournalEntry>();

  get entries(): readonly HookJournalEntry[] {
    return [...this.#entries.values()];
  }

  take(event: StreamEvent): void {
    if (event.type !== 'system') return;
    if (event.subtype !== 'hook_started' && event.subtype !== 'hook_response') return;
    const known = this.#entries.get(event.hook_id);
    const at = known?.at ?? new Date().toISOString();
    this.#entries.set(event.hook_id, {
      id: event.hook_id,
      name: event.hook_name,
      event: event.hook_event,
      at,
      durationMs: event.subtype === 'hook_response' ? Date.now() - Date.parse(at) : null,
      run: known?.run ?? null,
      call: known?.call ?? null,
      prompt: known?.prompt ?? null,
    });
  }

  /** Adds what the finished turn knows about its hooks. */
  attach(turn: Turn): void {
    for (const run of turn.hooks) {
      const entry = this.#entries.get(run.id);
      if (entry === undefined) continue;
      const call = turn.calls.find(({ id }) => id === run.callId) ?? null;
      this.#entries.set(run.id, { ...entry, run, call, prompt: turn.sent });
    }
  }
}
