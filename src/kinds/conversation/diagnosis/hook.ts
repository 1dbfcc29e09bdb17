import type { CheckResult } from '../../../domain/check.js';
import { hasWording } from '../../../domain/diagnosis/check-facts.js';
import { type Case, quoteCheck } from '../../../domain/diagnosis/clues.js';
import { sortByMoment } from '../../../domain/diagnosis/divergence.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { HookRun, Turn } from '../../../domain/evidence/conversation.js';
import { isTool } from '../stages/tool-class.js';
import { inConversation } from './in-conversation.js';

const hookStoppedIt: DiagnosisRule = {
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
};

const toolNeverCalled: DiagnosisRule = {
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
};

const hookSilent: DiagnosisRule = {
  name: 'hook-left-no-record',
  type: 'EventMissing',
  blames: 'target',
  hypothesis:
    'An event that a hook should have recorded is not in its log: it did not happen, or the hook did nothing.',
  investigations: ['Feed the hook such an event by hand: it is a plain program that reads JSON.'],
  fixes: [fix('Register the hook for the event, or correct it', 0.5, 'hooks/hooks.json')],
  find: inConversation((_, { broken }) => {
    const unlogged = broken.filter(({ kind }) => kind === 'hookLogged');
    if (unlogged.length === 0) return null;
    return unlogged.map(quoteCheck);
  }),
};

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

/** What hooks stopped, and what they did not record. */
export const hookRules: readonly DiagnosisRule[] = [hookStoppedIt, toolNeverCalled, hookSilent];
