/** How much of a folder goes into a draft: enough to play the run, and small enough to read. */
export const LIMITS = {
  /** Of ralph.yml and of the prompt. */
  sourceBytes: 128 * 1024,
  /** Of a payload, a note or what the agent said. */
  textLength: 4_000,
  fileBytes: 16 * 1024,
  files: 20,
  iterations: 60,
  /** Of what is looked at to find the files that the run wrote. */
  entries: 20_000,
  remarks: 8,
} as const;

/** The beginning of a text that is too long for a draft. */
export function shorten(text: string): string {
  const left = text.length - LIMITS.textLength;
  return left <= 0 ? text : `${text.slice(0, LIMITS.textLength)} [… ${left} characters left out …]`;
}
