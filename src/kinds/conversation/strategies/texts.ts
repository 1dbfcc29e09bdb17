import * as z from 'zod';
import { countNoun } from '../../../domain/checks/text.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { escapeRegex } from '../../../domain/text/escape-regex.js';

export const keywordResultSchema = z.object({
  passed: z.boolean(),
  found_keywords: z.array(z.string()),
  missing_keywords: z.array(z.string()),
  /** The share of keywords that were found, from 0 to 1. */
  match_ratio: z.number(),
  details: z.string(),
});
type KeywordResult = z.infer<typeof keywordResultSchema>;

interface KeywordOptions {
  /** Whether all keywords must be found; one is enough by default. */
  readonly requireAll?: boolean;
  /** Whether upper and lower case differ; they do not by default. */
  readonly caseSensitive?: boolean;
}

/** Tests whether a text contains keywords at the start of a word: "test" is in "tests" and "testing", but not in "latest". */
export function assertContainsKeywords(
  text: string,
  keywords: readonly string[],
  { requireAll = false, caseSensitive = false }: KeywordOptions = {},
): KeywordResult {
  if (keywords.length === 0 || keywords.some((keyword) => keyword.trim() === '')) {
    throw new KnownError('assert_contains_keywords: expected at least one keyword, and no empty ones.');
  }
  const found = keywords.filter((keyword) => mentions(text, keyword, caseSensitive));
  const missing = keywords.filter((keyword) => !found.includes(keyword));
  const passed = requireAll ? missing.length === 0 : found.length > 0;
  return {
    passed,
    found_keywords: found,
    missing_keywords: missing,
    match_ratio: found.length / keywords.length,
    details: `${found.length} of ${keywords.length} found${missing.length === 0 ? '' : `, missing: ${missing.join(', ')}`}`,
  };
}

/** A match starts at the start of a word. The word may continue after the keyword (plural, -ing). */
function mentions(text: string, keyword: string, caseSensitive: boolean): boolean {
  const source = escapeRegex(keyword.trim()).replace(/\s+/g, '\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}`, caseSensitive ? 'u' : 'iu').test(text);
}

export const suggestionResultSchema = z.object({
  passed: z.boolean(),
  /** The text that suggests the command. */
  command_found: z.string().nullable(),
  location: z.number(),
  /** The suggestion with twenty characters on either side. */
  context: z.string(),
  /** True if the command was found without its slash, by the words around it. */
  weak: z.boolean(),
  details: z.string(),
});
type SuggestionResult = z.infer<typeof suggestionResultSchema>;

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

interface FeedbackResult {
  readonly passed: boolean;
  readonly specific_items: readonly string[];
  readonly details: string;
}

/** Matches a value with a unit, or a color: without one, feedback cannot be applied. */
const VALUE =
  /(?:(?<!\d)\d+(?:\.\d+)?\s?(?:px|rem|em|pt|vh|vw|ms|s|%)(?![\w-])|#[0-9a-f]{3,8}\b|rgba?\([^)]{0,60}\))/i;
const PROPERTY =
  /\b(?:padding|margin|width|height|font(?:-size|-weight)?|line-height|color|colour|background|border(?:-radius)?|gap|spacing|size|radius|opacity|shadow|offset|top|left|right|bottom)\b/i;

/** Tests whether feedback names enough properties with values: "padding 32px should be 24px", not "more space". */
export function assertSpecificFeedback(text: string, minSpecificity: number): FeedbackResult {
  const items = text
    .split(/\n+|(?<=[.;])\s+|,\s+(?=\d+\.|\w+:)/)
    .map((item) => item.trim())
    .filter((item) => VALUE.test(item) && PROPERTY.test(item));
  return {
    passed: items.length >= minSpecificity,
    specific_items: items,
    details: `${countNoun(items.length, 'item')} with a property and a value, expected at least ${minSpecificity}`,
  };
}
