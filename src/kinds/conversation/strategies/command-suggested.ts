import { escapeRegex } from '../../../domain/text/escape-regex.js';
export interface SuggestionResult {
  readonly passed: boolean;
  /** The text that suggests the command. */
  readonly command_found: string | null;
  readonly location: number;
  /** The suggestion with twenty characters on either side. */
  readonly context: string;
  /** True if the command was found without its slash, by the words around it. */
  readonly weak: boolean;
  readonly details: string;
}

const AROUND = 20;

/**
 * Tests whether an answer suggests a command: `/plan`, `/agent-loop:plan`, and with `allowVariations` also "run the plan
 * command" or `` `plan` ``. Bare words do not count: nearly every answer contains "plan" or "code".
 */
export function assertCommandSuggested(
  response: string,
  commandName: string,
  { allowVariations = true }: { readonly allowVariations?: boolean } = {},
): SuggestionResult {
  const name = escapeRegex(commandName.replace(/^\//, '').trim());
  const slash = new RegExp(`(?<![\\w/.-])/(?:[\\w-]+:)?${name}(?![\\w:/-]|\\.\\w)`, 'i').exec(response);
  if (slash !== null) return found(response, slash, false);
  const spoken = allowVariations ? variation(name).exec(response) : null;
  if (spoken !== null) return found(response, spoken, true);
  return {
    passed: false,
    command_found: null,
    location: -1,
    context: '',
    weak: false,
    details: `no suggestion of /${commandName.replace(/^\//, '')}`,
  };
}

function variation(name: string): RegExp {
  return new RegExp(
    `(?:\\b(?:run|use|execute|try|call)\\s+(?:the\\s+)?[\`"']?${name}[\`"']?(?:\\s+command)?\\b|\\b${name}\\s+command\\b|\`${name}\`)`,
    'i',
  );
}

function found(response: string, match: RegExpExecArray, weak: boolean): SuggestionResult {
  const [text] = match;
  const end = match.index + text.length;
  return {
    passed: true,
    command_found: text,
    location: match.index,
    context: response.slice(Math.max(0, match.index - AROUND), end + AROUND),
    weak,
    details: `found ${JSON.stringify(text)} at ${match.index}${weak ? ', without its slash' : ''}`,
  };
}
