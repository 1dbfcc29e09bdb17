import type { CheckCategory, CheckResult } from '../domain/check.js';
import type { Evidence } from '../domain/evidence.js';
import { brokenOf, type Case, emittedTopics, quoteCheck, wasReached } from './clues.js';
import { type DiagnosisRule, fix } from './rule.js';

/** What an agent is asked to do shows in these. */
const WORK: readonly CheckCategory[] = [
  'OutputContains',
  'FileCreated',
  'FileContains',
  'PromptEffectiveness',
];

const promptIncomplete: DiagnosisRule = {
  name: 'prompt-lacks-instructions',
  type: 'PromptIneffective',
  apply: (failure) => {
    const { evidence } = failure;
    if (!evidence) return null;
    const red = brokenOf(failure, 'PromptContent').filter(
      (check) =>
        check.kind !== 'hatActive' && wasReached(check, evidence) && !waitsForMissingEvent(check, evidence),
    );
    if (red.length === 0 && !lacksObjective(evidence)) return null;
    return {
      hypothesis:
        'The target did not send the agent what it should have: the fault is in how the prompt is built, not in the agent.',
      evidence: [
        ...red.map(quoteCheck),
        ...(lacksObjective(evidence)
          ? ['iteration 1: the prompt that was sent does not contain the prompt that the target was given']
          : []),
      ],
      investigations: [
        'Read the prompts of the iterations in the context: which section is missing?',
        'Is the text in ralph.yml, and is the hat active in that iteration?',
      ],
      fixes: [fix('Correct how the prompt is built', 0.7, promptBuilder(failure))],
    };
  },
};

/** A prompt cannot announce an event that nobody emitted: then the event is what is missing. */
function waitsForMissingEvent({ expected }: CheckResult, evidence: Evidence): boolean {
  const topic = /Event: (\S+)/.exec(expected)?.[1];
  return topic !== undefined && !emittedTopics(evidence).includes(topic);
}

const parroted: DiagnosisRule = {
  name: 'agent-repeats-its-prompt',
  type: 'PromptIneffective',
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

const wrongHat: DiagnosisRule = {
  name: 'wrong-hat-active',
  type: 'AssertionMismatch',
  apply: (failure) => {
    const { evidence } = failure;
    const red = failure.broken.filter(({ kind }) => kind === 'hatActive');
    if (!evidence || red.length === 0) return null;
    return {
      hypothesis:
        'The event that should have made the hat active was routed elsewhere, or came at another time.',
      evidence: [
        ...red.map(quoteCheck),
        `hats of the iterations: ${evidence.iterations.map(({ hat }) => hat ?? 'unknown').join(', ')}`,
      ],
      investigations: [
        'Which hats have a trigger that matches the event? Of several, ralph takes the first by id.',
        'A topic that ends in .start is ignored when another event is pending.',
      ],
      fixes: [fix('Correct the triggers of the hat', 0.4, 'ralph.yml')],
    };
  },
};

const ineffective: DiagnosisRule = {
  name: 'agent-did-not-do-it',
  type: 'PromptIneffective',
  apply: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, ...WORK);
    if (!evidence || red.length === 0 || evidence.iterations.length === 0) return null;
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

function lacksObjective({ iterations, promptText }: Evidence): boolean {
  const sent = iterations[0]?.prompt;
  const given = promptText.trim();
  if (!sent || given === '') return false;
  const squeeze = (text: string) => text.replace(/\s+/g, ' ');
  return !squeeze(sent).includes(squeeze(given));
}

function promptBuilder({ run }: Case): string | null {
  return run.target.kind === 'real' ? 'crates/ralph-core/src/hatless_ralph.rs' : null;
}

/** The agent got the wrong prompt, or is no agent: that explains missing events and an odd end as well. */
export const promptRules: readonly DiagnosisRule[] = [promptIncomplete, parroted];

/** The agent ran, but its work is not what was asked for. */
export const workRules: readonly DiagnosisRule[] = [wrongHat, ineffective];
