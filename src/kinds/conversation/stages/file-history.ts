import type { FileSnapshot, TurnSnapshot } from '../../../domain/evidence/conversation.js';

/** A file after a turn: its content, that it was not there, or why that is not known. */
export type FileAfterTurn =
  | { readonly kind: 'whole'; readonly text: string; readonly scrubbed: boolean }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string };

/** Finds a file as it was after a turn: the latest snapshot of it until then. Only of those that `asks` names is it known that they are not there. */
export function findFileAfter(
  snapshots: readonly TurnSnapshot[] | undefined,
  turn: number,
  path: string,
  asks: readonly string[] = [path],
): FileAfterTurn {
  if (snapshots === undefined) return { kind: 'unknown', why: 'the evidence has no snapshots' };
  if (!snapshots.some((snapshot) => snapshot.turn === turn))
    return { kind: 'unknown', why: `there is no snapshot of turn ${turn}` };
  const until = snapshots.filter((snapshot) => snapshot.turn <= turn);
  const found = until.flatMap(({ files }) => files.filter((file) => file.path === path)).at(-1);
  if (found === undefined && !asks.includes(path))
    return { kind: 'unknown', why: 'no turn changed it, and `reads` does not name it' };
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
