import type { Excuses, Execution, Loophole, Rationalization } from '../../domain/report/analysis.js';
import { type ExcuseFacts, ownLines, readFacts, tellingTopics } from './excuse-facts.js';
import { findRationalizations } from './rationalizations.js';

/** Finds agents' claims that the evidence contradicts, and recurring ways around their instructions. */
export function findExcuses(failures: readonly Execution[]): Excuses {
  const rationalizations = findRationalizations(failures);
  return { rationalizations, loopholes: findLoopholes(failures, rationalizations) };
}

/** A way around the instructions: how to recognize it in a test, and what would close it. */
interface Way {
  readonly name: string;
  readonly pattern: string;
  /** Returns what shows it in this test, or null. */
  readonly seen: (facts: ExcuseFacts) => string | null;
  readonly counter: readonly string[];
  readonly newTest: string;
}

/** Ways that checks and evidence show, whatever the agent said. */
const WAYS: readonly Way[] = [
  {
    name: 'Agent says it and does not do it',
    pattern: 'The agent says what it should, but does not do it.',
    seen: ({ green, undone }) => {
      const said = green.find(({ kind }) => kind === 'agentSaid');
      const missed = undone.find(({ category }) => category === 'FileCreated' || category === 'FileContains');
      return said && missed ? `"${said.name}" holds, "${missed.name}" does not` : null;
    },
    counter: [
      'Add a check on what changed, not only on what was said',
      'Update the instructions: the file MUST exist before the answer ends',
    ],
    newTest: 'acts-not-just-says',
  },
  {
    name: 'Agent completes before the work is done',
    pattern: 'The loop completes, but the requested work is missing.',
    seen: ({ evidence, undone, promise }) => {
      const [missed] = undone;
      const declared = evidence.iterations.find((iteration) =>
        ownLines(iteration).some((line) => line.includes(promise)),
      );
      if (!missed || !declared || evidence.termination?.reason !== 'completed') return null;
      return `${promise} in iteration ${declared.number}, while "${missed.name}" does not hold`;
    },
    counter: [
      'Make Ralph withhold completion with `event_loop.required_events`',
      'Update the instructions: verify each item before the completion promise',
    ],
    newTest: 'completion-needs-the-work',
  },
  {
    name: 'Agent names an event and does not emit it',
    pattern: 'The answer mentions the topic, but the events file has no such event.',
    seen: ({ evidence, undone, calls }) => {
      const emitted = new Set(evidence.events.map(({ topic }) => topic));
      for (const check of undone) {
        const [topic] = tellingTopics(check);
        if (topic === undefined || emitted.has(topic)) continue;
        if (calls.some(({ input }) => input.includes('emit') && input.includes(topic))) continue;
        const named = evidence.iterations.find((iteration) =>
          ownLines(iteration).some((line) => line.includes(topic)),
        );
        if (named) return `${topic} is named in iteration ${named.number} and was never emitted`;
      }
      return null;
    },
    counter: [
      'Put the whole command `ralph emit <topic> "<payload>"` into the instructions',
      'Add a check that the event is in the events file',
    ],
    newTest: 'event-emitted-not-just-named',
  },
];

const EXCUSE_TESTS: Readonly<Record<string, { readonly name: string; readonly newTest: string }>> = {
  'claims-work-that-is-not-there': {
    name: 'Agent reports files that it did not write',
    newTest: 'reported-file-exists',
  },
  'claims-an-event-that-is-not-there': {
    name: 'Agent reports events that it did not emit',
    newTest: 'reported-event-exists',
  },
  'claims-checks-that-did-not-run': {
    name: 'Agent reports checks that it did not run',
    newTest: 'evidence-not-just-claimed',
  },
  'claims-implied': { name: 'Agent treats results as implied', newTest: 'results-stated-not-implied' },
  'says-later': { name: 'Agent postpones a required step', newTest: 'required-step-not-put-off' },
  'declares-without-the-signal': {
    name: 'Agent declares the end without the completion promise',
    newTest: 'completion-needs-the-promise',
  },
  'takes-instructions-for-suggestions': {
    name: 'Agent treats instructions as suggestions',
    newTest: 'instructions-are-requirements',
  },
  'cuts-the-scope': {
    name: 'Agent does part of the work and calls it enough',
    newTest: 'whole-scope-required',
  },
  'blames-the-environment': {
    name: 'Agent blames the environment without trying',
    newTest: 'tries-before-giving-up',
  },
  'acknowledges-without-acting': {
    name: 'Agent acknowledges instructions but does not follow them',
    newTest: 'behavior-not-just-acknowledgment',
  },
};

/** One scenario may just have a bad prompt; two show a habit. */
const FEWEST = 2;
const MOST_EVIDENCE = 10;

/** Finds ways around the instructions that occur in several scenarios, the most frequent first. */
function findLoopholes(
  failures: readonly Execution[],
  rationalizations: readonly Rationalization[],
): Loophole[] {
  const facts = failures.map(readFacts).filter((found) => found !== null);
  const seen = WAYS.map(({ name, pattern, seen: look, counter, newTest }) => ({
    name,
    pattern,
    evidence: facts.flatMap((one) => {
      const text = look(one);
      return text === null ? [] : [{ scenario_id: one.execution.scenarioId, text }];
    }),
    suggested_counter: [...counter],
    new_test: newTest,
  }));
  const said = Object.entries(EXCUSE_TESTS).map(([pattern, { name, newTest }]) => {
    const those = rationalizations.filter((found) => found.pattern === pattern);
    return {
      name,
      pattern: `Agents say things like "${those[0]?.quote ?? ''}"; ${lowerFirst(those[0]?.reality ?? '')}`,
      evidence: those.map(({ scenario_id, iteration, quote }) => ({
        scenario_id,
        text: `iteration ${iteration}: "${quote}"`,
      })),
      suggested_counter: [those[0]?.action ?? ''],
      new_test: newTest,
    };
  });
  return [...seen, ...said]
    .map((found) => ({ ...found, scenarios: new Set(found.evidence.map((item) => item.scenario_id)).size }))
    .filter(({ scenarios }) => scenarios >= FEWEST)
    .sort((a, b) => b.scenarios - a.scenarios)
    .map(({ scenarios, ...found }) => ({
      ...found,
      evidence: oneEach(found.evidence).slice(0, MOST_EVIDENCE),
    }));
}

function oneEach(evidence: Loophole['evidence']): Loophole['evidence'] {
  const seen = new Set<string>();
  return evidence.filter(({ scenario_id }) => !seen.has(scenario_id) && seen.add(scenario_id));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
