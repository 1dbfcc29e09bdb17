/** A tool call in a turn, with what came back. */
export interface CallRecord {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string | null;
  readonly isError: boolean;
  /** Set for calls of a subagent: the call that started it. */
  readonly parent: string | null;
}

/** One run of a hook, as the CLI reported it. It names neither the plugin nor the tool call: order tells. */
export interface HookRun {
  readonly id: string;
  /** `PreToolUse:Bash`. */
  readonly name: string;
  readonly event: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly outcome: string;
  /** The call that it ran for, by order. */
  readonly callId: string | null;
  /** Exit 2 and a JSON decision both block; the outcome alone does not tell. */
  readonly blocked: boolean;
  readonly reason: string | null;
}

/** How a turn ended. Only the first is a success; the CLI exits 0 in most of the others too. */
export type TurnOutcome =
  | { readonly kind: 'completed' }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'unknown-command'; readonly command: string }
  | { readonly kind: 'api-error'; readonly status: number | null; readonly message: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'limit'; readonly which: string }
  | { readonly kind: 'timed-out'; readonly afterSeconds: number }
  | { readonly kind: 'crashed'; readonly detail: string };

/** One prompt and everything that the agent did until it was the user's turn again. */
export interface Turn {
  readonly number: number;
  /** The prompt as the author gave it, and as it was sent (`/plan` becomes `/agent-loop:plan`). */
  readonly asked: string;
  readonly sent: string;
  readonly command: { readonly name: string; readonly args: string } | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: TurnOutcome;
  readonly text: string;
  readonly calls: readonly CallRecord[];
  readonly hooks: readonly HookRun[];
  /** Ids of calls that were not allowed. */
  readonly denied: readonly string[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the whole session up to here. */
  readonly totalCostUsd: number;
}

/** How a turn ended, in a few words. */
export function describeOutcome(outcome: TurnOutcome): string {
  switch (outcome.kind) {
    case 'completed':
    case 'cancelled':
      return outcome.kind;
    case 'blocked':
      return `blocked by a hook: ${outcome.reason}`;
    case 'unknown-command':
      return `unknown command ${outcome.command}`;
    case 'api-error':
      return `error of the model's service${outcome.status === null ? '' : ` (${outcome.status})`}: ${outcome.message}`;
    case 'limit':
      return `stopped at a limit: ${outcome.which}`;
    case 'timed-out':
      return `no end after ${outcome.afterSeconds} s`;
    case 'crashed':
      return `the CLI ended in the middle: ${outcome.detail}`;
    default:
      return outcome satisfies never;
  }
}
