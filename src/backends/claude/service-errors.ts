import type { PlacelessError } from '../../domain/evidence/service-error.js';
import type { StreamEvent } from './stream.js';

/** Claude Code's own messages have this model (seen in 2.1.197 and 2.1.325). */
const SYNTHETIC = '<synthetic>';

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
    take(event: StreamEvent): void {
      switch (event.type) {
        case 'system':
          if (event.subtype !== 'api_retry') break;
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
        case 'user':
        case 'control_response':
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
