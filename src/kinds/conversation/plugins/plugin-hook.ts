import { matchesHook } from '../../../backends/claude/plugins/hook-matcher.js';
import type { HookPart } from '../../../backends/claude/plugins/hooks.js';

/** A handler of a plugin for an event of Claude Code. */
export interface PluginHook {
  /** The event with its matcher, `PreToolUse:Bash`, or only the event. */
  readonly name: string;
  readonly event: string;
  readonly matcher: string | null;
  /** The command line, or what another kind of handler has instead: a prompt, an address. */
  readonly handler: string;
  /** The arguments of a program that runs without a shell; null for a command line. */
  readonly args: readonly string[] | null;
  /** What it has that only Claude Code can run, or null. */
  readonly onlyInClaude: string | null;
  readonly timeoutSeconds: number | null;
  /** The permission rule that a call must match, besides the matcher. */
  readonly condition: string | null;
}

/** Describes a handler that Claude Code registers. */
export function toPluginHook(part: HookPart): PluginHook {
  const { event, matcher, handler, args, timeoutSeconds, condition } = part;
  const plain = matcher === null || matcher === '' || matcher === '*';
  return {
    name: plain ? event : `${event}:${matcher}`,
    event,
    matcher,
    handler,
    args,
    onlyInClaude: findOnlyInClaude(part),
    timeoutSeconds,
    condition,
  };
}

function findOnlyInClaude({ type, shell, options }: HookPart): string | null {
  if (type !== 'command') return `the type "${type}"`;
  if (shell === 'powershell') return '"shell": "powershell"';
  const late = options.find((option) => option === 'async' || option === 'asyncRewake');
  return late === undefined ? null : `"${late}"`;
}

/** Whether a hook runs whenever its event is about this. One with a condition runs for some calls only. */
export function runsAlwaysFor({ matcher, condition }: PluginHook, about: string): boolean {
  return (condition ?? '') === '' && matchesHook(matcher ?? '', about);
}
