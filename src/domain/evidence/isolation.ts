import * as z from 'zod';

/** How a run is isolated: only by process tree and private home on the host, by bubblewrap, or by a container. */
export const ISOLATIONS = ['host', 'bwrap', 'docker'] as const;
export const isolationSchema = z.enum(ISOLATIONS);
export type Isolation = z.infer<typeof isolationSchema>;

/** Whether each attempt has its own container, or all share one. */
export const CONTAINER_SCOPES = ['per-test', 'per-suite'] as const;
export type ContainerScope = (typeof CONTAINER_SCOPES)[number];

/** An attempt to reach outside that the sandbox stopped. */
const stoppedSchema = z.discriminatedUnion('kind', [
  /** A program looked up a host name. The sandbox knows none. */
  z.object({ kind: z.literal('lookup'), name: z.string(), times: z.number() }),
  /** A program sent something to an address without a route. The kernel counts these but keeps no address. */
  z.object({ kind: z.literal('connection'), times: z.number() }),
  /** A read-only file system refused a write. The message is the program's own. */
  z.object({ kind: z.literal('write'), message: z.string(), from: z.string() }),
]);
export type Stopped = z.infer<typeof stoppedSchema>;

/** How an attempt was isolated, and what it tried to reach outside. */
export const isolationRecordSchema = z.object({
  kind: isolationSchema.exclude(['host']),
  stopped: z.array(stoppedSchema),
});
export type IsolationRecord = z.infer<typeof isolationRecordSchema>;

/** Describes what the sandbox stopped. */
export function describeStopped(stopped: Stopped): string {
  switch (stopped.kind) {
    case 'lookup':
      return `looked up ${stopped.name}${times(stopped.times)}`;
    case 'connection':
      return `sent something to an address outside${times(stopped.times)}`;
    case 'write':
      return `wrote outside the workspace: ${stopped.message} (${stopped.from})`;
    default:
      return stopped satisfies never;
  }
}

function times(count: number): string {
  return count === 1 ? '' : ` (${count} times)`;
}
