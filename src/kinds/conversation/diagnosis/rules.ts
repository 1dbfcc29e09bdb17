import { quoteCheck, quoteEnd } from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import { hookRules } from './hook.js';
import { inConversation } from './in-conversation.js';
import { pluginRules } from './plugin.js';

const neverStarted: DiagnosisRule = {
  name: 'session-did-not-start',
  type: 'ConfigurationError',
  blames: 'target',
  investigations: ['Start the CLI by hand with the same plugins and read what it prints.'],
  fixes: [fix('Correct what the CLI complains about: a plugin, an argument, its settings', 0.7)],
  find: inConversation(({ startError }, { evidence }) =>
    startError === null
      ? null
      : {
          hypothesis: `The agent CLI ended before the first turn: ${startError}`,
          evidence: evidence === null ? [] : quoteEnd(evidence.stderr, 6),
        },
  ),
};

const sessionBrokeOff: DiagnosisRule = {
  name: 'session-broke-off',
  type: 'UnexpectedTermination',
  blames: 'infrastructure',
  investigations: ['Run the scenario again with --keep-workspace: does it end in the same turn?'],
  find: inConversation(({ turns, planned }, { evidence }) => {
    const last = turns.at(-1);
    if (last?.outcome.kind !== 'crashed') return null;
    return {
      hypothesis: `The agent CLI ended in the middle of turn ${last.number} of ${planned}: ${last.outcome.detail}`,
      evidence: evidence === null ? [] : quoteEnd(evidence.stderr, 6),
    };
  }),
};

const stageWithoutTrace: DiagnosisRule = {
  name: 'stage-without-a-trace',
  type: 'PromptIneffective',
  blames: 'agent',
  investigations: ['Read the turns: what was the agent sent, what did it say, which tools did it call?'],
  fixes: [fix('Make the command say what must be done before the stage is over', 0.6, 'commands/')],
  find: inConversation(({ stages }, failure) => {
    if (!failure.broken.some(({ kind }) => STAGE_KINDS.has(kind))) return null;
    const empty = stages.filter(({ proofs }) => !proofs.includes('observed'));
    const skipped = stages.filter(({ valid }) => !valid);
    return {
      hypothesis:
        skipped.length > 0
          ? 'The conversation left out a stage of the workflow.'
          : 'A stage was asked for or declared, and nothing in the project shows that it took place.',
      evidence: [
        ...skipped.map(
          ({ turn, from, to }) => `turn ${turn}: ${from} → ${to}, which the workflow does not allow`,
        ),
        ...empty.map(
          ({ turn, to, proofs }) => `turn ${turn}: ${to} is ${proofs.join(' and ') || 'not proved'} only`,
        ),
        ...failure.broken.slice(0, 4).map(quoteCheck),
      ],
    };
  }),
};

const STAGE_KINDS = new Set(['stageReached', 'stagesWere', 'noStageSkipped', 'commitsMade', 'commitIs']);

/** The session as a whole, then its plugins, then what the agent did in it. */
export const conversationRules: readonly DiagnosisRule[] = [
  neverStarted,
  ...pluginRules,
  sessionBrokeOff,
  ...hookRules,
  stageWithoutTrace,
];
