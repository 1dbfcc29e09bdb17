import { brokenCalls, LAST_CATEGORIES, unansweredPrompts } from '../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../domain/diagnosis/rule.js';

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
    const onlyTheEnd = broken.every(({ category }) => LAST_CATEGORIES.has(category));
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

/** The script of the offline lanes had no answer: what explains that comes before, what follows from it after. */
export const scriptRules: readonly DiagnosisRule[] = [scriptBroke, agentWithoutRule];
