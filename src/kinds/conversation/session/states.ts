/**
 * The states of a conversation and what each of them knows. `nextState` is a pure reducer; the session converts
 * the CLI's real output into the events that `nextState` takes.
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

/** A prompt that was sent. */
export interface SentPrompt {
  /** A unique id. */
  readonly id: string;
  /** The text as it was sent. */
  readonly text: string;
  /** When it was sent, as an ISO date. */
  readonly at: string;
}

/** How a turn ended. Only `completed` is as planned. */
export type TurnEnd = 'completed' | 'cancelled' | 'blocked' | 'failed' | 'timed-out' | 'crashed';
/** How a conversation ended. Only `closed` is as planned. */
export type SessionEnd = 'closed' | 'aborted' | 'timed-out' | 'crashed';

/** The events of a conversation. */
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
const READY: ConversationState = { name: 'USER_PROMPT', prompt: null };

/** Returns the next state, or null if the event is not allowed. */
export function nextState(state: ConversationState, event: ConversationEvent): ConversationState | null {
  // A conversation that has started can end at any time: closed by us, aborted, crashed, or timed out.
  if (event.type === 'ended') return state.name === 'IDLE' ? null : IDLE;
  switch (state.name) {
    case 'IDLE':
      return event.type === 'started' ? READY : null;
    case 'USER_PROMPT':
      return fromPrompt(state.prompt, event);
    case 'AGENT_RESPONDING':
      return fromResponse(state, event);
    case 'COMMAND_EXECUTING':
      // The agent must answer the command first. Only what it then does changes a stage.
      return event.type === 'stage-changed' ? null : fromResponse(state.response, event);
    case 'WORKFLOW_TRANSITION':
      return event.type === 'command-recognised' ? null : fromResponse(state.response, event);
    default:
      return state satisfies never;
  }
}

/** Waits for a prompt, then for the agent. A hook may block a prompt before the agent sees it. */
function fromPrompt(prompt: SentPrompt | null, event: ConversationEvent): ConversationState | null {
  if (prompt === null) {
    return event.type === 'prompt-sent' ? { name: 'USER_PROMPT', prompt: event.prompt } : null;
  }
  if (event.type === 'turn-ended') return READY;
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
      const { command, args, executionId, at: startedAt } = event;
      return { name: 'COMMAND_EXECUTING', command, args, executionId, startedAt, response };
    }
    case 'stage-changed': {
      const { from, to, trigger, at } = event;
      return { name: 'WORKFLOW_TRANSITION', from, to, trigger, at, response };
    }
    case 'turn-ended':
      return READY;
    case 'started':
    case 'prompt-sent':
    case 'ended':
      return null;
    default:
      return event satisfies never;
  }
}

/** The actions that each state allows. A conversation that waits for a prompt is READY, one that has sent it is SENT. */
const ACTIONS = {
  IDLE: ['start_conversation'],
  READY: ['send_prompt', 'execute_command', 'end_conversation', 'get_workflow_stage'],
  SENT: ['end_conversation', 'cancel_prompt', 'get_prompt_status', 'get_workflow_stage'],
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
} as const;
/** An action on a conversation. */
export type ConversationAction = (typeof ACTIONS)[keyof typeof ACTIONS][number];

/** Returns the actions that a state allows. */
export function allowedActions(state: ConversationState): readonly ConversationAction[] {
  if (state.name !== 'USER_PROMPT') return ACTIONS[state.name];
  return state.prompt === null ? ACTIONS.READY : ACTIONS.SENT;
}

/** The MCP tools for actions that have another name there. Null if there is none. */
const TOOLS: Partial<Readonly<Record<ConversationAction, string | null>>> = {
  get_prompt_status: 'get_response',
  get_response_status: 'get_response',
  get_command_status: 'get_command_output',
  verify_transition: 'assert_workflow_transition',
  cancel_prompt: null,
  cancel_response: null,
  cancel_command: null,
};

/** Names the MCP tools for actions. */
export function toolsFor(actions: readonly ConversationAction[]): string[] {
  const tools = actions.map((action) => (action in TOOLS ? TOOLS[action] : action));
  return [...new Set(tools.filter((tool) => typeof tool === 'string'))];
}
