import type { Diagnosis, Execution, RunFacts } from '../domain/analysis.js';
import { openCase } from './clues.js';
import { DIAGNOSIS_RULES } from './rules.js';

/** Explains each failure by the first rule that applies, and names the other failures that the same rule explains. */
export function diagnose(failures: readonly Execution[], run: RunFacts): Diagnosis[] {
  const found = failures.map((execution) => explain(execution, run));
  return found.map((diagnosis, index) => ({
    ...diagnosis,
    similar_failures: [
      ...new Set(
        failures
          .filter((_, other) => other !== index && found[other]?.rule === diagnosis.rule)
          .map(({ scenarioId }) => scenarioId),
      ),
    ],
  }));
}

function explain(execution: Execution, run: RunFacts): Diagnosis {
  const failure = openCase(execution, run);
  if (failure) {
    for (const { name, type, apply } of DIAGNOSIS_RULES) {
      const finding = apply(failure);
      if (!finding) continue;
      return {
        failure_type: type,
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
