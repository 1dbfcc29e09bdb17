import type { Step } from '../domain/agent-script.js';
import { isMapping, parseJson } from '../domain/common/json-lines.js';
import { mapTexts } from '../domain/common/map-texts.js';
import type { Deed } from '../domain/recording/recording.js';
import { quoteTemplate } from './engine/template.js';

/** One thing that a recorded model or agent did. Only models show their thoughts. */
export type RecordedPart =
  | Extract<Deed, { kind: 'said' }>
  | { readonly kind: 'thought'; readonly text: string }
  | Pick<Extract<Deed, { kind: 'used' }>, 'kind' | 'tool' | 'input'>;

/** Reads the input of a recorded tool call. What is not a JSON object counts as no input. */
export function readRecordedInput(json: string): Record<string, unknown> {
  const input = parseJson(json);
  return isMapping(input) ? input : {};
}

/** Writes one recorded part as the step that plays it again; `quote` escapes its texts, which are not templates. */
export function writeRecordedStep(part: RecordedPart, quote: (text: string) => string = quoteTemplate): Step {
  switch (part.kind) {
    case 'said':
      return { do: 'say', text: quote(part.text) };
    case 'thought':
      return { do: 'think', text: quote(part.text) };
    case 'used': {
      const input = Object.entries(part.input).map(([name, value]) => [name, mapTexts(value, quote)]);
      return { do: 'tool', name: part.tool, input: Object.fromEntries(input) };
    }
    default:
      return part satisfies never;
  }
}
