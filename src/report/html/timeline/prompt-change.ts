/** Folding fewer lines would not save space. */
const WORTH_FOLDING = 4;

/** Removes lines at the beginning and end that the previous prompt has too. */
export function foldCommonLines(
  prompt: string,
  before: { readonly number: number; readonly prompt: string | null } | null,
  unit: string,
): { readonly text: string; readonly isFolded: boolean } {
  if (before === null || before.prompt === null) return { text: prompt, isFolded: false };
  const lines = prompt.split('\n');
  const earlier = before.prompt.split('\n');
  const shorter = Math.min(lines.length, earlier.length);
  let head = 0;
  while (head < shorter && lines[head] === earlier[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && lines.at(-1 - tail) === earlier.at(-1 - tail)) tail += 1;
  if (head < WORTH_FOLDING) head = 0;
  if (tail < WORTH_FOLDING) tail = 0;
  if (head + tail === 0) return { text: prompt, isFolded: false };
  const fold = (count: number) =>
    count === 0 ? [] : [`[… ${count} lines as in ${unit} ${before.number} …]`];
  const changed = lines.slice(head, lines.length - tail);
  return { text: [...fold(head), ...changed, ...fold(tail)].join('\n'), isFolded: true };
}
