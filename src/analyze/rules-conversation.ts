import type { ConversationRecord, Turn } from '../domain/conversation.js';
import { type Case, quoteCheck, quoteEnd } from './clues.js';
import { type DiagnosisRule, fix } from './rule.js';

/** A rule that looks at the conversation itself; other runs are none of its business. */
function conversationRule(
  rule: Omit<DiagnosisRule, 'apply'> & {
    readonly apply: (conversation: ConversationRecord, failure: Case) => ReturnType<DiagnosisRule['apply']>;
  },
): DiagnosisRule {
  return {
    ...rule,
    apply: (failure) => {
      const conversation = failure.evidence?.conversation;
      return conversation === undefined ? null : rule.apply(conversation, failure);
    },
  };
}

const neverStarted = conversationRule({
  name: 'session-did-not-start',
  type: 'ConfigurationError',
  blames: 'target',
  apply: ({ startError }, { evidence }) =>
    startError === null
      ? null
      : {
          hypothesis: `The agent CLI ended before the first turn: ${startError}`,
          evidence: evidence === null ? [] : quoteEnd(evidence.stderr, 6),
          investigations: ['Start the CLI by hand with the same plugins and read what it prints.'],
          fixes: [fix('Correct what the CLI complains about: a plugin, an argument, its settings', 0.7)],
        },
});

const pluginNotLoaded = conversationRule({
  name: 'plugin-not-loaded',
  type: 'ConfigurationError',
  blames: 'target',
  apply: ({ init }, failure) => {
    const errors = init?.pluginErrors ?? [];
    const wanted = failure.broken.some(({ kind }) => kind === 'pluginFailed');
    if (errors.length === 0 || wanted) return null;
    return {
      hypothesis:
        'The CLI could not load a plugin, or a part of it. It goes on without, and says so only in its first event.',
      evidence: errors.map(({ plugin, type, message }) => `${plugin} ${type}: ${message}`),
      investigations: ['Run `claude plugin validate` on the folder of the plugin.'],
      fixes: [fix('Correct what the message names', 0.9, '.claude-plugin/plugin.json')],
    };
  },
});

const commandUnknown = conversationRule({
  name: 'command-unknown',
  type: 'ConfigurationError',
  blames: 'target',
  apply: ({ turns, commands }) => {
    const lost = turns.filter(({ outcome }) => outcome.kind === 'unknown-command');
    if (lost.length === 0) return null;
    const offered = commands.map(({ name }) => name).filter((name) => name.includes(':'));
    return {
      hypothesis:
        'A command of the conversation does not exist, or several plugins have one of that name: it was not sent.',
      evidence: [
        ...lost.map(({ number, asked }) => `turn ${number}: ${asked}`),
        `commands of plugins: ${offered.join(', ') || 'none'}`,
      ],
      investigations: ['Is the plugin loaded, and does it have the file under commands/?'],
      fixes: [fix('Add the command to the plugin, or give it with its namespace', 0.8, 'commands/')],
    };
  },
});

const sessionBrokeOff = conversationRule({
  name: 'session-broke-off',
  type: 'UnexpectedTermination',
  blames: 'infrastructure',
  apply: ({ turns, planned }, { evidence }) => {
    const last = turns.at(-1);
    if (last?.outcome.kind !== 'crashed') return null;
    return {
      hypothesis: `The agent CLI ended in the middle of turn ${last.number} of ${planned}: ${last.outcome.detail}`,
      evidence: evidence === null ? [] : quoteEnd(evidence.stderr, 6),
      investigations: ['Run the scenario again with --keep-workspace: does it end in the same turn?'],
      fixes: [],
    };
  },
});

const hookStoppedIt = conversationRule({
  name: 'hook-stopped-it',
  type: 'PromptIneffective',
  blames: 'agent',
  apply: ({ turns }, failure) => {
    if (failure.broken.some(({ kind }) => kind === 'hookBlocked' || kind === 'turnEnded')) return null;
    const stopped = turns.flatMap((turn) => blockedIn(turn).map((reason) => ({ turn, reason })));
    if (stopped.length === 0) return null;
    return {
      hypothesis:
        'A hook of the plugin stopped what the agent was about to do, and the agent did not get over it.',
      evidence: [
        ...stopped.slice(0, 4).map(({ turn, reason }) => `turn ${turn.number}: ${reason}`),
        ...failure.broken.slice(0, 3).map(quoteCheck),
      ],
      investigations: [
        'Was the hook right? Then the agent skipped a step that it guards.',
        'Was it wrong? Feed the hook its payload by hand: it is a plain program that reads JSON.',
      ],
      fixes: [
        fix('Have the command say what the hook asks for', 0.5, 'commands/'),
        fix('Correct the hook', 0.3, 'hooks/'),
      ],
    };
  },
});

const stageWithoutTrace = conversationRule({
  name: 'stage-without-a-trace',
  type: 'PromptIneffective',
  blames: 'agent',
  apply: ({ stages }, failure) => {
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
      investigations: ['Read the turns: what was the agent sent, what did it say, which tools did it call?'],
      fixes: [fix('Make the command say what must be done before the stage is over', 0.6, 'commands/')],
    };
  },
});

const STAGE_KINDS = new Set(['stageReached', 'stagesWere', 'noStageSkipped', 'commitsMade', 'commitIs']);

/** Why things were stopped in a turn. */
function blockedIn({ outcome, hooks }: Turn): string[] {
  if (outcome.kind === 'blocked') return [outcome.reason];
  return hooks.flatMap(({ blocked, name, reason }) => (blocked ? [`${name}: ${reason}`] : []));
}

export const conversationRules: readonly DiagnosisRule[] = [
  neverStarted,
  pluginNotLoaded,
  commandUnknown,
  sessionBrokeOff,
  hookStoppedIt,
  stageWithoutTrace,
];
