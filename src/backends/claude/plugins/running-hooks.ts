import { join } from 'node:path';

/**
 * Whether a matcher selects a tool, or what else an event is about. It is a list of names, or else a pattern for any
 * part of the name. Seen in Claude Code 2.1.325, which ignores a pattern that cannot be read.
 */
export function matchesHook(matcher: string, about: string): boolean {
  if (matcher === '' || matcher === '*') return true;
  if (/^[\w ,|-]+$/.test(matcher)) return matcher.split(/[,|]/).some((name) => name.trim() === about);
  try {
    return new RegExp(matcher).test(about);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

/**
 * Leaves out handlers that are registered twice, which Claude Code 2.1.325 runs once: at the place of the first, with
 * the options of the last.
 */
export function withoutTwins<Handler>(
  handlers: readonly Handler[],
  identify: (handler: Handler) => string,
): Handler[] {
  return [...new Map(handlers.map((handler) => [identify(handler), handler])).values()];
}

interface TimedHook {
  readonly event: string;
  /** The limit that it declares, or null. */
  readonly timeoutSeconds: number | null;
  /** Whether a plugin has it, or a settings file. */
  readonly isOfPlugin: boolean;
}

interface EventLimit {
  /** For a hook that declares no limit. */
  readonly usual: number;
  /** What a hook can declare at most. */
  readonly ofPlugin: number;
  readonly ofSettings: number;
}

const ANY_EVENT: EventLimit = { usual: 600, ofPlugin: Infinity, ofSettings: Infinity };

/** The limits of Claude Code 2.1.325. Nobody waits long for a prompt, or for the end of a session. */
const EVENT_LIMITS: ReadonlyMap<string, EventLimit> = new Map([
  ['UserPromptSubmit', { ...ANY_EVENT, usual: 30 }],
  ['SessionEnd', { usual: 1.5, ofPlugin: 1.5, ofSettings: 60 }],
]);

/** How long a command hook may run. One variable sets the limit for all hooks at the end of a session. */
export function hookSeconds(
  { event, timeoutSeconds, isOfPlugin }: TimedHook,
  env: Readonly<Record<string, string | undefined>>,
): number {
  const atEnd = Number(env.CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS);
  if (event === 'SessionEnd' && atEnd > 0) return atEnd / 1000;
  const { usual, ofPlugin, ofSettings } = EVENT_LIMITS.get(event) ?? ANY_EVENT;
  return Math.min(timeoutSeconds ?? usual, isOfPlugin ? ofPlugin : ofSettings);
}

/** The folder that Claude Code 2.1.325 gives a plugin for its data. `id` is `name@marketplace`. */
export function pluginDataFolder(config: string, id: string): string {
  return join(config, 'plugins', 'data', id.replace(/[^\w-]/g, '-'));
}
