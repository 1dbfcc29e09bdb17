/** Spells a word backwards, as agents are asked to write it. */
export function reverse(word: string): string {
  return [...word].reverse().join('');
}

/** All the evidence that ralph wants before it believes in a build. The example in its own prompt has too little. */
export function buildEvidence(complexity: number): string {
  return `tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: ${complexity}, duplication: pass`;
}
