import { emissionOf, wordingOf } from '../../../analyze/diagnosis/check-facts.js';
import {
  brokenCalls,
  brokenOf,
  type Case,
  emittedTopics,
  PENDING_KINDS,
  quoteCheck,
  ROUTING_KINDS,
  unansweredPrompts,
  wasReached,
} from '../../../analyze/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../analyze/diagnosis/rule.js';
import { promiseOf } from '../../../analyze/excuses/excuse-facts.js';
import type { CheckCategory, CheckResult } from '../../../domain/check.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { hatsWithoutInstructions, lacksObjective } from './config-clues.js';

/** What an agent is asked to do shows in these. */
const WORK: readonly CheckCategory[] = [
  'OutputContains',
  'FileCreated',
  'FileContains',
  'PromptEffectiveness',
];

const bareHat: DiagnosisRule = {
  name: 'prompt-lacks-hat-or-objective',
  type: 'PromptIneffective',
  blames: 'target',
  apply: (failure) => {
    const { evidence } = failure;
    if (!evidence) return null;
    const bare = hatsWithoutInstructions(evidence);
    const lacking = lacksObjective(evidence);
    if (bare.length === 0 && !lacking) return null;
    return {
      hypothesis:
        'The target did not send the agent what the configuration and the prompt say: the fault is in how the prompt is built, not in the agent.',
      evidence: [
        ...bare
          .slice(0, 4)
          .map((hat) => `no prompt of hat ${hat} has the instructions of that hat in ralph.yml`),
        ...(lacking
          ? ['iteration 1: the prompt that was sent does not contain the prompt that the target was given']
          : []),
        ...failure.broken.slice(0, 4).map(quoteCheck),
      ],
      investigations: ['Read the prompts of the iterations in the context: which section is missing?'],
      fixes: [fix('Correct how the prompt is built', 0.8, promptBuilder(failure))],
    };
  },
};

/** Checks that are red when a prompt holds what it should not. */
const HOLDS_TOO_MUCH: ReadonlySet<string> = new Set([
  'promptLacked',
  'keptOutOfPrompt',
  'noMemoriesInjected',
]);

const promptIncomplete: DiagnosisRule = {
  name: 'prompt-lacks-instructions',
  type: 'PromptIneffective',
  blames: 'target',
  apply: (failure) => {
    const { evidence } = failure;
    if (!evidence) return null;
    // Which hat has its turn, and which events are pending, are questions of their own.
    const red = brokenOf(failure, 'PromptContent').filter(
      (check) =>
        check.kind === 'toldOnlyTo' ||
        (!ROUTING_KINDS.has(check.kind) &&
          !PENDING_KINDS.has(check.kind) &&
          !HOLDS_TOO_MUCH.has(check.kind) &&
          wasReached(check, evidence) &&
          !isAboutEvent(check)),
    );
    if (red.length === 0 || followsPayload(failure, evidence)) return null;
    return {
      hypothesis:
        'The target did not send the agent what it should have: the fault is in how the prompt is built, not in the agent.',
      evidence: red.slice(0, 6).map(quoteCheck),
      investigations: [
        'Read the prompts of the iterations in the context: which section is missing?',
        'Is the text in ralph.yml, and is the hat active in that iteration?',
      ],
      fixes: [fix('Correct how the prompt is built', 0.7, promptBuilder(failure))],
    };
  },
};

const promptTooLong: DiagnosisRule = {
  name: 'prompt-holds-too-much',
  type: 'AssertionMismatch',
  blames: 'target',
  apply: (failure) => {
    const red = failure.broken.filter((check) => check.kind === 'promptLacked' && !isAboutEvent(check));
    if (red.length === 0 || red.length < failure.broken.length) return null;
    return {
      hypothesis: 'The prompt that the agent was sent holds what it should not.',
      evidence: red.map(quoteCheck),
      investigations: [
        'Where does the text come from: an earlier run, the configuration, or the prompt file?',
      ],
      fixes: [fix('Correct how the prompt is built', 0.5, promptBuilder(failure))],
    };
  },
};

/** Where the first thing that went wrong is the payload of an event, later prompts differ because of it. */
function followsPayload({ broken }: Case, evidence: Evidence): boolean {
  const first = broken.find(({ category }) => !ENDING.has(category));
  if (first?.category !== 'EventPayload') return false;
  const topic = emissionOf(first);
  return topic !== null && emittedTopics(evidence).includes(topic);
}

