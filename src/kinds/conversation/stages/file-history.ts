import type { FileSnapshot, TurnSnapshot } from '../../../domain/evidence/conversation.js';

/** A file after a turn: its content, that it was not there, or why that is not known. */
export type FileAfterTurn =
  | { readonly kind: 'whole'; readonly text: string; readonly scrubbed: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string };

/** Finds a file that was asked for as it was after a turn: the latest snapshot of it until then. */
export function findFileAfter(
  snapshots: readonly TurnSnapshot[] | undefined,
  turn: number,
  path: string,
): FileAfterTurn {
  if (snapshots === undefined) return { kind: 'unknown', why: 'the evidence has no snapshots' };
  const until = snapshots.filter((snapshot) => snapshot.turn <= turn);
  const found = until.flatMap(({ files }) => files.filter((file) => file.path === path)).at(-1);
  if (found === undefined || found.change === 'deleted') return { kind: 'absent' };
  return found.content ?? { kind: 'unknown', why: 'its content was not kept' };
}

/** Lists what a turn changed; null if there is no snapshot of it. */
export function findChanges(
  snapshots: readonly TurnSnapshot[] | undefined,
  turn: number,
): { readonly files: readonly FileSnapshot[]; readonly truncated: boolean } | null {
  return snapshots?.find((snapshot) => snapshot.turn === turn) ?? null;
}
