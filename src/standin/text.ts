/** Returns at most the first `limit` bytes of UTF-8 of a text, without splitting a character. */
export function takeBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  return bytes.subarray(0, findBoundary(bytes, limit)).toString();
}

/** Finds the last start of a character at or before a byte offset. */
export function findBoundary(bytes: Buffer, offset: number): number {
  let at = Math.min(offset, bytes.length);
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}

/** Shortens a text to a number of characters, including three dots. */
export function ellipsize(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters ? text : `${all.slice(0, Math.max(0, characters - 3)).join('')}...`;
}

/** Removes terminal escape sequences, so that colored tool output still counts as evidence. */
export function stripAnsi(text: string): string {
  return text.replace(/\x1b(?:\[[^\x40-\x7e]*[\x40-\x7e]?|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)/gs, '');
}

/** Formats a list of strings like Rust's debug format: `["a", "b"]`. */
export function quoteList(items: readonly string[]): string {
  return `[${items.map((item) => JSON.stringify(item)).join(', ')}]`;
}
