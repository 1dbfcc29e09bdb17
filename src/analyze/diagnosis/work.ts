import type { CheckCategory, CheckResult } from '../../domain/check.js';
import { wordingOf } from '../../domain/diagnosis/check-facts.js';
import { brokenOf, type Case, quoteCheck } from '../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../domain/diagnosis/rule.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { promiseOf } from '../../domain/evidence/facts.js';

/** Categories of checks on the agent's work. */
const WORK: readonly CheckCategory[] = [
  'OutputContains',
  'FileCreated',
  'FileContains',
  'PromptEffectiveness',
];

/** Checks on a file or a task that the run should create. */
const MAKES: ReadonlySet<string> = new Set(['fileContains', 'fileEquals', 'taskIs']);

/** Whether a prompt mentions the file or task. If not, a hook, the backend or an earlier run creates it. */
function wasAskedFor({ kind, about }: CheckResult, { iterations, promptText }: Evidence): boolean {
  const thing = MAKES.has(kind) ? (about?.path ?? about?.task) : undefined;
  return (
    thing === undefined ||
    promptText.includes(thing) ||
    iterations.some(
      ({ prompt, toolCalls }) =>
        (prompt ?? '').includes(thing) || toolCalls.some(({ input }) => input.includes(thing)),
    )
  );
}

const ineffective: DiagnosisRule = {
  name: 'agent-did-not-do-it',
  type: 'PromptIneffective',
  blames: 'agent',
  investigations: [
    'Read the prompts: is the instruction easy to miss or to misunderstand?',
    'Did the agent have the tools and the permissions that the work needs?',
  ],
  fixes: [fix('State the instruction more clearly, including when the work is done', 0.5, 'ralph.yml')],
  find: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, ...WORK).filter(
      (check) => check.kind !== 'printedAtLeast' && !isAboutTheEnd(check, failure),
    );
    const [first] = red;
    if (!evidence || !first || evidence.iterations.length === 0 || !wasAskedFor(first, evidence)) return null;
    const errors = evidence.iterations.flatMap(({ number, toolCalls }) =>
      toolCalls
        .filter(({ isError }) => isError)
        .map(
          ({ name, result }) => `iteration ${number}: tool ${name} failed: ${(result ?? '').slice(0, 200)}`,
        ),
    );
    const last = evidence.iterations.findLast(({ said }) => said.trim() !== '');
    return {
      hypothesis:
        errors.length > 0
          ? 'The agent tried, but its tools failed.'
          : 'The agent received its instructions, but did not follow them, or did something else.',
      evidence: [
        ...red.slice(0, 5).map(quoteCheck),
        ...errors.slice(0, 3),
        ...(last ? [`iteration ${last.number}, the agent said: ${last.said.trim().slice(0, 200)}`] : []),
      ],
    };
  },
};

/** Whether only the completion promise is missing; then another rule looks at the end of the loop. */
function isAboutTheEnd(check: CheckResult, { evidence, broken }: Case): boolean {
  const ended = broken.some(({ category }) => category === 'TerminationReason');
  if (!ended || check.kind !== 'agentSaid' || evidence === null) return false;
  return wordingOf(check).includes(promiseOf(evidence));
}

/** Rules about an agent that ran, but did not do what it was asked to. */
export const workRules: readonly DiagnosisRule[] = [ineffective];
