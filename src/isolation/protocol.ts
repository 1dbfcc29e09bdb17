import * as z from 'zod';

/** What the warden gets on its command line. */
export interface WardenOrders {
  /** The unix socket for its reports. */
  readonly control: string;
  /** Distinguishes this launch from others on the same socket. */
  readonly token: string;
  /** For each port on the inner loopback, the unix socket that leads to the outer one. */
  readonly bridges: Readonly<Record<string, string>>;
  /** Whether to pass signals on, because they reach only the warden (in a container). */
  readonly passSignals: boolean;
  /** A server to start first. The program starts as soon as it answers. */
  readonly companion: Companion | null;
}

/** A server that runs beside a program, in the same sandbox and for as long as the program. */
export interface Companion {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables in addition to those of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** The address that must answer. */
  readonly url: string;
  readonly limitMs: number;
}

/** What the warden reports, one JSON object per line. */
export const wardenNewsSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), token: z.string() }),
  z.object({ type: z.literal('lookup'), name: z.string() }),
  /** The total so far. */
  z.object({ type: z.literal('unreachable'), total: z.number() }),
  z.object({ type: z.literal('not-started'), message: z.string() }),
  /** The companion did not answer, so that the program was not started. */
  z.object({ type: z.literal('companion-failed'), message: z.string() }),
  /** The companion ended before the program did. */
  z.object({ type: z.literal('companion-ended'), how: z.string() }),
  z.object({
    type: z.literal('ended'),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
    leftBehind: z.array(z.object({ pid: z.number(), command: z.string() })),
  }),
]);
export type WardenNews = z.infer<typeof wardenNewsSchema>;
