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
