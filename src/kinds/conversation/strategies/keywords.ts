import { KnownError } from '../../../domain/common/known-error.js';
import { escapeRegex } from '../../../domain/text/escape-regex.js';

export interface KeywordResult {
  readonly passed: boolean;
  readonly found_keywords: readonly string[];
  readonly missing_keywords: readonly string[];
  /** The share of keywords that were found, from 0 to 1. */
  readonly match_ratio: number;
  readonly details: string;
}

export interface KeywordOptions {
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
