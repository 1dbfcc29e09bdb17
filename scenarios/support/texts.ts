/** Spells a word backwards, as prompts ask agents to do. */
export function reverse(word: string): string {
  return [...word].reverse().join('');
}

/** Returns all evidence that Ralph requires to accept a build. The example in Ralph's own prompt has too little. */
export function buildEvidence(complexity: number): string {
  return `tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: ${complexity}, duplication: pass`;
}

/** Makes a pattern that matches this text and nothing else. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
