import { ToolError } from '../errors.js';
import { isRunOf, type OwnedHook, withoutTwinHooks } from './hook-runs.js';
import { judgeHook } from './judge-hook.js';

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
export function selectHooks(
  all: readonly OwnedHook[],
  name: string,
  given: Payload,
  folders: { readonly cwd: string; readonly home: string },
): HookSelection {
  const { ranFor, hooks, payload } = selectByMatcher(all, name, given);
  if (hooks.length === 0) throw hookNotFound(all, ranFor);
  const running = hooks.filter((owned) => wouldRun(owned, payload, folders));
  if (running.length === 0) {
    const conditions = hooks.map(({ hook }) => JSON.stringify(hook.condition));
    throw new ToolError(
      'HookNotFoundError',
      `Expected an event for which a hook runs, found ${JSON.stringify(ranFor)}, which does not fit the "if" of its hooks: ${conditions.join(', ')}.`,
      'Claude Code would run no hook either. Another tool_input in the payload may fit.',
    );
  }
  return { name: ranFor, hooks: running, payload };
}

function selectByMatcher(all: readonly OwnedHook[], name: string, payload: Payload) {
  const [event = '', ...rest] = name.split(':');
  const hooks = all.filter(({ hook }) => hook.event === event);
  const field = ABOUT[event];
  if (field === undefined) return { ranFor: event, hooks: withoutTwinHooks(hooks), payload };
  const written = rest.join(':');
  const named = hooks.filter(({ hook }) => hook.name === name);
  // A matcher from the list, which says nothing about one tool.
  const isMatcher = named.length > 0 && !/^[\w-]*$/.test(written);
  const given = payload[field];
  const about = written !== '' && !isMatcher ? written : typeof given === 'string' ? given : '';
  const ranFor = about === '' ? name : `${event}:${about}`;
  if (about === '') return { ranFor, hooks: withoutTwinHooks(named), payload };
  const matching = (isMatcher ? named : hooks).filter(({ hook }) =>
    isRunOf({ hook_name: ranFor }, hook.name),
  );
  return { ranFor, hooks: withoutTwinHooks(matching), payload: { [field]: about, ...payload } };
}

/** Whether a hook whose matcher fits would run. Refuses by name what only Claude Code can run or judge. */
function wouldRun(
  { plugin, hook }: OwnedHook,
  payload: Payload,
  folders: { readonly cwd: string; readonly home: string },
): boolean {
  const verdict = judgeHook(hook, payload, folders);
  if (verdict.kind === 'misses') return false;
  const what = `the ${hook.name} hook of the plugin ${plugin.name}`;
  if (verdict.kind === 'unknown') {
    throw new ToolError(
      'UnsupportedError',
      `trigger_hook cannot judge the condition ${JSON.stringify(hook.condition)} of ${what}. It does not know ${verdict.why}.`,
      'Pass tool_name and tool_input in the payload, as Claude Code does, or let a conversation use the tool.',
    );
  }
  if (hook.onlyInClaude === null) return true;
  throw new ToolError(
    'UnsupportedError',
    `trigger_hook does not support ${hook.onlyInClaude}, which ${what} has.`,
    'Let a conversation run it: start_conversation and send_prompt, with --lane scripted or live.',
  );
}

/** Explains why no hook has this name. */
export function hookNotFound(hooks: readonly OwnedHook[], name: string): ToolError {
  const [event = '', ...about] = name.split(':');
  const own = hooks.filter(({ hook }) => hook.event === event);
  const listed = own.length > 0 ? own : hooks;
  const names = [...new Set(listed.map(({ hook }) => hook.name))].join(', ');
  const found = JSON.stringify(name);
  if (own.length === 0) {
    return new ToolError(
      'HookNotFoundError',
      `Expected an event for which an installed plugin has a hook, found ${found}.`,
      `Hooks in installed plugins: ${names || 'none'}.`,
    );
  }
  const field = ABOUT[event] ?? '';
  return new ToolError(
    'HookNotFoundError',
    about.length === 0
      ? `Expected ${event} with its ${field}, found ${found}: all hooks for this event have a matcher.`
      : `Expected something that a matcher of a ${event} hook fits, found ${found}.`,
    about.length === 0
      ? `Write ${event}:<${field}>, or put "${field}" in the payload. Hooks: ${names}.`
      : `Hooks for ${event}: ${names}.`,
  );
}
