import { renderGeminiError } from '../../../agent/server/apis/gemini-error.js';
import { toFault } from '../../../agent/server/faults.js';
import type { Failure } from '../../../domain/agent-script.js';

/** Describes a failure in the words of Gemini CLI; for an error of its service, with the body of the response. */
export function describeGeminiFailure(failure: Failure): string {
  const fault = toFault(failure);
  switch (fault.kind) {
    case 'refuse':
      if (fault.status === 404) return `ModelNotFoundError: ${fault.message}`;
      if (fault.status === 429) return `RetryableQuotaError: ${fault.message}`;
      return `_ApiError: ${JSON.stringify(renderGeminiError(fault))}`;
    case 'cut':
      return 'TypeError: terminated';
    case 'garble':
      return "SyntaxError: Expected property name or '}' in JSON";
    case 'reset':
    case 'silence':
      return 'Error: exception TypeError: fetch failed sending request';
    default:
      return fault satisfies never;
  }
}
