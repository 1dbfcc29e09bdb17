import { isRunOf, type OwnedHook, withoutTwinHooks } from './hook-runs.js';

type Payload = Readonly<Record<string, unknown>>;

/** The field of each event that Claude Code 2.1.325 compares with matchers. For other events every hook runs. */
const ABOUT: Readonly<Record<string, string>> = {
  PreToolUse: 'tool_name',
  PostToolUse: 'tool_name',
  PostToolUseFailure: 'tool_name',
  PermissionRequest: 'tool_name',
  PermissionDenied: 'tool_name',
  UserPromptExpansion: 'command_name',
  SessionStart: 'source',
  SessionEnd: 'reason',
  Setup: 'trigger',
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  Notification: 'notification_type',
  StopFailure: 'error',
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  Elicitation: 'mcp_server_name',
  ElicitationResult: 'mcp_server_name',
  ConfigChange: 'source',
  InstructionsLoaded: 'load_reason',
};

/** The hooks to run for an event. */
export interface HookSelection {
  /** The event with what it is about, as Claude Code names the run. */
  readonly name: string;
  readonly hooks: readonly OwnedHook[];
  readonly payload: Payload;
}

/**
 * Selects the hooks that Claude Code would run for an event, and completes its payload. `name` is the event, with what
 * it is about (`PreToolUse:Bash`), or the name of a hook from the list (`PreToolUse:Bash|Write`).
 */
export function selectHooks(all: readonly OwnedHook[], name: string, payload: Payload): HookSelection {
  const [event = '', ...rest] = name.split(':');
  const hooks = all.filter(({ hook }) => hook.isCommand && hook.event === event);
  const field = ABOUT[event];
  if (field === undefined) return { name: event, hooks: withoutTwinHooks(hooks), payload };
  const written = rest.join(':');
  const named = hooks.filter(({ hook }) => hook.name === name);
  // A matcher from the list, which says nothing about one tool.
  const isMatcher = named.length > 0 && !/^[\w-]*$/.test(written);
  const given = payload[field];
  const about = written !== '' && !isMatcher ? written : typeof given === 'string' ? given : '';
  const ranFor = about === '' ? name : `${event}:${about}`;
  if (isMatcher || about === '') return { name: ranFor, hooks: withoutTwinHooks(named), payload };
  const matching = hooks.filter(({ hook }) => isRunOf({ hook_name: ranFor }, hook.name));
  return { name: ranFor, hooks: withoutTwinHooks(matching), payload: { [field]: about, ...payload } };
}
