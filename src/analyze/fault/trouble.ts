import type { ServiceError } from '../../domain/evidence/service-error.js';
import type { Trouble } from '../../domain/fault.js';

/** The words of Claude Code 2.1.325 for an error, where its status does not tell. */
const BY_KIND: Readonly<Record<string, Trouble>> = {
  rate_limit: 'rate-limit',
  billing_error: 'rate-limit',
  overloaded: 'overload',
  authentication_failed: 'login',
};

/** How CLIs name a connection that was refused, dropped or never made. */
const NO_CONNECTION =
  /ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR|fetch failed|socket|unable to connect|connection (?:refused|dropped|error|closed)|can't reach|timed? ?out/i;

/** Names the trouble behind an error of the service; null if the request itself was wrong, such as an unknown model. */
export function troubleOf({
  status,
  kind,
  message,
}: Pick<ServiceError, 'status' | 'kind' | 'message'>): Trouble | null {
  const known = BY_KIND[kind ?? ''];
  if (status !== null) return troubleOfStatus(status) ?? known ?? null;
  if (known !== undefined) return known;
  // While Claude Code tries again, it has no message yet: no status means that nothing answered.
  return message === '' || NO_CONNECTION.test(message) ? 'network' : null;
}

function troubleOfStatus(status: number): Trouble | null {
  if (status === 429 || status === 402) return 'rate-limit';
  if (status === 401 || status === 403) return 'login';
  if (status === 408) return 'network';
  return status >= 500 && status <= 599 ? 'overload' : null;
}
