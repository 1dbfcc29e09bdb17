/**
 * Returns what is between two texts, or null. A pattern such as `<a>([\s\S]*?)</a>` does the same, but takes quadratic
 * time for a text of nothing but beginnings.
 */
export function textBetween(text: string, open: string, close: string): string | null {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
  return end < 0 ? null : text.slice(start + open.length, end);
}

/** Removes everything from `open` to the next `close`, each time. */
export function removeBetween(text: string, open: string, close: string): string {
  let out = '';
  let done = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, done)) {
    const end = text.indexOf(close, start + open.length);
    if (end < 0) break;
    out += text.slice(done, start);
    done = end + close.length;
  }
  return out + text.slice(done);
}
