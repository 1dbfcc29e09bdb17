import { openCase } from '../../domain/diagnosis/clues.js';
import { applyRule, type DiagnosisRule } from '../../domain/diagnosis/rule.js';
import type { Diagnosis, Execution, RunFacts } from '../../domain/report/analysis.js';
import type { Analysis } from '../../domain/report/run-analysis.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { testLabel } from '../../domain/vocabulary.js';

/** The most other failures that one diagnosis names; the table of failures has the rest. */
const MOST_SIMILAR = 20;

/** The rules for each kind of scenario; causes come before their effects. */
export type RulesOfKinds = Readonly<Record<Scenario['kind'], readonly DiagnosisRule[]>>;

/** Explains each failure with the first rule that applies, and names other failures with the same rule. */
export function createDiagnosis(rules: RulesOfKinds): Analysis['diagnose'] {
  return (failures, run) =>
    nameSimilar(
      failures,
      failures.map((execution) => explain(execution, run, rules)),
    );
}

function nameSimilar(failures: readonly Execution[], found: readonly Diagnosis[]): Diagnosis[] {
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

/** Names others of a group; stops at the limit, because groups can be large. */
function nameOthers(own: string, group: readonly string[]): string[] {
  return group
    .slice(0, MOST_SIMILAR + 1)
    .filter((label) => label !== own)
    .slice(0, MOST_SIMILAR);
}

function explain(execution: Execution, run: RunFacts, kinds: RulesOfKinds): Diagnosis {
  const failure = openCase(execution, run);
  if (failure) {
    const rules = failure.evidence?.conversation === undefined ? kinds.ralph : kinds.conversation;
    for (const rule of rules) {
      const diagnosis = applyRule(rule, failure);
      if (diagnosis) return { ...diagnosis, evidence: diagnosis.evidence.map(cutLine) };
    }
  }
  throw new Error(`${execution.scenarioId} on ${execution.backend} has no failed attempt to diagnose.`);
}

/** Shortens a line of evidence; the context has the whole. */
function cutLine(line: string): string {
  return line.length <= 500 ? line : `${line.slice(0, 499)}…`;
}
