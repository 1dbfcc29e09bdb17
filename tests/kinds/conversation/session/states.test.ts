import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionLog, StateTransitionError } from '../../../../src/kinds/conversation/session/log.js';
import {
  type ConversationEvent,
  STATES,
  type State,
  type StateName,
} from '../../../../src/kinds/conversation/session/states.js';
import { covers } from '../../../coverage/covers.js';

const EVENTS: readonly ConversationEvent[] = [
  ...(['started', 'prompt-sent', 'responding', 'text', 'tool-called'] as const),
  ...(['command-recognised', 'stage-changed', 'turn-ended', 'ended'] as const),
];

/** Returns the state after some events, or null if one of them is not allowed. */
function reach(...events: readonly ConversationEvent[]): StateName | null {
  const log = new SessionLog();
  for (const event of events) log.apply(event);
  return log.illegal.length > 0 ? null : log.state;
}

const SENT = ['started', 'prompt-sent'] as const;
const ANSWERED = [...SENT, 'responding'] as const;

describe('the states of a conversation', () => {
  covers('C6', 'C7', 'C8', 'C9', 'C10', 'C11');
  it.each([
    ['starts', ['started'], 'USER_PROMPT'],
    ['sends', SENT, 'USER_PROMPT'],
    ['is answered', ANSWERED, 'AGENT_RESPONDING'],
    ['runs a command', [...ANSWERED, 'command-recognised'], 'COMMAND_EXECUTING'],
    ['is answered after the command', [...ANSWERED, 'command-recognised', 'text'], 'AGENT_RESPONDING'],
    ['ends a turn in the command', [...ANSWERED, 'command-recognised', 'turn-ended'], 'USER_PROMPT'],
    ['changes its stage', [...ANSWERED, 'stage-changed'], 'WORKFLOW_TRANSITION'],
    ['goes on after the stage', [...ANSWERED, 'stage-changed', 'tool-called'], 'AGENT_RESPONDING'],
    ['has its prompt blocked', [...SENT, 'turn-ended'], 'USER_PROMPT'],
    ['ends', [...ANSWERED, 'turn-ended', 'ended'], 'IDLE'],
    ['breaks off in the middle', [...ANSWERED, 'tool-called', 'ended'], 'IDLE'],
  ] as const)('a conversation that %s', (_what, events, name) => {
    expect(reach(...events)).toBe(name);
  });

  it.each([
    ['a prompt before the start', ['prompt-sent']],
    ['an answer before a prompt', ['started', 'responding']],
    ['a second prompt before the answer', [...SENT, 'prompt-sent']],
    ['a prompt while the agent answers', [...ANSWERED, 'prompt-sent']],
    ['a start in the middle', ['started', 'started']],
    ['an end before the start', ['ended']],
    [
      'a stage that changes while a command is only recognised',
      [...ANSWERED, 'command-recognised', 'stage-changed'],
    ],
    ['a command while the stage changes', [...ANSWERED, 'stage-changed', 'command-recognised']],
    ['a turn that ends before a prompt', ['started', 'turn-ended']],
  ] as const)('refuse %s', (_what, events) => {
    expect(reach(...events)).toBeNull();
  });

  it('let the next prompt be sent after a turn, whatever the agent was doing', () => {
    covers('C13');
    for (const during of [[], ['command-recognised'], ['stage-changed']] as const) {
      expect(reach(...ANSWERED, ...during, 'turn-ended', 'prompt-sent')).toBe('USER_PROMPT');
    }
  });

  it('name the tools that work in them', () => {
    expect(STATES.IDLE.tools).toEqual(['start_conversation']);
    expect(STATES.AGENT_RESPONDING.tools).toContain('get_response');
    expect(STATES.COMMAND_EXECUTING.tools).toContain('get_command_output');
    expect(STATES.WORKFLOW_TRANSITION.tools).toEqual(
      expect.arrayContaining(['assert_workflow_transition', 'get_workflow_stage']),
    );
    expect(STATES.READY.tools).not.toContain('get_response');
    expect(STATES.SENT.tools).toContain('get_response');
    const sending = Object.entries(STATES).filter(([, { tools }]) => tools.includes('send_prompt'));
    expect(sending.map(([name]) => name)).toEqual(['READY']);
  });
});

describe('the log of the states', () => {
  const anyEvents = fc.array(fc.constantFrom(...EVENTS));

  it('records every event, and illegal ones change nothing', () => {
    covers('C12');
    fc.assert(
      fc.property(anyEvents, (events) => {
        const log = new SessionLog();
        let state: State = 'IDLE';
        for (const event of events) {
          const next: State | undefined = STATES[state].next[event];
          log.apply(event);
          const [from, to] = [STATES[state].name, STATES[next ?? state].name];
          expect(log.changes.at(-1)).toMatchObject({ event, from, to, illegal: next === undefined });
          state = next ?? state;
        }
        expect(log.changes).toHaveLength(events.length);
      }),
    );
  });

  it('return to IDLE from every state, and never wait for a prompt twice', () => {
    covers('C13');
    fc.assert(
      fc.property(anyEvents, (events) => {
        const log = new SessionLog();
        for (const event of events) log.apply(event);
        if (log.state !== 'IDLE') log.apply('ended');
        expect(log.state).toBe('IDLE');
      }),
    );
  });

  it.each([
    ['completed', { kind: 'completed' }],
    ['cancelled', { kind: 'cancelled' }],
    ['blocked', { kind: 'blocked', reason: 'no' }],
    ['failed', { kind: 'unknown-command', command: '/x' }],
    ['timed-out', { kind: 'timed-out', afterSeconds: 1 }],
    ['crashed', { kind: 'crashed', detail: 'exit 1' }],
  ] as const)('says that a turn ended as %s, and waits for the next prompt', async (detail, outcome) => {
    covers('C13');
    const log = new SessionLog();
    log.apply('started');
    const draft = log.openTurn({ asked: 'a', sent: 'a' });
    await log.closeTurn(draft.close(outcome));
    expect(log.changes.at(-1)).toMatchObject({ event: 'turn-ended', detail, illegal: false });
    expect(() => log.requirePrompt()).not.toThrow();
  });

  it('refuses an action that the state does not allow, and says which it does', () => {
    covers('C12');
    const log = new SessionLog();
    const refused = (): unknown => {
      try {
        return log.requirePrompt();
      } catch (error) {
        return error;
      }
    };
    expect(refused()).toBeInstanceOf(StateTransitionError);
    expect(refused()).toMatchObject({
      message: 'A prompt or command cannot be sent while the conversation is in IDLE.',
      hint: expect.stringMatching(/^Tools that work now: start_conversation\. /),
    });
    for (const event of ANSWERED) log.apply(event);
    expect(refused()).toMatchObject({
      hint: expect.stringMatching(
        /^Tools that work now: get_response, get_workflow_stage, end_conversation\. /,
      ),
    });
    expect(log.illegal).toMatchObject(
      ['IDLE', 'IDLE', 'AGENT_RESPONDING'].map((from) => ({ event: 'send_prompt', from, to: from })),
    );
  });
});
