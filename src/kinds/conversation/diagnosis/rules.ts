import type { CheckResult } from '../../../domain/check.js';
import { hasWording } from '../../../domain/diagnosis/check-facts.js';
import { type Case, quoteCheck, quoteEnd } from '../../../domain/diagnosis/clues.js';
import { sortByMoment } from '../../../domain/diagnosis/divergence.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { ConversationRecord, HookRun, Turn } from '../../../domain/evidence/conversation.js';
import { isTool } from '../stages/tool-class.js';

/** Turns a search in a conversation into a search in a case. It finds nothing if the case has no conversation. */
function inConversation<Found>(
  search: (conversation: ConversationRecord, failure: Case) => Found | null,
): (failure: Case) => Found | null {
  return (failure) => {
    const conversation = failure.evidence?.conversation;
    return conversation === undefined ? null : search(conversation, failure);
  };
}

/** Ends of turns whose command never reached the agent. */
const UNSENT: ReadonlySet<Turn['outcome']['kind']> = new Set(['unknown-command', 'ambiguous-command']);

const PART_KINDS = new Set(['pluginLoaded', 'commandsOffered', 'componentsOffered']);

const STAGE_KINDS = new Set(['stageReached', 'stagesWere', 'noStageSkipped', 'commitsMade', 'commitIs']);

/** The session as a whole, then its plugins, then what the agent did in it. */
export const conversationRules: readonly DiagnosisRule[] = [
  {
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
  },
  {
    name: 'plugin-not-loaded',
    type: 'ConfigurationError',
    blames: 'target',
    hypothesis:
      'The CLI could not load a plugin, or a part of it. It goes on without, and says so only in its first event.',
    investigations: ['Run `claude plugin validate` on the folder of the plugin.'],
    fixes: [fix('Correct what the message names', 0.9, '.claude-plugin/plugin.json')],
    find: inConversation(({ init }, failure) => {
      const errors = init?.pluginErrors ?? [];
      const wanted = failure.attempt.checks.some(({ kind }) => kind === 'pluginFailed');
      if (errors.length === 0 || wanted) return null;
      return errors.map(({ plugin, type, message }) => `${plugin} ${type}: ${message}`);
    }),
  },
  {
    name: 'plugin-works-after-all',
    type: 'AssertionMismatch',
    blames: 'target',
    hypothesis:
      'The scenario is about a plugin that cannot be loaded, and the CLI loaded it without complaint.',
    investigations: ['Is the plugin still broken? If it is: the CLI has become more lenient.'],
    find: inConversation(({ init }, failure) => {
      const unsaid = failure.broken.filter(({ kind }) => kind === 'pluginFailed');
      if (unsaid.length === 0 || (init?.pluginErrors ?? []).length > 0) return null;
      return unsaid.map(quoteCheck);
    }),
  },
  {
    name: 'command-unknown',
    type: 'ConfigurationError',
    blames: 'target',
    hypothesis:
      'A command of the conversation does not exist, or several plugins have one of that name: it was not sent.',
    investigations: ['Is the plugin loaded, and does it have the file under commands/?'],
    fixes: [fix('Add the command to the plugin, or give it with its namespace', 0.8, 'commands/')],
    find: inConversation(({ turns, commands }, failure) => {
      const lost = turns.filter((turn) => UNSENT.has(turn.outcome.kind) && !isMeant(turn, failure));
      if (lost.length === 0) return null;
      const offered = commands.map(({ name }) => name).filter((name) => name.includes(':'));
      return [
        ...lost.map(({ number, asked }) => `turn ${number}: ${asked}`),
        `commands of plugins: ${offered.join(', ') || 'none'}`,
      ];
    }),
  },
  {
    name: 'plugin-part-missing',
    type: 'ConfigurationError',
    blames: 'target',
    hypothesis: 'The session does not have a plugin, or a part of one, that the conversation is about.',
    investigations: ['Which folders of plugins did the CLI get, and what lies in them?'],
    fixes: [fix('Add the plugin, or the part that it lacks', 0.7, '.claude-plugin/plugin.json')],
    find: inConversation((_, { broken }) => {
      const missing = broken.filter(({ kind }) => PART_KINDS.has(kind));
      return missing.length === 0 ? null : missing.map(quoteCheck);
    }),
  },
  {
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
  },
  {
    name: 'hook-stopped-it',
    type: 'PromptIneffective',
    blames: 'agent',
    hypothesis:
      'A hook of the plugin stopped what the agent was about to do, and the agent did not get over it.',
    investigations: [
      'Was the hook right? Then the agent skipped a step that it guards.',
      'Was it wrong? Feed the hook its payload by hand: it is a plain program that reads JSON.',
    ],
    fixes: [
      fix('Have the command say what the hook asks for', 0.5, 'commands/'),
      fix('Correct the hook', 0.3, 'hooks/'),
    ],
    find: inConversation(({ turns }, failure) => {
      if (failure.broken.some(({ kind }) => kind === 'hookBlocked' || kind === 'turnEnded')) return null;
      const [first] = sortByMoment(failure.broken);
      const last = first?.about?.turn ?? first?.about?.unanswered ?? Number.POSITIVE_INFINITY;
      const stopped = turns
        .filter(({ number }) => number <= last)
        .flatMap((turn) => unwantedIn(turn, failure).map((reason) => ({ turn, reason })));
      if (stopped.length === 0) return null;
      return [
        ...stopped.slice(0, 4).map(({ turn, reason }) => `turn ${turn.number}: ${reason}`),
        ...failure.broken.slice(0, 3).map(quoteCheck),
      ];
    }),
  },
  {
    name: 'tool-never-called',
    type: 'PromptIneffective',
    blames: 'agent',
    hypothesis: 'The hooks wait for calls of tools, and the agent made none.',
    investigations: ['Read the turns: was the agent asked for something that needs a tool?'],
    fixes: [fix('Make the prompt or the command ask for the work', 0.6, 'commands/')],
    find: inConversation(({ turns }, { broken }) => {
      const unlogged = broken.filter(({ kind }) => kind === 'hookLogged');
      const onTools = unlogged.every(({ about }) => /^(?:Pre|Post)ToolUse/.test(about?.hook ?? ''));
      if (unlogged.length === 0 || !onTools || turns.some(({ calls }) => calls.length > 0)) return null;
      return unlogged.map(quoteCheck);
    }),
  },
  {
    name: 'hook-left-no-record',
    type: 'EventMissing',
    blames: 'target',
    hypothesis:
      'An event that a hook should have recorded is not in its log: it did not happen, or the hook did nothing.',
    investigations: ['Feed the hook such an event by hand: it is a plain program that reads JSON.'],
    fixes: [fix('Register the hook for the event, or correct it', 0.5, 'hooks/hooks.json')],
    find: inConversation((_, { broken }) => {
      const unlogged = broken.filter(({ kind }) => kind === 'hookLogged');
      return unlogged.length === 0 ? null : unlogged.map(quoteCheck);
    }),
  },
  {
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
  },
];

