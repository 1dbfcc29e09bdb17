import type { ShelvedPlugin } from './plugins/shelf.js';

/** Facts about a session that are not part of its conversation. */
export interface SessionFacts {
  readonly agentMode: string | null;
  /** Its home in the offline lanes. */
  readonly home: string;
  readonly plugins: readonly ShelvedPlugin[];
}
