import { type HookedCall, judgeCondition } from '../../backends/claude/plugins/hook-condition.js';
import type { PluginHook } from '../../kinds/conversation/plugins/plugin-hook.js';

/** The events that are about the call of a tool. */
const CALL_EVENTS: readonly string[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
];

/** Judges whether Claude Code would run a hook whose matcher fits, by its `if` and the payload of the event. */
export function judgeHook(
  { event, condition }: PluginHook,
  payload: Readonly<Record<string, unknown>>,
  folders: { readonly cwd: string; readonly home: string },
): ReturnType<typeof judgeCondition> {
  if (condition === null || !CALL_EVENTS.includes(event)) return judgeCondition(condition, null, folders);
  const call = readCall(payload);
  return call === null
    ? { kind: 'unknown', why: 'the call: the payload has no "tool_name" and "tool_input"' }
    : judgeCondition(condition, call, folders);
}

function readCall({
  tool_name: tool,
  tool_input: input,
}: Readonly<Record<string, unknown>>): HookedCall | null {
  if (typeof tool !== 'string' || typeof input !== 'object' || input === null) return null;
  return { tool, input: { ...input } };
}
