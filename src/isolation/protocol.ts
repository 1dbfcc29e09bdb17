import * as z from 'zod';

/** What the warden inside is told on its command line. */
export interface WardenOrders {
  /** The unix socket on which it tells what happens. */
  readonly control: string;
  /** Tells this start from others on the same socket. */
  readonly token: string;
  /** For each port on the inner loopback, the unix socket that leads to the outer one. */
  readonly bridges: Readonly<Record<string, string>>;
  /** Where signals reach the warden alone (a container), it passes them on. */
  readonly passSignals: boolean;
}

/** What the warden tells, one JSON object a line. */
export const wardenNewsSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), token: z.string() }),
  z.object({ type: z.literal('lookup'), name: z.string() }),
  /** The number so far. */
  z.object({ type: z.literal('unreachable'), total: z.number() }),
  z.object({ type: z.literal('not-started'), message: z.string() }),
  z.object({
    type: z.literal('ended'),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
    leftBehind: z.array(z.object({ pid: z.number(), command: z.string() })),
  }),
]);
export type WardenNews = z.infer<typeof wardenNewsSchema>;
