import { onEvent } from '../../agent/builder.js';

/** The file that every analyst writes its answer to. */
export const ANSWER_FILE = 'analysis.json';
export const ANALYST_PROGRAM = 'analyst.cjs';

/**
 * The analyst of the offline lanes. It knows nothing: it copies its answer from the prompt that Ralph really passed on,
 * so that anything lost between the prompt and the answer shows.
 */
export const scriptedAnalyst = [
  onEvent('analyze.complete').completes(),
  onEvent('analyze.request').runs(`node ${ANALYST_PROGRAM}`).emits('analyze.complete', ANSWER_FILE),
] as const;

/** Reads the tests from the prompt and repeats what it says about them. */
export const ANALYST_SOURCE = `const { readFileSync, writeFileSync } = require('node:fs');
const prompt = readFileSync('prompt.md', 'utf8');
const sections = prompt.split(/^### /m).slice(1);
const failed_analyses = sections.flatMap((section) => {
  const [, id, backend] = /^(\\S+) on (\\S+) \\((?:failed|error)\\)/.exec(section) ?? [];
  const rule = /^- rule (\\S+) says (\\w+): (.*)$/m.exec(section);
  if (id === undefined) return [];
  return [{
    scenario_id: id,
    backend,
    failure_type: rule?.[2] ?? 'Unknown',
    root_cause_hypothesis: 'Scripted, no model was asked: ' + (rule?.[3] ?? 'no rule applied.'),
    evidence: [...section.matchAll(/^- broken: (.*)$/gm)].map((match) => match[1]),
    suggested_investigations: [],
    potential_fixes: [],
  }];
});
const passed_analyses = [...prompt.matchAll(/^- (\\S+) on \\S+: [\\d.]+ s, iterations (\\d+) \\(expected (\\d+|not said)\\)/gm)].map((match) => ({
  scenario_id: match[1],
  quality_score: match[3] === 'not said' || Number(match[2]) <= Number(match[3]) ? 'Good' : 'Acceptable',
  warnings: [],
  optimizations: [],
}));
writeFileSync('${ANSWER_FILE}', JSON.stringify({ failed_analyses, passed_analyses, patterns: [], recommendations: [] }, null, 1));
`;
