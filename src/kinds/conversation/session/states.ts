/** How a turn ended. Only `completed` is as planned. */
export type TurnEnd = 'completed' | 'cancelled' | 'blocked' | 'failed' | 'timed-out' | 'crashed';
/** How a conversation ended. Only `closed` is as planned. */
export type SessionEnd = 'closed' | 'aborted' | 'timed-out' | 'crashed';

/** The events of a conversation. */
export type ConversationEvent =
  | 'started'
  | 'prompt-sent'
  | 'responding'
  | 'text'
  | 'tool-called'
  | 'command-recognised'
  | 'stage-changed'
  | 'turn-ended'
  | 'ended';

/** The states of a conversation, as they are reported. */
export type StateName =
  | 'IDLE'
  | 'USER_PROMPT'
  | 'AGENT_RESPONDING'
  | 'COMMAND_EXECUTING'
  | 'WORKFLOW_TRANSITION';

/** One state: in USER_PROMPT, a conversation waits for a prompt or has sent one. */
export type State = 'IDLE' | 'READY' | 'SENT' | Exclude<StateName, 'IDLE' | 'USER_PROMPT'>;

interface StateDefinition {
  readonly name: StateName;
  /** The events that the state allows, and the states that they lead to. */
  readonly next: Readonly<Partial<Record<ConversationEvent, State>>>;
  /** The MCP tools that work in it. */
  readonly tools: readonly string[];
}

/** What the agent does in a turn, and the end of the turn. A started conversation can end at any time. */
const ANSWERING = {
  responding: 'AGENT_RESPONDING',
  text: 'AGENT_RESPONDING',
  'tool-called': 'AGENT_RESPONDING',
  'turn-ended': 'READY',
  ended: 'IDLE',
} as const;

export const STATES: Readonly<Record<State, StateDefinition>> = {
  IDLE: { name: 'IDLE', next: { started: 'READY' }, tools: ['start_conversation'] },
  READY: {
    name: 'USER_PROMPT',
    next: { 'prompt-sent': 'SENT', ended: 'IDLE' },
    tools: ['send_prompt', 'execute_command', 'end_conversation', 'get_workflow_stage'],
  },
  SENT: {
    name: 'USER_PROMPT',
    // A hook may block a prompt before the agent sees it.
    next: { responding: 'AGENT_RESPONDING', 'turn-ended': 'READY', ended: 'IDLE' },
    tools: ['end_conversation', 'get_response', 'get_workflow_stage'],
  },
  AGENT_RESPONDING: {
    name: 'AGENT_RESPONDING',
    next: { ...ANSWERING, 'command-recognised': 'COMMAND_EXECUTING', 'stage-changed': 'WORKFLOW_TRANSITION' },
    tools: ['get_response', 'get_workflow_stage', 'end_conversation'],
  },
  COMMAND_EXECUTING: {
    name: 'COMMAND_EXECUTING',
    // The agent must answer the command first. Only what it then does changes a stage.
    next: { ...ANSWERING, 'command-recognised': 'COMMAND_EXECUTING' },
    tools: ['get_command_output', 'get_response', 'get_workflow_stage', 'end_conversation'],
  },
  WORKFLOW_TRANSITION: {
    name: 'WORKFLOW_TRANSITION',
    next: { ...ANSWERING, 'stage-changed': 'WORKFLOW_TRANSITION' },
    tools: ['assert_workflow_transition', 'get_workflow_stage', 'get_response', 'end_conversation'],
  },
};
