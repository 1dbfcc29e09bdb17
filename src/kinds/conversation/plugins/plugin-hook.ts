import type { HookPart } from '../../../backends/claude/plugins/hooks.js';

/** A handler of a plugin for an event of Claude Code. */
export interface PluginHook {
  /** The event with its matcher, `PreToolUse:Bash`, or only the event. */
  readonly name: string;
  readonly event: string;
  readonly matcher: string | null;
  /** The command line, or what another kind of handler has instead: a prompt, an address. */
  readonly handler: string;
  /** Whether it is a command. Only commands can run without Claude Code. */
  readonly isCommand: boolean;
  readonly timeoutSeconds: number | null;
  /** The permission rule that a call must match, besides the matcher. */
  readonly condition: string | null;
}

/** Describes a handler that Claude Code registers. */
export function toPluginHook(part: HookPart): PluginHook {
  const { event, matcher, type, handler, timeoutSeconds, condition } = part;
  const plain = matcher === null || matcher === '' || matcher === '*';
  return {
    name: plain ? event : `${event}:${matcher}`,
    event,
    matcher,
    handler,
    isCommand: type === 'command',
    timeoutSeconds,
    condition,
  };
}
