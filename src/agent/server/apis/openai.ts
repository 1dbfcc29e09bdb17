import * as z from 'zod';
import type { Refusal } from './wire-api.js';

const TYPES: Readonly<Record<number, { type: string; code: string | null }>> = {
  400: { type: 'invalid_request_error', code: null },
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  403: { type: 'invalid_request_error', code: 'unsupported_country_region_territory' },
  404: { type: 'invalid_request_error', code: 'model_not_found' },
  413: { type: 'invalid_request_error', code: 'request_too_large' },
  429: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
};

/** Renders an error the way both of OpenAI's APIs do. */
export function renderOpenAiError({ status, message, reason }: Refusal): object {
  if (reason === 'out-of-credits') {
    return { error: { message, type: 'insufficient_quota', param: null, code: 'insufficient_quota' } };
  }
  if (reason === 'unknown-previous') {
    const code = 'previous_response_not_found';
    return { error: { message, type: 'invalid_request_error', param: 'previous_response_id', code } };
  }
  const { type, code } = TYPES[status] ?? { type: 'server_error', code: null };
  return { error: { message, type, param: null, code } };
}

/** The content of a message in both of OpenAI's APIs: a text, or a list of parts, of which only texts count. */
export const openAiContentSchema = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .nullish()
  .transform((content) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n'),
  );
