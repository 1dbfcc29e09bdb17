import * as z from 'zod';

/** What keeps the processes of an attempt together, from the strongest to the weakest. */
export const CONTAINMENTS = ['pid-namespace', 'subreaper', 'tracking'] as const;
export const containmentSchema = z.enum(CONTAINMENTS);
export type ContainmentKind = z.infer<typeof containmentSchema>;

/** Says what a means of containment guarantees, and what not. */
export function describeContainment(kind: ContainmentKind): string {
  switch (kind) {
    case 'pid-namespace':
      return 'every process of an attempt is in its own PID namespace, is seen, and ends with it';
    case 'subreaper':
      return 'every process of an attempt stays below a subreaper, is seen, and ends with it; not guaranteed if an agent kills the subreaper';
    case 'tracking':
      return 'processes are found by parent, session, environment and pipes; not guaranteed for one that leaves its session, clears its environment, closes its pipes and loses its parent within 250 ms';
    default:
      return kind satisfies never;
  }
}
