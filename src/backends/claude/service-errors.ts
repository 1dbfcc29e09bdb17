import * as z from 'zod';
import { parseJson } from '../../domain/common/json-lines.js';
import type { PlacelessError } from '../../domain/evidence/service-error.js';

/** Claude Code's own messages have this model (seen in 2.1.197 and 2.1.325). */
const SYNTHETIC = '<synthetic>';

const eventSchema = z.union([
  z.object({
    type: z.literal('system'),
    subtype: z.literal('api_retry'),
    retry_delay_ms: z.number().default(0),
    error_status: z.number().nullish(),
    error: z.string().nullish(),
  }),
  z.object({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z.object({ status: z.string(), resetsAt: z.number().nullish() }),
  }),
  z.object({
    type: z.literal('assistant'),
    message: z.object({ model: z.string().optional() }),
    error: z.string().nullish(),
    api_error_status: z.number().nullish(),
  }),
  z.object({
    type: z.literal('result'),
    is_error: z.boolean().default(false),
    api_error_status: z.number().nullish(),
    result: z.string().default(''),
  }),
]);

/** A quick look: most streams have none of these. */
const SIGN = /"api_retry"|"rate_limit_event"|"model":"<synthetic>"|"api_error_status":\d/;

/** Finds the errors of the service in Claude Code's stream. */
export function readServiceErrors(lines: readonly string[]): PlacelessError[] {
  if (!lines.some((line) => SIGN.test(line))) return [];
  const watch = watchService();
  for (const line of lines) if (line.startsWith('{')) watch.take(parseJson(line));
  return watch.end();
}

/**
 * Follows a stream, event by event. An error is overcome if a message of the model comes after it. If the result comes
 * first, or the stream breaks off, it is not.
 */
export function watchService() {
  const found: PlacelessError[] = [];
  let open: PlacelessError | null = null;
  let resetsAt: string | undefined;
  const close = (overcome: boolean): void => {
    if (open !== null) found.push({ ...open, overcome });
    open = null;
  };
  const note = (news: Pick<PlacelessError, 'status' | 'kind'> & { delay?: number; message?: string }) => {
    const { status, kind, delay = 0, message } = news;
    const before: PlacelessError | null = open;
    const pause = delay > 0 ? delay / 1000 : before?.retryAfterSeconds;
    open = {
      status: status ?? before?.status ?? null,
      kind: kind ?? before?.kind ?? null,
      message: message ?? before?.message ?? '',
      overcome: false,
      waitedSeconds: (before?.waitedSeconds ?? 0) + delay / 1000,
      ...(pause === undefined ? {} : { retryAfterSeconds: pause }),
      ...(resetsAt === undefined ? {} : { resetsAt }),
    };
  };
  return {
    take(json: unknown): void {
      const parsed = eventSchema.safeParse(json);
      if (!parsed.success) return;
      const event = parsed.data;
      switch (event.type) {
        case 'system':
          note({
            status: event.error_status ?? null,
            kind: event.error ?? null,
            delay: event.retry_delay_ms,
          });
          break;
        case 'rate_limit_event': {
          const { status, resetsAt: at } = event.rate_limit_info;
          resetsAt =
            status === 'rejected' && at != null && at > 0 && at < MAX_EPOCH_SECONDS
              ? new Date(at * 1000).toISOString()
              : undefined;
          break;
        }
        case 'assistant':
          if (event.message.model !== SYNTHETIC) close(true);
          else if (event.error != null) note({ status: event.api_error_status ?? null, kind: event.error });
          break;
        case 'result':
          if (!event.is_error) close(true);
          // Other errors, such as too many turns, are not the service's: they have no status, and nothing came before them.
          else if (open !== null || event.api_error_status != null)
            note({ status: event.api_error_status ?? null, kind: null, message: event.result });
          close(false);
          break;
        default:
          event satisfies never;
      }
    },
    /** Returns the errors so far. Call it at the end of the stream or of a turn. */
    end(): PlacelessError[] {
      close(false);
      return found.splice(0);
    },
  };
}

/** The last second that a Date can hold. */
const MAX_EPOCH_SECONDS = 8_640_000_000_000;
