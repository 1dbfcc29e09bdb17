import { type Case, openCase } from '../../domain/diagnosis/clues.js';
import { applyRule, type DiagnosisRule } from '../../domain/diagnosis/rule.js';
import type { Diagnosis, Execution, RunFacts } from '../../domain/report/analysis.js';
import { causeKey } from '../../domain/report/failure-cause.js';
import type { Analysis } from '../../domain/report/run-analysis.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { testLabel } from '../../domain/vocabulary.js';
import { backendRules } from './backend.js';
import { recordingRules } from './script.js';

/** The most other failures that one diagnosis names; the table of failures has the rest. */
const MOST_SIMILAR = 20;

/**
 * The rules for each kind of scenario; causes come before their effects. `scripted` are those for a Ralph loop whose agent
 * is an honest script.
 */
export type RulesOfKinds = Readonly<Record<Scenario['kind'] | 'scripted', readonly DiagnosisRule[]>>;

/** Explains each failure with the first rule that applies, and names other failures with the same rule. */
export function createDiagnosis(
  rules: RulesOfKinds,
  facts: readonly DiagnosisRule[] = [],
): Analysis['diagnose'] {
  return (failures, run) => {
    const found = failures.map((execution) => explain(execution, run, rules));
    return nameSimilar(failures, run.agentIsHonest ? shareFacts(failures, found, run, facts) : found);
  };
}

/** A fact counts as the cause of failures if at least so many show it, and they point to so many areas. */
const FEWEST_FAILURES = 4;
const FEWEST_AREAS = 3;

/**
 * A fact that shows in failures of several areas is their cause: the promises that are broken in each follow from it. One
 * instrument that is broken, such as the record of the end, would otherwise be as many causes as there are areas.
 */
function shareFacts(
  failures: readonly Execution[],
  found: readonly Diagnosis[],
  run: RunFacts,
  facts: readonly DiagnosisRule[],
): readonly Diagnosis[] {
  return facts.reduce((diagnoses: readonly Diagnosis[], rule) => {
    const shown = failures.map((execution) => {
      const failure = openCase(execution, run);
      return failure?.evidence?.conversation === undefined && failure ? applyRule(rule, failure) : null;
    });
    const explained = diagnoses.filter((_, index) => shown[index]);
    const areas = new Set(explained.map(({ areas: [area], rule: name }) => area ?? name));
    if (explained.length < FEWEST_FAILURES || areas.size < FEWEST_AREAS) return diagnoses;
    return diagnoses.map((diagnosis, index) => {
      const fact = shown[index];
      return fact ? { ...fact, evidence: fact.evidence.map(cutLine) } : diagnosis;
    });
  }, found);
}

