/** The shortest words that say something on their own. */
export const FEWEST_LETTERS = 3;

/**
 * The words that every match of a pattern has: what it spells out outside of groups. A pattern with alternatives, or one
 * that ignores case, requires none.
 */
export function requiredWords(pattern: string): string[] {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(pattern) ?? [];
  const parts = [...source.matchAll(PART)].map(([part]) => part);
  const spelled: string[] = [];
  let depth = 0;
  for (const [index, part] of parts.entries()) {
    if (part.startsWith('(')) depth += 1;
    const isCounted = COUNTED.test(parts[index + 1] ?? '');
    const letter = depth > 0 || isCounted ? null : spellOut(part);
    if (letter === null) spelled.push('');
    else spelled.push(`${spelled.pop() ?? ''}${letter}`);
    if (part === ')') depth -= 1;
    if (part === '|' && depth === 0) return [];
  }
  const words = spelled.map((one) => one.trim()).filter((one) => one.length >= FEWEST_LETTERS);
  return flags.includes('i') ? [] : words;
}

/** The parts of a pattern: classes, beginnings of groups, counts, escapes and single characters. */
const PART =
  /\[(?:\\.|[^[\]\\])*\]|\(\?(?:<?[=!]|:|<\w{1,40}>)|\{\d{1,9},?\d{0,9}\}\??|\\[ux][0-9a-fA-F]{1,8}|\\.|[\s\S]/g;
/** What says that the part before it may be missing or come again. */
const COUNTED = /^(?:[*?]|\{\d)/;

function spellOut(part: string): string | null {
  if (part === '\\n') return '\n';
  if (/^\\[^\w]$/.test(part)) return part.slice(1);
  return part.length === 1 && !/[\^$.*+?()|[\]\\{}]/.test(part) ? part : null;
}
