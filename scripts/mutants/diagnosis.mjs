// Judges whether a diagnosis leads to what a mutant changed.
/** @typedef {'right' | 'vague' | 'misleading'} Judgment */
/** @typedef {{ rule: string, failure_type: string, blames: string, areas: string[], root_cause_hypothesis: string, suggested_investigations: string[], potential_fixes: { description: string, file_to_modify: string | null }[] }} Diagnosis */

/** In these runs the agent, its login and its service are our own script, so none of them is at fault. */
const INNOCENT = new Set(['agent', 'infrastructure', 'authentication', 'quota', 'harness']);

/**
 * Right: it names the area or the file. Vague: it names none. Misleading: it names others, or blames the agent.
 * @param {Diagnosis | null} diagnosis
 * @param {{ area: string, file: string }} mutant
 * @returns {Judgment}
 */
export function judgeDiagnosis(diagnosis, { area, file }) {
  if (diagnosis === null) return 'vague';
  if (INNOCENT.has(diagnosis.blames)) return 'misleading';
  const files = filesIn(diagnosis);
  if (files.includes(file) || diagnosis.areas.includes(area)) return 'right';
  return diagnosis.areas.length + files.length === 0 ? 'vague' : 'misleading';
}

/** @param {Diagnosis} diagnosis */
function filesIn({ root_cause_hypothesis, suggested_investigations, potential_fixes }) {
  const fixes = potential_fixes.flatMap(({ description, file_to_modify }) => [
    description,
    file_to_modify ?? '',
  ]);
  const text = [root_cause_hypothesis, ...suggested_investigations, ...fixes].join('\n');
  return [...text.matchAll(/ralph-(?:core|cli|adapters|proto)\/src\/[\w/]+\.rs/g)].map(([path]) => path);
}
