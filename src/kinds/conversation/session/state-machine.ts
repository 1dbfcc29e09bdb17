/**
 * Where a conversation stands: five states, what each knows, and which events lead from one to the next. A pure
 * reducer: the session driver turns what the CLI really prints into these events.
 */
export type ConversationState =
  | { readonly name: 'IDLE' }
  | { readonly name: 'USER_PROMPT'; readonly prompt: SentPrompt | null }
  | {
      readonly name: 'AGENT_RESPONDING';
      readonly responseId: string;
      readonly toolCalls: readonly string[];
      readonly partialResponse: string;
    }
  | {
      readonly name: 'COMMAND_EXECUTING';
      readonly command: string;
      readonly args: string;
      readonly executionId: string;
      readonly startedAt: string;
      readonly response: Responding;
    }
  | {
      readonly name: 'WORKFLOW_TRANSITION';
      readonly from: string;
      readonly to: string;
      readonly trigger: string;
      readonly at: string;
      readonly response: Responding;
    };

type Responding = Extract<ConversationState, { name: 'AGENT_RESPONDING' }>;
export type StateName = ConversationState['name'];

export interface SentPrompt {
  readonly id: string;
  readonly text: string;
  readonly at: string;
}

/** Why a turn or a conversation was over. Only `completed` and `closed` are as planned. */
export type TurnEnd = 'completed' | 'cancelled' | 'blocked' | 'failed' | 'timed-out' | 'crashed';
export type SessionEnd = 'closed' | 'aborted' | 'timed-out' | 'crashed';

export type ConversationEvent =
  | { readonly type: 'started'; readonly at: string }
  | { readonly type: 'prompt-sent'; readonly prompt: SentPrompt }
  | { readonly type: 'responding'; readonly responseId: string; readonly at: string }
  | { readonly type: 'text'; readonly text: string; readonly at: string }
  | { readonly type: 'tool-called'; readonly id: string; readonly at: string }
  | {
      readonly type: 'command-recognised';
      readonly command: string;
      readonly args: string;
      readonly executionId: string;
      readonly at: string;
    }
  | {
      readonly type: 'stage-changed';
      readonly from: string;
      readonly to: string;
      readonly trigger: string;
      readonly at: string;
    }
  | { readonly type: 'turn-ended'; readonly reason: TurnEnd; readonly at: string }
  | { readonly type: 'ended'; readonly reason: SessionEnd; readonly at: string };

export const IDLE: ConversationState = { name: 'IDLE' };

/** The next state, or null where the event is not allowed. */
export function nextState(state: ConversationState, event: ConversationEvent): ConversationState | null {
  // A conversation can be over at any time but before it began: closed by us, or aborted, crashed, out of time.
  if (event.type === 'ended') return state.name === 'IDLE' ? null : IDLE;
  switch (state.name) {
    case 'IDLE':
      return event.type === 'started' ? { name: 'USER_PROMPT', prompt: null } : null;
    case 'USER_PROMPT':
      return fromPrompt(state.prompt, event);
    case 'AGENT_RESPONDING':
      return fromResponse(state, event);
    case 'COMMAND_EXECUTING':
      // The command is the agent's to answer; a stage changes only by what the agent then does.
      return event.type === 'stage-changed' ? null : fromResponse(state.response, event);
    case 'WORKFLOW_TRANSITION':
      return event.type === 'command-recognised' ? null : fromResponse(state.response, event);
    default:
      return state satisfies never;
  }
}

/** Awaiting a prompt until one is sent, then awaiting the agent. A hook may block a prompt before the agent sees it. */
function fromPrompt(prompt: SentPrompt | null, event: ConversationEvent): ConversationState | null {
  if (prompt === null) {
    return event.type === 'prompt-sent' ? { name: 'USER_PROMPT', prompt: event.prompt } : null;
  }
  if (event.type === 'turn-ended') return { name: 'USER_PROMPT', prompt: null };
  if (event.type !== 'responding') return null;
  return { name: 'AGENT_RESPONDING', responseId: event.responseId, toolCalls: [], partialResponse: '' };
}

function fromResponse(response: Responding, event: ConversationEvent): ConversationState | null {
  switch (event.type) {
    case 'responding':
      return response;
    case 'text':
      return { ...response, partialResponse: response.partialResponse + event.text };
    case 'tool-called':
      return { ...response, toolCalls: [...response.toolCalls, event.id] };
    case 'command-recognised': {
      const { command, args, executionId, at } = event;
      return { name: 'COMMAND_EXECUTING', command, args, executionId, startedAt: at, response };
    }
    case 'stage-changed': {
      const { from, to, trigger, at } = event;
      return { name: 'WORKFLOW_TRANSITION', from, to, trigger, at, response };
    }
    case 'turn-ended':
      return { name: 'USER_PROMPT', prompt: null };
    case 'started':
    case 'prompt-sent':
    case 'ended':
      return null;
    default:
      return event satisfies never;
  }
}

/** What may be asked of a conversation in each state. */
const ACTIONS = {
  IDLE: ['start_conversation'],
  USER_PROMPT: [
    'send_prompt',
    'execute_command',
    'end_conversation',
    'cancel_prompt',
    'get_prompt_status',
    'get_workflow_stage',
  ],
  AGENT_RESPONDING: ['get_response_status', 'cancel_response', 'get_workflow_stage', 'end_conversation'],
  COMMAND_EXECUTING: [
    'get_command_status',
    'cancel_command',
    'get_response_status',
    'get_workflow_stage',
    'end_conversation',
  ],
  WORKFLOW_TRANSITION: [
    'verify_transition',
    'get_workflow_stage',
    'get_response_status',
    'cancel_response',
    'end_conversation',
  ],
} as const satisfies Readonly<Record<StateName, readonly string[]>>;
export type ConversationAction = (typeof ACTIONS)[StateName][number];

/** The actions that a state allows. */
export function allowedActions(state: ConversationState): readonly ConversationAction[] {
  if (state.name !== 'USER_PROMPT') return ACTIONS[state.name];
  // Cancelling and asking for a status need a prompt on its way; sending needs that there is none.
  const waiting = state.prompt !== null;
  const only: readonly ConversationAction[] = waiting
    ? ['cancel_prompt', 'get_prompt_status']
    : ['send_prompt', 'execute_command'];
  const never = waiting ? ['send_prompt', 'execute_command'] : ['cancel_prompt', 'get_prompt_status'];
  return ACTIONS.USER_PROMPT.filter((action) => only.includes(action) || !never.includes(action));
}
