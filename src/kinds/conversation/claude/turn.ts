import { watchService } from '../../../backends/claude/service-errors.js';
import {
  type HookResponse,
  type MessageUsage,
  readBlocks,
  readCommand,
  readToolResults,
  type StreamEvent,
  type TurnResult,
} from '../../../backends/claude/stream.js';
import { isMapping } from '../../../domain/common/json-lines.js';
import type { HookRun, Turn, TurnOutcome } from '../../../domain/evidence/conversation.js';
import type { TurnDraft } from '../turns/draft.js';

/** Reads a turn from the events of Claude Code's stream. */
export class ClaudeTurn {
  readonly draft: TurnDraft;
  /** The usage of the agent's own messages. Each message comes in several events with the same usage. */
  readonly #used = new Map<string, MessageUsage>();
  readonly #service = watchService();
  #blockedPrompt: string | null = null;

  constructor(draft: TurnDraft) {
    this.draft = draft;
  }

  take(event: StreamEvent): void {
    this.#service.take(event);
    switch (event.type) {
      case 'assistant':
        this.draft.respond();
        if (event.message.usage !== undefined && event.parent_tool_use_id === null) {
          this.#used.set(event.message.id, event.message.usage);
        }
        for (const block of readBlocks(event.message.content)) {
          if (block.type === 'text') this.draft.say(block.text, event.parent_tool_use_id);
          else {
            const { id, name, input } = block;
            const given = isMapping(input) ? input : {};
            this.draft.call({ id, name, input: given, parent: event.parent_tool_use_id });
          }
        }
        break;
      case 'user': {
        const command = readCommand(event.message.content);
        if (command !== null) this.draft.recognise(command, event.isReplay);
        for (const { id, text, isError } of readToolResults(event.message.content)) {
          this.draft.answer(id, text, isError);
        }
        break;
      }
      case 'system':
        if (event.subtype === 'hook_response') this.draft.hook(this.#readHook(event));
        if (event.subtype === 'informational' && event.prompt_submit_outcome?.kind === 'blocked_by_hook') {
          this.#blockedPrompt = event.prompt_submit_outcome.reason ?? event.content;
        }
        break;
      case 'result':
      case 'rate_limit_event':
      case 'control_response':
        break;
      default:
        event satisfies never;
    }
  }

  /** Returns the turn as the CLI itself ended it. */
  finish(result: TurnResult): Turn {
    const { usage, permission_denials: denials } = result;
    const bill = {
      denied: denials.map(({ tool_use_id }) => tool_use_id),
      inputTokens: usage?.input_tokens ?? 0,
      outputTokens: usage?.output_tokens ?? 0,
      // A call that could not start reports a cost of 0 for the whole session.
      totalCostUsd: Math.max(this.draft.spentBefore, result.total_cost_usd),
      ...this.#serviceErrors(),
    };
    return this.draft.close(this.#judge(result), bill, this.draft.text || result.result);
  }

  /** Returns an unfinished turn. Only the CLI knew its cost; its messages reported their tokens. */
  breakOff(outcome: TurnOutcome): Turn {
    const used = [...this.#used.values()];
    return this.draft.close(outcome, {
      inputTokens: used.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
      outputTokens: used.reduce((sum, { output_tokens }) => sum + output_tokens, 0),
      ...this.#serviceErrors(),
    });
  }

  #serviceErrors(): Pick<Turn, 'serviceErrors'> {
    const serviceErrors = this.#service.end();
    return serviceErrors.length === 0 ? {} : { serviceErrors };
  }

  /** Finds the outcome. A blocked prompt, an unknown command and an API error all have `subtype: success` and exit code 0. */
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
      callId: tool ? this.draft.lastCall : null,
      blocked,
      reason: blocked ? (decision.reason ?? event.stderr.trim()) : null,
    };
  }
}

/** Reads the decision that a hook printed as JSON instead of using its exit code. */
export function readDecision(stdout: string): { blocks: boolean; reason: string | null } {
  if (!stdout.trimStart().startsWith('{')) return { blocks: false, reason: null };
  const blocks = /"(?:decision|permissionDecision)"\s*:\s*"(?:block|deny)"/.test(stdout);
  const reason = /"(?:reason|permissionDecisionReason)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(stdout)?.[1];
  return { blocks, reason: reason === undefined ? null : JSON.parse(reason) };
}
