// What two reports of the same tests have in common, whatever their times, random words, ids and paths.

/** Facts that differ from run to run, or that say how the run was cut into parts. */
const OWN_TO_A_RUN = new Set([
  'run_id',
  'timestamp',
  'resumed',
  'resume_command',
  'history',
  'environment',
  'artifacts',
  'workspace',
  // How long an attempt took decides how well it passed, and what a busy machine does about it.
  'analysis',
  'quality_breakdown',
  'recommendations',
  // The random words have more or fewer tokens.
  'usage',
]);

/**
 * Reduces a report.json to what must be equal: outcomes, checks, counts, events, diagnoses and so on.
 * @param {unknown} value
 * @returns {unknown}
 */
export function comparable(value) {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string') return stripText(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => !OWN_TO_A_RUN.has(name) && !/_seconds$|_path$|^(?:stdout|stderr|size_bytes)$/.test(name),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, comparable(one)]));
}

/**
 * Random words are six letters and four digits; ids, times and hashes are digits and hexadecimal words, also where a
 * quote ends or begins in the middle of one.
 * @param {string} text
 */
function stripText(text) {
  return text
    .replace(/\b[a-z]{6}\d{4}\b/gi, '<word>')
    .replace(/(?:\/[\w.@-]+){2,}/g, '<path>')
    .replace(/\b[0-9a-f]+(?=\\?" …)|(?<=… \\?")[0-9a-f]+\b/gi, '<n>')
    .replace(/\b(?:[0-9a-f]*\d[0-9a-f]*|[0-9a-f]{7,40})\b/gi, '<n>')
    .replace(/\d+/g, '<n>');
}

/**
 * Returns the places where two values differ, as `path: one | other`.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {string[]}
 */
export function findDifferences(one, other, path = '') {
  if (Object.is(one, other)) return [];
  const both = [one, other].flatMap((value) => (typeof value === 'object' && value !== null ? [value] : []));
  const [a, b] = both;
  if (a === undefined || b === undefined || Array.isArray(a) !== Array.isArray(b))
    return [`${path}: ${cut(one, other)} | ${cut(other, one)}`];
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) =>
    findDifferences(Reflect.get(a, key), Reflect.get(b, key), `${path}.${key}`),
  );
}

/**
 * Shows a value from shortly before the place where it differs from the other.
 * @param {unknown} value
 * @param {unknown} other
 */
function cut(value, other) {
  const text = JSON.stringify(value) ?? 'nothing';
  const against = JSON.stringify(other) ?? 'nothing';
  let same = 0;
  while (same < text.length && text[same] === against[same]) same += 1;
  return text.slice(Math.max(0, same - 40), same + 80);
}
