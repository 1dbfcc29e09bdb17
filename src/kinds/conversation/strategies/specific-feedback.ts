import { countNoun } from '../../../domain/checks/text.js';

export interface FeedbackResult {
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