function nameSimilar(failures: readonly Execution[], found: readonly Diagnosis[]): Diagnosis[] {
  const labels = failures.map(({ scenarioId, backend }) => testLabel(scenarioId, backend));
  const kin = new Map<string, string[]>();
  for (const [index, diagnosis] of found.entries()) {
    // A known issue has its own explanation.
    if (failures[index]?.attempts.at(-1)?.outcome === 'known-issue') continue;
    const key = causeKey(diagnosis);
    const group = kin.get(key) ?? [];
    group.push(labels[index] ?? '');
    kin.set(key, group);
  }
  return found.map((diagnosis, index) => ({
    ...diagnosis,
    similar_failures: nameOthers(labels[index] ?? '', kin.get(causeKey(diagnosis)) ?? []),
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
    const rules = chooseRules(failure, kinds);
    for (const rule of rules) {
      const diagnosis = applyRule(rule, failure);
      if (diagnosis) return judgeFairly({ ...diagnosis, evidence: diagnosis.evidence.map(cutLine) }, failure);
    }
  }
  throw new Error(`${execution.scenarioId} on ${execution.backend} has no failed attempt to diagnose.`);
}

/**
 * Where the fault is Ralph's, or may be, the agent is innocent: so is an honest script. But a model may have lost its login or
 * its quota all the same.
 */
function chooseRules({ evidence, run, attempt }: Case, kinds: RulesOfKinds): readonly DiagnosisRule[] {
  if (evidence?.conversation !== undefined) return kinds.conversation;
  if (run.agentIsHonest) return kinds.scripted;
  return attempt.fault?.whose === 'target'
    ? [...recordingRules, ...backendRules.filter(({ blames }) => ACCOUNT.has(blames)), ...kinds.scripted]
    : kinds.ralph;
}

/** What a model loses without any fault of Ralph. */
const ACCOUNT: ReadonlySet<Diagnosis['blames']> = new Set(['authentication', 'quota']);

/** Those who cannot be at fault if the agent is an honest script: there is no model, no account and no service. */
const INNOCENT: ReadonlySet<Diagnosis['blames']> = new Set([
  'agent',
  'authentication',
  'quota',
  'infrastructure',
  'unknown',
]);

/** Kinds of trouble with the service behind the agent. */
const TROUBLES: ReadonlySet<Diagnosis['blames']> = new Set(['infrastructure', 'authentication', 'quota']);

/** What replaces the words of a rule that accuses Ralph, where the agent is at fault. */
const OTHERWISE = {
  failure_type: 'AssertionMismatch',
  blames: 'agent',
  rule: 'agent-did-otherwise',
  suggested_investigations: ['Read what the agent did in that iteration, and what its prompt asks for.'],
} satisfies Partial<Diagnosis>;

/** What replaces the words of a rule that accuses others, where the service did not answer. */
const NO_SERVICE = {
  failure_type: 'BackendError',
  blames: 'infrastructure',
  rule: 'service-failed',
  suggested_investigations: ['Run the test again when the service answers.'],
  potential_fixes: [],
} satisfies Partial<Diagnosis>;

function isOfRalph(file: string | null): boolean {
  return file?.startsWith('crates/') === true;
}

function joinSentences(facts: readonly string[]): string {
  return facts
    .map((fact) => `${fact.charAt(0).toUpperCase()}${fact.slice(1)}${/[.!?]$/.test(fact) ? '' : '.'}`)
    .join(' ');
}

/**
 * Makes the diagnosis agree with whose fault the attempt is: the two are one judgement. Where it is the agent's, what the
 * agent did is the cause.
 */
function judgeFairly(diagnosis: Diagnosis, { attempt, run }: Case): Diagnosis {
  // An attempt that broke off says nothing about anybody.
  if (attempt.outcome !== 'failed') return diagnosis;
  const fault = run.agentIsHonest ? { whose: 'target' as const, because: [] } : attempt.fault;
  switch (fault?.whose) {
    case 'agent':
      return {
        ...diagnosis,
        ...(diagnosis.blames === 'agent' ? {} : OTHERWISE),
        ...{ areas: [], promises: [], root_cause_hypothesis: joinSentences(fault.because) },
        potential_fixes: diagnosis.potential_fixes.filter(({ file_to_modify: file }) => !isOfRalph(file)),
      };
    case 'infrastructure':
      return TROUBLES.has(diagnosis.blames)
        ? diagnosis
        : { ...diagnosis, ...NO_SERVICE, root_cause_hypothesis: joinSentences(fault.because) };
    case 'target':
      return {
        ...diagnosis,
        blames: isInnocent(diagnosis, run.agentIsHonest) ? 'target' : diagnosis.blames,
        // The files of a scenario are right, so no fix is in them.
        potential_fixes: TROUBLES.has(diagnosis.blames)
          ? diagnosis.potential_fixes
          : diagnosis.potential_fixes.filter(({ file_to_modify: file }) => isOfRalph(file)),
      };
    default:
      return diagnosis;
  }
}

/** Whether the diagnosis blames somebody who cannot be at fault where the fault is the target's. A slow model may be. */
function isInnocent({ blames, rule }: Diagnosis, agentIsHonest: boolean): boolean {
  if (agentIsHonest) return INNOCENT.has(blames);
  return blames === 'agent' || (blames === 'unknown' && rule !== 'still-running');
}

/** Shortens a line of evidence; the context has the whole. */
function cutLine(line: string): string {
  return line.length <= 500 ? line : `${line.slice(0, 499)}…`;
}
