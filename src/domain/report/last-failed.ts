import * as z from 'zod';

/** What `--last-failed` selected, run by run, oldest first. */
export const lastFailedSchema = z.object({
  runs: z.array(
    z.object({
      runId: z.string(),
      failed: z.number(),
      inconclusive: z.number(),
      notRun: z.number(),
    }),
  ),
  /** Runs whose journals cannot be read, so their failures are unknown. */
  unreadable: z.array(z.string()),
});
export type LastFailed = z.infer<typeof lastFailedSchema>;
