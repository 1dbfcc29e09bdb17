import type { Refusal } from './wire-api.js';

/** Renders an error the way Google's API does. */
export function renderGeminiError({ status, message }: Refusal): object {
  return { error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } };
}

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  529: 'UNAVAILABLE',
};
