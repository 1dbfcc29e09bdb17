/** Seconds that a program gets to start, on an idle machine and on busy ones. */
const LIMITS = [2, 8, 32] as const;

/**
 * Tests what happens at a time limit, if something must have happened before it. How soon that happens depends on the
 * machine, so a body that fails gets more time. If it is wrong, it fails with every limit.
 */
export async function withGrowingLimit(body: (seconds: number) => Promise<void>): Promise<void> {
  for (const seconds of LIMITS.slice(0, -1)) {
    try {
      return await body(seconds);
    } catch {
      // Perhaps too short.
    }
  }
  await body(LIMITS[LIMITS.length - 1] ?? 0);
}
