/** One run of a hook, in a conversation or by trigger_hook. */
export interface HookExecution {
  readonly execution_id: string;
  readonly hook_name: string;
  readonly timestamp: string;
  readonly event_payload: Readonly<Record<string, unknown>> | null;
  readonly status: 'running' | 'success' | 'failed' | 'blocked';
  readonly output: string;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly action_blocked: boolean;
  readonly session_id: string | null;
  /** The id of the tool call that it ran for. */
  readonly action_id: string | null;
  /** The hooks that trigger_hook ran together; null in a conversation, where Claude Code does not say it. */
  readonly triggered: readonly string[] | null;
}
