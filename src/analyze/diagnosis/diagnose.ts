import type { CheckCategory } from '../../domain/check.js';
import { describeCheck } from '../../domain/diagnosis/check-facts.js';
import { type Case, openCase, quoteCheck } from '../../domain/diagnosis/clues.js';
import { sortByMoment } from '../../domain/diagnosis/divergence.js';
import { rankPromises } from '../../domain/diagnosis/ledger.js';
import { applyRule, type DiagnosisRule, fix } from '../../domain/diagnosis/rule.js';
import type { Fault } from '../../domain/fault.js';
import type { Diagnosis, Execution, FailureType, RunFacts } from '../../domain/report/analysis.js';
import { causeKey } from '../../domain/report/failure-cause.js';
import type { Analysis } from '../../domain/report/run-analysis.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { testLabel } from '../../domain/vocabulary.js';
import { backendRules } from './backend.js';
import { processRules } from './process.js';

/** The most other failures that one diagnosis names; the table of failures has the rest. */
const MOST_SIMILAR = 20;

/** The rules for each kind of scenario; causes come before their effects. */
type RulesOfKinds = Readonly<Record<Scenario['kind'], readonly DiagnosisRule[]>>;

/** Explains each failure with the first rule that applies, and names other failures with the same rule. */
export function createDiagnosis(
  rules: RulesOfKinds,
  facts: readonly DiagnosisRule[] = [],
): Analysis['diagnose'] {
  return (failures, run) => {
    const cases = rankPromises(failures.map((execution) => requireCase(execution, run)));
    const found = cases.map((failure) => explain(failure, rules));
    return nameSimilar(failures, run.agentIsHonest ? shareFacts(cases, found, facts) : found);
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
  cases: readonly Case[],
  found: readonly Diagnosis[],
  facts: readonly DiagnosisRule[],
): readonly Diagnosis[] {
  const areasOf = (diagnoses: readonly Diagnosis[]) =>
    new Set(diagnoses.map(({ areas: [area], rule }) => area ?? rule));
  return facts.reduce((diagnoses: readonly Diagnosis[], rule) => {
    // Most runs fail in few areas: then nobody needs to look, and to read a thousand configurations takes long.
    if (areasOf(diagnoses).size < FEWEST_AREAS) return diagnoses;
    const shown = cases.map((failure) =>
      failure.evidence?.conversation === undefined ? applyRule(rule, failure) : null,
    );
    const explained = diagnoses.filter((_, index) => shown[index]);
    if (explained.length < FEWEST_FAILURES || areasOf(explained).size < FEWEST_AREAS) return diagnoses;
    return diagnoses.map((diagnosis, index) => {
      const fact = shown[index];
      return fact ? { ...fact, evidence: fact.evidence.map(cutLine) } : diagnosis;
    });
  }, found);
}

function nameSimilar(failures: readonly Execution[], found: readonly Diagnosis[]): Diagnosis[] {
  const labels = failures.map(({ scenarioId, backend }) => testLabel(scenarioId, backend));
  // A known issue has its own explanation.
  const isKnown = (index: number) => failures[index]?.attempts.at(-1)?.outcome === 'known-issue';
  const kin = new Map<string, string[]>();
  for (const [index, diagnosis] of found.entries()) {
    if (isKnown(index)) continue;
    const key = causeKey(diagnosis);
    const group = kin.get(key) ?? [];
    group.push(labels[index] ?? '');
    kin.set(key, group);
  }
  return found.map((diagnosis, index) => ({
    ...diagnosis,
    ...nameOthers(labels[index] ?? '', kin.get(causeKey(diagnosis)) ?? [], !isKnown(index)),
  }));
}

/** Names others of a group; stops at the limit, because groups can be large. */
function nameOthers(
  own: string,
  group: readonly string[],
  isInGroup: boolean,
): Pick<Diagnosis, 'similar_failures' | 'similar_failures_left_out'> {
  const others = group.length - (isInGroup ? 1 : 0);
  const named = group
    .slice(0, MOST_SIMILAR + 1)
    .filter((label) => label !== own)
    .slice(0, MOST_SIMILAR);
  return { similar_failures: named, similar_failures_left_out: others - named.length };
}

function requireCase(execution: Execution, run: RunFacts): Case {
  const failure = openCase(execution, run);
  if (failure === null)
    throw new Error(`${execution.scenarioId} on ${execution.backend} has no failed attempt to diagnose.`);
  return failure;
}

function explain(failure: Case, kinds: RulesOfKinds): Diagnosis {
  const fault = faultOf(failure);
  const rules = rulesFor(failure, fault, kinds);
  const found = rules.map((rule) => () => applyRule(rule, failure));
  for (const find of found) {
    const diagnosis = find();
    if (diagnosis === null) continue;
    const evidence = diagnosis.evidence.map(cutLine);
    return fault?.whose === 'target'
      ? blameTarget({ ...diagnosis, evidence }, failure.run)
      : { ...diagnosis, evidence };
  }
  return failUnexplained(failure);
}

/** Whose fault the attempt is. An honest script is never at fault, and an attempt that broke off says nothing about anybody. */
function faultOf({ attempt, run }: Case): Fault | null {
  if (attempt.outcome !== 'failed') return null;
  return run.agentIsHonest ? { whose: 'target', because: [] } : (attempt.fault ?? null);
}

/** Fault and diagnosis are one judgement: what the agent did explains its fault, and the rules look for the target's. */
function rulesFor(
  { evidence, run }: Case,
  fault: Fault | null,
  kinds: RulesOfKinds,
): readonly DiagnosisRule[] {
  const ofKind = kinds[evidence?.conversation === undefined ? 'ralph' : 'conversation'];
  switch (fault?.whose) {
    case 'agent':
      return [agentDidOtherwise(fault)];
    case 'infrastructure':
      return [...accountRules, serviceFailed(fault)];
    case 'target':
      return [
        // A model may have lost its login or its quota all the same.
        ...(run.agentIsHonest ? [] : accountRules),
        ...ofKind,
        mismatch,
      ];
    default:
      return [
        recordingLeft,
        // Of a script, only Ralph can be late or break down: its own rules say more.
        ...(run.agentIsHonest ? [] : [...processRules, ...backendRules]),
        ...ofKind,
        mismatch,
      ];
  }
}

const accountRules = backendRules.filter(({ blames }) => blames === 'authentication' || blames === 'quota');
const TROUBLES: ReadonlySet<Diagnosis['blames']> = new Set(['infrastructure', 'authentication', 'quota']);

/** Those who cannot be at fault if the agent is an honest script: there is no model, no account and no service. */
const INNOCENT: ReadonlySet<Diagnosis['blames']> = new Set([...TROUBLES, 'agent', 'unknown']);

/** Blames the target where the fault is its. A loop without end may also be a slow model's. */
function blameTarget(diagnosis: Diagnosis, run: RunFacts): Diagnosis {
  const { blames, rule } = diagnosis;
  const isOther = run.agentIsHonest
    ? INNOCENT.has(blames)
    : blames === 'agent' || (blames === 'unknown' && rule !== 'still-running');
  return {
    ...diagnosis,
    blames: isOther ? 'target' : blames,
    // The files of a scenario are right, so no fix is in them.
    potential_fixes: TROUBLES.has(blames)
      ? diagnosis.potential_fixes
      : diagnosis.potential_fixes.filter(({ file_to_modify: file }) => file?.startsWith('crates/') === true),
  };
}

/** The types of failures, by the first check that shows what an agent did. */
const TYPES = {
  EventEmitted: 'EventMissing',
  EventPayload: 'EventMalformed',
  TerminationReason: 'UnexpectedTermination',
  ExitCode: 'UnexpectedTermination',
  IterationCount: 'UnexpectedTermination',
  OutputContains: 'PromptIneffective',
  FileCreated: 'PromptIneffective',
  FileContains: 'PromptIneffective',
  PromptEffectiveness: 'PromptIneffective',
  PromptContent: 'EventMissing',
  Processes: 'AssertionMismatch',
  Harness: 'AssertionMismatch',
} as const satisfies Record<CheckCategory, FailureType>;

/** The agent parted from its instructions, and the judgement of the fault says where. */
function agentDidOtherwise({ because }: Fault): DiagnosisRule {
  return {
    name: 'agent-did-otherwise',
    type: 'PromptIneffective',
    blames: 'agent',
    find: ({ broken, evidence }) => {
      const lead = broken.find(({ judges }) => judges === 'agent') ?? broken[0];
      const isLoop = evidence?.conversation === undefined;
      const iterations = evidence?.iterations ?? [];
      const errors = iterations.flatMap(({ number, toolCalls }) =>
        toolCalls
          .filter(({ isError }) => isError)
          .map(
            ({ name, result }) => `iteration ${number}: tool ${name} failed: ${(result ?? '').slice(0, 200)}`,
          ),
      );
      const last = iterations.findLast(({ said }) => said.trim() !== '');
      return {
        ...(lead === undefined ? {} : { type: TYPES[lead.category] }),
        hypothesis: joinSentences(because),
        evidence: [
          ...broken.slice(0, 5).map(quoteCheck),
          ...errors.slice(0, 3),
          ...(last ? [`iteration ${last.number}, the agent said: ${last.said.trim().slice(0, 200)}`] : []),
        ],
        investigations: [
          'Read what the agent did in that iteration, and what its prompt asks for: is it easy to miss or to misunderstand?',
          'Did the agent have the tools and the permissions that the work needs?',
        ],
        fixes: [
          fix(
            'State the instruction more clearly, including when the work is done',
            0.5,
            isLoop ? 'ralph.yml' : null,
          ),
        ],
      };
    },
  };
}

function serviceFailed({ because }: Fault): DiagnosisRule {
  return {
    name: 'service-failed',
    type: 'BackendError',
    blames: 'infrastructure',
    investigations: ['Run the test again when the service answers.'],
    find: ({ broken }) => ({
      hypothesis: joinSentences(because),
      evidence: broken.slice(0, 4).map(quoteCheck),
    }),
  };
}

function joinSentences(facts: readonly string[]): string {
  return facts
    .map((fact) => `${fact.charAt(0).toUpperCase()}${fact.slice(1)}${/[.!?]$/.test(fact) ? '' : '.'}`)
    .join(' ');
}

const recordingLeft: DiagnosisRule = {
  name: 'recording-does-not-fit',
  type: 'PromptIneffective',
  blames: 'unknown',
  hypothesis:
    'Ralph did not send what the recorded agent had answered, so the recording shows nothing about this build.',
  investigations: ['Look at the difference: is this change of the prompt meant?'],
  fixes: [fix('If the change is meant, record the test again with a live run', 0.6)],
  find: ({ broken }) => {
    const found = broken.find(({ kind }) => kind === 'recordingFits');
    return found === undefined ? null : [`${found.actual}`];
  },
};

/** No rule knows more than the check itself. */
const mismatch: DiagnosisRule = {
  name: 'assertion-mismatch',
  type: 'AssertionMismatch',
  blames: 'target',
  find: ({ broken }) => {
    const [lead] = sortByMoment(broken);
    if (lead === undefined) return null;
    const isEnd = TYPES[lead.category] === 'UnexpectedTermination';
    return {
      ...(isEnd ? { type: 'UnexpectedTermination' } : {}),
      hypothesis: describeCheck(lead),
      evidence: broken.slice(0, 6).map(quoteCheck),
    };
  },
};

function failUnexplained({ attempt }: Case): Diagnosis {
  return {
    failure_type: 'Unknown',
    blames: 'unknown',
    rule: 'unexplained',
    areas: [],
    promises: [],
    root_cause_hypothesis: 'The test did not pass, and no check failed.',
    evidence: attempt.error === null ? [] : [cutLine(attempt.error)],
    similar_failures: [],
    similar_failures_left_out: 0,
    suggested_investigations: [`Read the output in ${attempt.artifacts}.`],
    potential_fixes: [],
  };
}

/** Shortens a line of evidence; the context has the whole. */
function cutLine(line: string): string {
  return line.length <= 500 ? line : `${line.slice(0, 499)}…`;
}
