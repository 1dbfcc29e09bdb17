import * as z from 'zod';

/** What keeps a run inside: the machine's own means (process tree, private home), bubblewrap, or a container. */
export const ISOLATIONS = ['host', 'bwrap', 'docker'] as const;
export const isolationSchema = z.enum(ISOLATIONS);
export type Isolation = z.infer<typeof isolationSchema>;

/** Whether attempts share a container or have one each. */
export const CONTAINER_SCOPES = ['per-test', 'per-suite'] as const;
export type ContainerScope = (typeof CONTAINER_SCOPES)[number];

/** Something that was tried inside and stopped at the border. */
const stoppedSchema = z.discriminatedUnion('kind', [
  /** The name of a host was asked for; there is nobody inside who knows any. */
  z.object({ kind: z.literal('lookup'), name: z.string(), times: z.number() }),
  /** Something was sent to an address that no route leads to. The kernel counts these and keeps no address. */
  z.object({ kind: z.literal('connection'), times: z.number() }),
  /** A write that a read-only file system refused, in the words of the program that tried. */
  z.object({ kind: z.literal('write'), message: z.string(), from: z.string() }),
]);
export type Stopped = z.infer<typeof stoppedSchema>;

/** How an attempt was isolated and what it tried to reach outside. */
export const isolationRecordSchema = z.object({
  kind: isolationSchema.exclude(['host']),
  stopped: z.array(stoppedSchema),
});
export type IsolationRecord = z.infer<typeof isolationRecordSchema>;

/** A stopped try as people read it. */
export function describeStopped(stopped: Stopped): string {
  switch (stopped.kind) {
    case 'lookup':
      return `asked for the address of ${stopped.name}${times(stopped.times)}`;
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
