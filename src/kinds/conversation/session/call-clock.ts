import { readBlocks, readToolResults, type StreamEvent } from '../../../backends/claude/stream.js';

/** When a tool call was reported, and how long its result took; null while there is none. */
export interface CallTime {
  readonly startedAt: string;
  readonly durationMs: number | null;
}

/** Notes when calls and their results arrive. The stream itself has no times. */
export class CallClock {
  readonly #times = new Map<string, CallTime>();

  take(event: StreamEvent): void {
    const now = new Date();
    if (event.type === 'assistant') {
      for (const block of readBlocks(event.message.content)) {
        if (block.type !== 'text')
          this.#times.set(block.id, { startedAt: now.toISOString(), durationMs: null });
      }
    }
    if (event.type !== 'user') return;
    for (const { id } of readToolResults(event.message.content)) {
      const call = this.#times.get(id);
      if (call === undefined || call.durationMs !== null) continue;
      this.#times.set(id, { ...call, durationMs: now.getTime() - Date.parse(call.startedAt) });
    }
  }

  get(id: string): CallTime | null {
    return this.#times.get(id) ?? null;
  }
}
