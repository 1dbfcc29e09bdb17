import type { CallRecord, HookRun, Turn, TurnOutcome } from '../domain/conversation.js';
import {
  type HookResponse,
  readBlocks,
  readCommand,
  readToolResults,
  type StreamEvent,
  type TurnResult,
} from './claude-stream.js';

/** Puts a turn together from the events of its stream. */
export class TurnBuilder {
  readonly #number: number;
  readonly #asked: string;
  readonly #sent: string;
  readonly #startedAt = new Date();
  readonly #texts: string[] = [];
  readonly #calls = new Map<string, CallRecord>();
  readonly #hooks: HookRun[] = [];
  #command: Turn['command'] = null;
  #blockedPrompt: string | null = null;
  #lastCall: string | null = null;

  constructor(number: number, prompt: { readonly asked: string; readonly sent: string }) {
    this.#number = number;
    this.#asked = prompt.asked;
    this.#sent = prompt.sent;
  }

  get calls(): readonly CallRecord[] {
    return [...this.#calls.values()];
  }

  get text(): string {
    return this.#texts.join('\n');
  }

  take(event: StreamEvent): void {
    switch (event.type) {
      case 'assistant':
        for (const block of readBlocks(event.message.content)) {
          if (block.type === 'text') {
            if (event.parent_tool_use_id === null) this.#texts.push(block.text);
          } else {
            const { id, name, input } = block;
            this.#lastCall = id;
            this.#calls.set(id, {
              id,
              name,
              input,
              result: null,
              isError: false,
              parent: event.parent_tool_use_id,
            });
          }
        }
        break;
      case 'user':
        this.#command ??= readCommand(event.message.content);
        for (const { id, text, isError } of readToolResults(event.message.content)) {
          const call = this.#calls.get(id);
          if (call !== undefined) this.#calls.set(id, { ...call, result: text, isError });
        }
        break;
      case 'system':
        if (event.subtype === 'hook_response') this.#hooks.push(this.#readHook(event));
        if (event.subtype === 'informational' && event.prompt_submit_outcome?.kind === 'blocked_by_hook') {
          this.#blockedPrompt = event.prompt_submit_outcome.reason ?? event.content;
        }
        break;
      case 'result':
      case 'control_response':
        break;
      default:
        event satisfies never;
    }
  }

  /** The turn as the CLI itself ended it. */
  finish(result: TurnResult): Turn {
    const { usage } = result;
    return this.#build(this.#judge(result), {
      text: this.text === '' ? result.result : this.text,
      denied: result.permission_denials.map(({ tool_use_id }) => tool_use_id),
      inputTokens: usage?.input_tokens ?? 0,
      outputTokens: usage?.output_tokens ?? 0,
      totalCostUsd: result.total_cost_usd,
    });
  }

  /** The turn as it stood when it was broken off. */
  breakOff(outcome: TurnOutcome): Turn {
    return this.#build(outcome, {
      text: this.text,
      denied: [],
      inputTokens: 0,
      outputTokens: 0,
      totalCostUsd: 0,
    });
  }

  /** A blocked prompt, an unknown command and an API error all come as `subtype: success` with exit code 0. */
  #judge(result: TurnResult): TurnOutcome {
    if (this.#blockedPrompt !== null) return { kind: 'blocked', reason: this.#blockedPrompt };
    const unknown = /^Unknown (?:slash )?command: (\S+)/.exec(result.result);
    if (unknown !== null && result.num_turns === 0)
      return { kind: 'unknown-command', command: unknown[1] ?? '' };
    const blocked = /operation blocked by hook:\s*([\s\S]*)/.exec(result.result);
    if (blocked !== null && result.num_turns === 0) {
      return { kind: 'blocked', reason: (blocked[1] ?? '').split('\n\nOriginal prompt:')[0]?.trim() ?? '' };
    }
    if (/^error_max_/.test(result.subtype))
      return { kind: 'limit', which: result.subtype.replace(/^error_/, '') };
    if (result.subtype === 'error_during_execution') {
      const aborted =
        /^aborted/.test(result.terminal_reason ?? '') || /interrupted/i.test(result.errors.join(' '));
      return aborted
        ? { kind: 'cancelled' }
        : { kind: 'crashed', detail: result.errors.join('; ') || result.subtype };
    }
    if (result.is_error)
      return { kind: 'api-error', status: result.api_error_status, message: result.result };
    return { kind: 'completed' };
  }

  #readHook(event: HookResponse): HookRun {
    const tool = /^(?:Pre|Post)ToolUse/.test(event.hook_event);
    const decision = readDecision(event.stdout);
    const blocked = event.exit_code === 2 || decision.blocks;
    return {
      id: event.hook_id,
      name: event.hook_name,
      event: event.hook_event,
      stdout: event.stdout,
      stderr: event.stderr,
      exitCode: event.exit_code,
      outcome: event.outcome,
      callId: tool ? this.#lastCall : null,
      blocked,
      reason: blocked ? (decision.reason ?? event.stderr.trim()) : null,
    };
  }

  #build(
    outcome: TurnOutcome,
    rest: Pick<Turn, 'text' | 'denied' | 'inputTokens' | 'outputTokens' | 'totalCostUsd'>,
  ): Turn {
    return {
      number: this.#number,
      asked: this.#asked,
      sent: this.#sent,
      command: this.#command,
      startedAt: this.#startedAt.toISOString(),
      durationMs: Date.now() - this.#startedAt.getTime(),
      outcome,
      calls: this.calls,
      hooks: this.#hooks,
      ...rest,
    };
  }
}

/** What a hook decided in JSON instead of by its exit code. */
export function readDecision(stdout: string): { blocks: boolean; reason: string | null } {
  if (!stdout.trimStart().startsWith('{')) return { blocks: false, reason: null };
  const blocks = /"(?:decision|permissionDecision)"\s*:\s*"(?:block|deny)"/.test(stdout);
  const reason = /"(?:reason|permissionDecisionReason)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(stdout)?.[1];
  return { blocks, reason: reason === undefined ? null : JSON.parse(reason) };
}
