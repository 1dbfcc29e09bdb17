import { KnownError } from '../../../domain/common/known-error.js';

export interface KeywordResult {
  readonly passed: boolean;
  readonly found_keywords: readonly string[];
  readonly missing_keywords: readonly string[];
  /** From 0 to 1. */
  readonly match_ratio: number;
  readonly details: string;
}

export interface KeywordOptions {
  readonly requireAll?: boolean;
  readonly caseSensitive?: boolean;
}

/** Whether a text speaks of these things, in whole words: "test" is not in "latest", but it is in "tests" and "testing". */
export function assertContainsKeywords(
  text: string,
  keywords: readonly string[],
  { requireAll = false, caseSensitive = false }: KeywordOptions = {},
): KeywordResult {
  if (keywords.length === 0 || keywords.some((keyword) => keyword.trim() === '')) {
    throw new KnownError('assert_contains_keywords: expected at least one keyword, and none that is empty.');
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

/** A word may go on at its end (plural, -ing), but begins where the keyword begins. */
function mentions(text: string, keyword: string, caseSensitive: boolean): boolean {
  const source = keyword
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${source}`, caseSensitive ? 'u' : 'iu').test(text);
}
