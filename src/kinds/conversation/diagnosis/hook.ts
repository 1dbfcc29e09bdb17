import { quoteCheck } from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { Turn } from '../../../domain/evidence/conversation.js';
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
    const stopped = turns.flatMap((turn) => blockedIn(turn).map((reason) => ({ turn, reason })));
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

/** Why things were stopped in a turn. */
function blockedIn({ outcome, hooks }: Turn): string[] {
  if (outcome.kind === 'blocked') return [outcome.reason];
  return hooks.flatMap(({ blocked, name, reason }) => (blocked ? [`${name}: ${reason}`] : []));
}

/** What hooks stopped, and what they did not record. */
export const hookRules: readonly DiagnosisRule[] = [hookStoppedIt, toolNeverCalled, hookSilent];
