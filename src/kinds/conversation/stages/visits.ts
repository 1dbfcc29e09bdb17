import type { StageChange } from '../../../domain/evidence/conversation.js';

/** One stay in a stage of a workflow. */
export interface StageVisit {
  readonly stage: string;
  /** Null if the evidence has no times. */
  readonly enteredAt: string | null;
  /** Null while the workflow is in the stage. */
  readonly leftAt: string | null;
  /** What led to it; null for the stage that the conversation starts in. */
  readonly trigger: string | null;
}

/** Lists the stays in stages, in order: each begins with the step that led to it and ends with the next one. */
export function listVisits(
  initial: { readonly stage: string; readonly at: string },
  changes: readonly StageChange[],
): StageVisit[] {
  const starts = [
    { stage: initial.stage, enteredAt: initial.at, trigger: null },
    ...changes.map(({ to, at = null, trigger }) => ({ stage: to, enteredAt: at, trigger })),
  ];
  return starts.map((start, index) => ({ ...start, leftAt: changes[index]?.at ?? null }));
}
