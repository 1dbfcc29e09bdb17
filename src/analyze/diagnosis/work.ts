import type { CheckCategory, CheckResult } from '../../domain/check.js';
import { wordingOf } from '../../domain/diagnosis/check-facts.js';
import { brokenOf, type Case, quoteCheck } from '../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../domain/diagnosis/rule.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { promiseOf } from '../../domain/evidence/facts.js';

/** What an agent is asked to do shows in these. */
const WORK: readonly CheckCategory[] = [
  'OutputContains',
  'FileCreated',
  'FileContains',
  'PromptEffectiveness',
];

/** Checks on a file or a task that the run should make. */
const MAKES: ReadonlySet<string> = new Set(['fileContains', 'fileEquals', 'taskIs']);

/** A file or task that no prompt names is not the agent's to make: a hook, the backend or an earlier run makes it. */
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
  apply: (failure) => {
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
          ? 'The agent was asked and tried, but its tools failed.'
          : 'The agent received what it was asked to do, and did not do it, or did it differently.',
      evidence: [
        ...red.slice(0, 5).map(quoteCheck),
        ...errors.slice(0, 3),
        ...(last ? [`iteration ${last.number}, the agent said: ${last.said.trim().slice(0, 200)}`] : []),
      ],
      investigations: [
        'Read the prompts that were sent: can the instruction be overlooked or misunderstood?',
        'Did the agent have the tools and the permissions that the work needs?',
      ],
      fixes: [fix('State the instruction more plainly, and when the work is done', 0.5, 'ralph.yml')],
    };
  },
};

/** The word that ends the loop is the last of the work: where it is all that lacks, the end is what matters. */
function isAboutTheEnd(check: CheckResult, { evidence, broken }: Case): boolean {
  const ended = broken.some(({ category }) => category === 'TerminationReason');
  if (!ended || check.kind !== 'agentSaid' || evidence === null) return false;
  return wordingOf(check).includes(promiseOf(evidence));
}

/** The agent ran, but its work is not what was asked for. */
export const workRules: readonly DiagnosisRule[] = [ineffective];