/** Whether a check holds which wants the turn to end as it did: then its end explains nothing. */
function isMeant({ number }: Turn, { attempt }: Case): boolean {
  return attempt.checks.some(
    ({ kind, about, passed }) => passed && kind === 'turnEnded' && about?.turn === number,
  );
}

/** Why things were stopped in a turn that no passed check wants to be stopped. */
function unwantedIn(turn: Turn, { attempt }: Case): string[] {
  const { outcome, hooks } = turn;
  const held = attempt.checks.filter(({ passed, about }) => passed && about?.turn === turn.number);
  if (outcome.kind === 'blocked') {
    const isWanted = held.some(({ kind, about }) => kind === 'turnEnded' && about?.reason === 'blocked');
    return isWanted || held.some((check) => wantsBlock(check, outcome.reason)) ? [] : [outcome.reason];
  }
  return hooks
    .filter((hook) => hook.blocked && !held.some((check) => wants(check, hook, turn)))
    .map(({ name, reason }) => `${name}: ${reason}`);
}

function wants(check: CheckResult, { event, name, callId, reason }: HookRun, { calls }: Turn): boolean {
  const { hook, tool } = check.about ?? {};
  if (check.kind === 'callDenied')
    return calls.some((call) => call.id === callId && isTool(call, tool ?? ''));
  return (
    wantsBlock(check, reason ?? '') && (tool === undefined ? hook === event : `${hook}:${tool}` === name)
  );
}

function wantsBlock(check: CheckResult, reason: string): boolean {
  return check.kind === 'hookBlocked' && hasWording(reason, check);
}
