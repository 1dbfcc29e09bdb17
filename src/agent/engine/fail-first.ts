import type { Response } from '../../domain/agent-script.js';

/**
 * Picks what to play this time from a response with a temporary failure that has come `failures` times: only the
 * failure, as often as the script says, then the rest. The steps wait for the attempt that succeeds; otherwise they
 * would play twice.
 */
export function failFirst(
  response: Response,
  failures: number,
): { readonly response: Response; readonly passes: boolean } {
  const { failure, failTimes, ...healthy } = response;
  if (failure === undefined || failTimes === undefined) return { response, passes: false };
  if (failures >= failTimes) return { response: healthy, passes: false };
  return { response: { ...response, steps: [] }, passes: true };
}
