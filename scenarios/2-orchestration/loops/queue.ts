/** Writes a line of the merge queue. */
export const queueEntry = (minute: number, loop_id: string, event: Readonly<Record<string, unknown>>) =>
  `${JSON.stringify({ ts: `2026-01-31T00:0${minute}:00Z`, loop_id, event })}\n`;
/** Writes that a loop waits to be merged. */
export const queueWaiting = (minute: number, id: string) =>
  queueEntry(minute, id, { type: 'queued', prompt: `Work of ${id}` });
/** Writes that a process that is gone began to merge the loop. */
export const queueMerging = (minute: number, id: string) =>
  queueEntry(minute, id, { type: 'merging', pid: 4_194_304 });
