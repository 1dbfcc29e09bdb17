import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionLog, StateTransitionError } from '../../../../src/kinds/conversation/session/log.js';
import {
  allowedActions,
  type ConversationEvent,
  type ConversationState,
  IDLE,
  nextState,
} from '../../../../src/kinds/conversation/session/states.js';
import { covers } from '../../../coverage/covers.js';

const AT = '2026-11-15T00:00:00.000Z';
const EVENTS = {
  started: { type: 'started', at: AT },
  sent: { type: 'prompt-sent', prompt: { id: 'p', text: '/plan', at: AT } },
  responding: { type: 'responding', responseId: 'r', at: AT },
  text: { type: 'text', text: 'a', at: AT },
  tool: { type: 'tool-called', id: 't', at: AT },
  command: { type: 'command-recognised', command: 'plan', args: '', executionId: 'e', at: AT },
  stage: { type: 'stage-changed', from: 'a', to: 'b', trigger: '/plan', at: AT },
  done: { type: 'turn-ended', reason: 'completed', at: AT },
  blocked: { type: 'turn-ended', reason: 'blocked', at: AT },
  ended: { type: 'ended', reason: 'closed', at: AT },
} as const satisfies Record<string, ConversationEvent>;

/** Returns the state after some events, or null if one of them is not allowed. */
function reach(...events: readonly ConversationEvent[]): ConversationState | null {
  return events.reduce<ConversationState | null>(
    (state, event) => (state === null ? null : nextState(state, event)),
    IDLE,
  );
}

const { started, sent, responding, text, tool, command, stage, done, blocked, ended } = EVENTS;

describe('the states of a conversation', () => {
  covers('C6', 'C7', 'C8', 'C9', 'C10', 'C11');
  it.each([
    ['starts', [started], 'USER_PROMPT'],
    ['sends', [started, sent], 'USER_PROMPT'],
    ['is answered', [started, sent, responding], 'AGENT_RESPONDING'],
    ['runs a command', [started, sent, responding, command], 'COMMAND_EXECUTING'],
    ['is answered after the command', [started, sent, responding, command, text], 'AGENT_RESPONDING'],
    ['ends a turn in the command', [started, sent, responding, command, done], 'USER_PROMPT'],
    ['changes its stage', [started, sent, responding, stage], 'WORKFLOW_TRANSITION'],
    ['goes on after the stage', [started, sent, responding, stage, tool], 'AGENT_RESPONDING'],
    ['has its prompt blocked', [started, sent, blocked], 'USER_PROMPT'],
    ['ends', [started, sent, responding, done, ended], 'IDLE'],
    ['breaks off in the middle', [started, sent, responding, tool, ended], 'IDLE'],
  ] as const)('a conversation that %s', (_what, events, name) => {
    expect(reach(...events)?.name).toBe(name);
  });

  it.each([
    ['a prompt before the start', [sent]],
    ['an answer before a prompt', [started, responding]],
    ['a second prompt before the answer', [started, sent, sent]],
    ['a prompt while the agent answers', [started, sent, responding, sent]],
    ['a start in the middle', [started, started]],
    ['an end before the start', [ended]],
    ['a stage that changes while a command is only recognised', [started, sent, responding, command, stage]],
    ['a turn that ends before a prompt', [started, done]],
  ] as const)('refuse %s', (_what, events) => {
    expect(reach(...events)).toBeNull();
  });

  it('know what the agent said and called so far', () => {
    expect(reach(started, sent, responding, text, tool, text)).toMatchObject({
      responseId: 'r',
      partialResponse: 'aa',
      toolCalls: ['t'],
    });
  });

  it('know the command or the step between stages, and when it began', () => {
    expect(reach(started, sent)).toMatchObject({ prompt: { id: 'p', text: '/plan', at: AT } });
    expect(reach(started, sent, responding, command)).toMatchObject({
      ...{ command: 'plan', args: '', executionId: 'e', startedAt: AT },
    });
    expect(reach(started, sent, responding, stage)).toMatchObject({
      ...{ from: 'a', to: 'b', trigger: '/plan', at: AT },
    });
  });

  it.each(['completed', 'cancelled', 'blocked', 'failed', 'timed-out', 'crashed'] as const)(
    'a turn that ends as %s waits for the next prompt, whatever the agent was doing',
    (reason) => {
      covers('C13');
      const end = { type: 'turn-ended', reason, at: AT } as const;
      for (const before of [[responding], [responding, command], [responding, stage]]) {
        expect(reach(started, sent, ...before, end)).toEqual({ name: 'USER_PROMPT', prompt: null });
      }
    },
  );

  it('allow what fits them', () => {
    expect(allowedActions(IDLE)).toEqual(['start_conversation']);
    const during = (...events: readonly ConversationEvent[]) => {
      const state = reach(started, sent, responding, ...events);
      return state && allowedActions(state);
    };
    expect(during()).toEqual(expect.arrayContaining(['get_response_status', 'cancel_response']));
    expect(during(command)).toEqual(expect.arrayContaining(['get_command_status', 'cancel_command']));
    expect(during(stage)).toEqual(expect.arrayContaining(['verify_transition', 'get_workflow_stage']));
    for (const events of [[], [command], [stage]]) expect(during(...events)).not.toContain('send_prompt');
    const waiting = reach(started, sent);
    const open = reach(started);
    expect(open && allowedActions(open)).toContain('send_prompt');
    expect(open && allowedActions(open)).not.toContain('cancel_prompt');
    expect(open && allowedActions(open)).not.toContain('get_prompt_status');
    expect(waiting && allowedActions(waiting)).toEqual(
      expect.arrayContaining(['cancel_prompt', 'get_prompt_status']),
    );
    expect(waiting && allowedActions(waiting)).not.toContain('send_prompt');
  });
});

describe('the log of the states', () => {
  const anyEvent = fc.constantFrom(...Object.values(EVENTS));

  it('records every event, and illegal ones change nothing', () => {
    covers('C12');
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        const log = new SessionLog();
        for (const event of events) {
          const before = log.state;
          log.apply(event);
          const change = log.changes.at(-1);
          expect(change?.illegal).toBe(nextState(before, event) === null);
          if (change?.illegal) expect(log.state).toBe(before);
        }
        expect(log.changes).toHaveLength(events.length);
      }),
    );
  });

  it('return to IDLE from every state, and never wait for a prompt twice', () => {
    covers('C13');
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        const log = new SessionLog();
        for (const event of events) log.apply(event);
        if (log.state.name !== 'IDLE') log.apply(ended);
        expect(log.state).toEqual(IDLE);
      }),
    );
  });

  it('refuses an action that the state does not allow, and says which it does', () => {
    covers('C12');
    const log = new SessionLog();
    const refused = (): unknown => {
      try {
        return log.requirePrompt(AT);
      } catch (error) {
        return error;
      }
    };
    expect(refused()).toBeInstanceOf(StateTransitionError);
    expect(refused()).toMatchObject({
      message: 'A prompt or command cannot be sent while the conversation is in IDLE.',
      hint: expect.stringMatching(/^Tools that work now: start_conversation\. /),
    });
    for (const event of [started, sent, responding]) log.apply(event);
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