/** An event that a prompt should announce has a cause of its own: it was not emitted, or not handed on. */
function isAboutEvent(check: CheckResult): boolean {
  return /Event: \S+/.test(wordingOf(check));
}

const parroted: DiagnosisRule = {
  name: 'agent-repeats-its-prompt',
  type: 'PromptIneffective',
  blames: 'agent',
  apply: (failure) => {
    const { evidence } = failure;
    const echo = evidence?.iterations.find(
      ({ prompt, said }) => prompt !== null && prompt.trim().length > 80 && said.includes(prompt.trim()),
    );
    if (!echo || failure.broken.length === 0) return null;
    return {
      hypothesis:
        'The agent printed its prompt instead of working on it: the backend is not a real agent, or it is called in a wrong way.',
      evidence: [
        `iteration ${echo.number}: the answer contains the whole prompt`,
        ...failure.broken.slice(0, 4).map(quoteCheck),
      ],
      investigations: ['Which executable is it that answers? See the backends at the top.'],
      fixes: [],
    };
  },
};

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

/** What the end of a loop shows in, and words that come last. */
const ENDING: ReadonlySet<CheckCategory> = new Set([
  'TerminationReason',
  'IterationCount',
  'Harness',
  'OutputContains',
]);

const scriptBroke: DiagnosisRule = {
  name: 'scripted-agent-broke',
  type: 'Unknown',
  blames: 'harness',
  apply: ({ evidence, broken }) => {
    const calls = evidence ? brokenCalls(evidence) : [];
    // Where more is red, the call may have broken by what the target sent.
    if (calls.length === 0 || broken.some(({ kind }) => kind !== 'scriptAnswered')) return null;
    return {
      hypothesis:
        'A call of the scripted agent broke, and all that the scenario expects came about nevertheless: a fault of the stand-in, or of the script.',
      evidence: calls.slice(0, 3),
      investigations: ['Run the test again: a script that cannot be played breaks in every run.'],
      fixes: [fix('Mend the agent script of the scenario', 0.3, 'scenarios/')],
    };
  },
};

const agentWithoutRule: DiagnosisRule = {
  name: 'scripted-agent-had-no-answer',
  type: 'PromptIneffective',
  blames: 'harness',
  apply: ({ evidence, broken }) => {
    const lost = evidence ? unansweredPrompts(evidence) : [];
    // A script that has done all its work has no answer for a loop that does not end: then the end is what matters.
    const played = evidence?.invocations.some(({ outcome }) => outcome === 'played') ?? false;
    const onlyTheEnd = broken.every(({ category }) => ENDING.has(category));
    if (lost.length === 0 || (played && onlyTheEnd)) return null;
    return {
      hypothesis:
        'The scripted agent was called with a prompt or arguments that its script does not cover. Either the target sent something else than the scenario intends, or the script is incomplete.',
      evidence: lost.slice(0, 3),
      investigations: [
        'Compare the prompt of that iteration with the conditions of the agent script: which one does not hold?',
        'Look for the first earlier iteration whose prompt already differs from what the scenario intends.',
      ],
      fixes: [
        fix('Make the target send what the scenario intends', 0.5),
        fix('Add a rule to the agent script of the scenario', 0.4, 'scenarios/'),
      ],
    };
  },
};

function promptBuilder({ run }: Case): string | null {
  return run.target.kind === 'real' ? 'crates/ralph-core/src/hatless_ralph.rs' : null;
}

/** The agent got the wrong prompt, or is no agent: that explains missing events and an odd end as well. */
export const promptRules: readonly DiagnosisRule[] = [promptIncomplete, promptTooLong, parroted];

/** The plainest fault of a prompt: what the configuration says stands in none. */
export const bareRules: readonly DiagnosisRule[] = [bareHat];

/** The agent ran, but its work is not what was asked for. */
export const workRules: readonly DiagnosisRule[] = [ineffective];

/** The script of the offline lanes had no answer: what explains that comes before, what follows from it after. */
export const scriptRules: readonly DiagnosisRule[] = [scriptBroke, agentWithoutRule];
