import type { FieldDifference } from './compare.js';

/** Why the stand-in differs from Claude Code where it does, and is meant to. Kept apart from the count. */
const EXPLANATIONS: readonly { readonly field: RegExp; readonly because: string }[] = [];

/** What we know about a difference, or null. */
export function explain({ field }: FieldDifference): string | null {
  return EXPLANATIONS.find((entry) => entry.field.test(field))?.because ?? null;
}
