/** How much of a folder goes into a draft: enough to replay the run, and little enough to read. */
export const LIMITS = {
  /** For ralph.yml and for the prompt. */
  sourceBytes: 128 * 1024,
  /** For a payload or an agent's text. */
  textLength: 4_000,
  iterations: 60,
} as const;

/** Shortens a text that is too long for a draft. */
export function shorten(text: string): string {
  const left = text.length - LIMITS.textLength;
  return left <= 0 ? text : `${text.slice(0, LIMITS.textLength)} [… ${left} more characters …]`;
}
