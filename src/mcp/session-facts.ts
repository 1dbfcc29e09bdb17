import type { ShelvedPlugin } from './plugins/shelf.js';

/** What the server knows of a session besides its conversation. */
export interface SessionFacts {
  readonly agentMode: string | null;
  readonly plugins: readonly ShelvedPlugin[];
}
