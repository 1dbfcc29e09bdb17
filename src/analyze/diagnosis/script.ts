import { brokenCalls, LAST_CATEGORIES, unansweredPrompts } from '../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../domain/diagnosis/rule.js';

const scriptBroke: DiagnosisRule = {
  name: 'scripted-agent-broke',
  type: 'Unknown',
  blames: 'harness',
  hypothesis:
    'A call of the scripted agent failed, but everything else that the scenario expects happened. The stand-in or the script has a bug.',
  investigations: ['Run the test again: an unplayable script fails in every run.'],
  fixes: [fix('Fix the agent script of the scenario', 0.3, 'scenarios/')],
  find: ({ evidence, broken }) => {
    const calls = evidence ? brokenCalls(evidence) : [];
    // If more checks fail, the target may have sent something that broke the call.
    if (calls.length === 0 || broken.some(({ kind }) => kind !== 'scriptAnswered')) return null;
    return calls.slice(0, 3);
  },
};

const agentWithoutRule: DiagnosisRule = {
  name: 'scripted-agent-had-no-answer',
  type: 'PromptIneffective',
  blames: 'harness',
  hypothesis:
    'The scripted agent got a prompt or arguments that its script does not cover. Either the target sent something other than the scenario intends, or the script is incomplete.',
  investigations: [
    'Compare the prompt that got no answer with the conditions of the agent script: which one does not hold?',
    'Look for the first earlier prompt that already differs from what the scenario intends.',
  ],
  fixes: [
    fix('Make the target send what the scenario intends', 0.5),
    fix('Add a rule to the agent script of the scenario', 0.4, 'scenarios/'),
  ],
  find: ({ evidence, broken }) => {
    const lost = evidence ? unansweredPrompts(evidence) : [];
    // A script that has finished has no answer for a loop that does not end; then another rule looks at the end.
    const played = evidence?.invocations.some(({ outcome }) => outcome === 'played') ?? false;
    const onlyTheEnd = broken.every(({ category }) => LAST_CATEGORIES.has(category));
    if (lost.length === 0 || (played && onlyTheEnd)) return null;
    return lost.slice(0, 3);
  },
};

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

/** The rule about replays. It comes first: what follows a divergence has no other cause. */
export const recordingRules: readonly DiagnosisRule[] = [recordingLeft];

/** Rules about scripts without an answer. They come after the rules for its causes and before those for its effects. */
export const scriptRules: readonly DiagnosisRule[] = [scriptBroke, agentWithoutRule];
