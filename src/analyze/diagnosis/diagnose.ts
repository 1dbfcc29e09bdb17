import type { Diagnosis, Execution, RunFacts } from '../../domain/report/analysis.js';
import { testLabel } from '../../domain/vocabulary.js';
import { openCase } from './clues.js';
import { CONVERSATION_RULES, DIAGNOSIS_RULES } from './rules.js';

/** So many other failures are named beside one: the rest is in the table of failures. */
const MOST_SIMILAR = 20;

/** Explains each failure by the first rule that applies, and names the other failures that the same rule explains. */
export function diagnose(failures: readonly Execution[], run: RunFacts): Diagnosis[] {
  const found = failures.map((execution) => explain(execution, run));
  const labels = failures.map(({ scenarioId, backend }) => testLabel(scenarioId, backend));
  const kin = new Map<string, string[]>();
  for (const [index, { rule }] of found.entries()) {
    const group = kin.get(rule) ?? [];
    group.push(labels[index] ?? '');
    kin.set(rule, group);
  }
  return found.map((diagnosis, index) => ({
    ...diagnosis,
    similar_failures: nameOthers(labels[index] ?? '', kin.get(diagnosis.rule) ?? []),
  }));
}

/** The others of a group; looks no further than it names, because groups can be large. */
function nameOthers(own: string, group: readonly string[]): string[] {
  return group
    .slice(0, MOST_SIMILAR + 1)
    .filter((label) => label !== own)
    .slice(0, MOST_SIMILAR);
}

function explain(execution: Execution, run: RunFacts): Diagnosis {
  const failure = openCase(execution, run);
  if (failure) {
    const rules = failure.evidence?.conversation === undefined ? DIAGNOSIS_RULES : CONVERSATION_RULES;
    for (const { name, type, blames, apply } of rules) {
      const finding = apply(failure);
      if (!finding) continue;
      return {
        failure_type: type,
        blames: finding.blames ?? blames,
        rule: name,
        root_cause_hypothesis: finding.hypothesis,
        evidence: finding.evidence.map((line) => cutLine(line)),
        similar_failures: [],
        suggested_investigations: [...finding.investigations],
        potential_fixes: [...finding.fixes],
      };
    }
  }
  throw new Error(
    `${execution.scenarioId} on ${execution.backend} has no attempt that failed: nothing to diagnose.`,
  );
}

/** Evidence is quoted, not copied: the whole stands in the context. */
function cutLine(line: string): string {
  return line.length <= 500 ? line : `${line.slice(0, 499)}…`;
}
