/** What the stand-in does about the hooks of an event. */
type EventPlay =
  | 'played'
  /** It happens in turns that the stand-in plays, and its hooks do not run. */
  | 'refused'
  /** It does not happen, unless the script answers for one of these tools. */
  | { readonly after: readonly string[] };

const NEVER: EventPlay = { after: [] };
const SUBAGENT: EventPlay = { after: ['Task', 'Agent'] };

/** The events of Claude Code 2.1.325. It drops handlers of any other event without a word. */
const HOOK_EVENTS: ReadonlyMap<string, EventPlay> = new Map(
  Object.entries({
    SessionStart: 'played',
    SessionEnd: 'played',
    UserPromptSubmit: 'played',
    PreToolUse: 'played',
    PostToolUse: 'played',
    PostToolUseFailure: 'played',
    Stop: 'played',
    UserPromptExpansion: 'refused',
    PostToolBatch: 'refused',
    MessageDisplay: 'refused',
    PermissionRequest: 'refused',
    PermissionDenied: 'refused',
    StopFailure: 'refused',
    InstructionsLoaded: 'refused',
    CwdChanged: 'refused',
    FileChanged: 'refused',
    ConfigChange: 'refused',
    SubagentStart: SUBAGENT,
    SubagentStop: SUBAGENT,
    TaskCreated: { after: ['TaskCreate'] },
    TaskCompleted: { after: ['TaskUpdate'] },
    WorktreeCreate: { after: ['EnterWorktree'] },
    WorktreeRemove: { after: ['ExitWorktree'] },
    Notification: NEVER,
    PreCompact: NEVER,
    PostCompact: NEVER,
    Setup: NEVER,
    TeammateIdle: NEVER,
    Elicitation: NEVER,
    ElicitationResult: NEVER,
  } satisfies Readonly<Record<string, EventPlay>>),
);

export function isHookEvent(event: string): boolean {
  return HOOK_EVENTS.has(event);
}

/** Whether the stand-in refuses a session that has hooks for an event. */
export function isRefusedEvent(event: string): boolean {
  return HOOK_EVENTS.get(event) === 'refused';
}

/** Whether the real program would run the hooks of an event, which the stand-in does not, because of a tool. */
export function isUnplayedAfter(event: string, tool: string): boolean {
  const play = HOOK_EVENTS.get(event);
  return typeof play === 'object' && play.after.includes(tool);
}
