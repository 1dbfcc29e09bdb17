// Judges whether a diagnosis leads to what a mutant changed.
import { areasOfFile } from './modules.mjs';

/** @typedef {'right' | 'vague' | 'misleading'} Judgment */
/** @typedef {{ rule: string, failure_type: string, blames: string, root_cause_hypothesis: string, suggested_investigations: string[], potential_fixes: { description: string, file_to_modify: string | null }[] }} Diagnosis */

/**
 * The areas that a rule of the diagnosis speaks of. Rules that are not here speak of none.
 * @type {Record<string, string[]>}
 */
const SPEAKS_OF = {
  'backend-failed': ['adapters'],
  'backend-failed-otherwise': ['adapters'],
  'backend-not-found': ['adapters'],
  'backend-silent': ['adapters', 'limits'],
  'completed-with-open-tasks': ['tasks', 'completion'],
  'completed-without-declaration': ['completion'],
  'completion-not-recognised': ['completion'],
  'configuration-rejected': ['config'],
  'ended-early': ['completion', 'tasks'],
  'event-confirmed-and-lost': ['emit', 'routing'],
  'event-missing': ['routing', 'emit', 'gates'],
  'event-not-handed-on': ['routing', 'prompt'],
  'event-payload-differs': ['routing', 'emit'],
  'event-rejected-by-gate': ['gates'],
  'events-malformed': ['routing', 'emit', 'limits'],
  'gate-did-not-hold': ['gates'],
  'hat-woken-too-often': ['hats', 'routing'],
  interrupted: ['exit-codes', 'loops'],
  'limit-reached-early': ['limits'],
  'memories-configured-otherwise': ['memories', 'config'],
  'never-declared': ['completion', 'prompt'],
  'output-cut': ['adapters'],
  'process-left-behind': ['adapters', 'loops'],
  'prompt-holds-too-much': ['prompt'],
  'prompt-lacks-hat-or-objective': ['prompt', 'hats'],
  'prompt-lacks-instructions': ['prompt', 'hats'],
  'session-not-continued': ['continue'],
  'store-differs': ['memories', 'tasks'],
  'stream-broke-off': ['adapters'],
  'usage-error': ['flags', 'config'],
  'wrong-hat-active': ['hats', 'routing'],
};

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
  const areas = new Set([...(SPEAKS_OF[diagnosis.rule] ?? []), ...files.flatMap(areasOfFile)]);
  if (files.includes(file) || areas.has(area)) return 'right';
  return areas.size === 0 ? 'vague' : 'misleading';
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
