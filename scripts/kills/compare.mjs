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

/** Reduces a report.json to what must be equal: outcomes, checks, counts, events, diagnoses and so on. */
export function comparable(value) {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'string') return stripText(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) => !OWN_TO_A_RUN.has(name) && !/_seconds$|_path$|^(?:stdout|stderr|size_bytes)$/.test(name),
  );
  return Object.fromEntries(entries.map(([name, one]) => [name, comparable(one)]));
}

/** Random words are six letters and four digits; ids, times and hashes are digits and hexadecimal words. */
function stripText(text) {
  return text
    .replace(/\b[a-z]{6}\d{4}\b/gi, '<word>')
    .replace(/(?:\/[\w.@-]+){2,}/g, '<path>')
    .replace(/\b[0-9a-f]*\d[0-9a-f]*\b/gi, '<n>')
    .replace(/\d+/g, '<n>');
}

/** Returns the first places where two values differ, as `path: one | other`. */
export function findDifferences(one, other, path = '') {
  if (Object.is(one, other)) return [];
  const both = [one, other].every((value) => typeof value === 'object' && value !== null);
  if (!both || Array.isArray(one) !== Array.isArray(other)) return [`${path}: ${cut(one)} | ${cut(other)}`];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => findDifferences(one[key], other[key], `${path}.${key}`));
}

function cut(value) {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 120);
}
