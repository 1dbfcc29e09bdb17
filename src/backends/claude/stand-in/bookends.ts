import type { ClaudeCall } from './call.js';
import type { ClaudeEvent } from './output.js';
import { listCommands } from './plugins/commands.js';
import type { Denial } from './tools/use.js';

/** Makes the first event of every turn. */
export function initEvent(call: ClaudeCall): ClaudeEvent {
  const { around, additions, mode, model, servers, toolNames, version } = call;
  return {
    type: 'system',
    subtype: 'init',
    cwd: around.cwd,
    tools: toolNames,
    mcp_servers: servers.statuses,
    model,
    permissionMode: mode,
    slash_commands: listCommands(additions).map(({ name }) => name),
    apiKeySource: around.env.ANTHROPIC_API_KEY ? 'ANTHROPIC_API_KEY' : 'none',
    claude_code_version: version,
    agents: additions.agents.map(({ name }) => name),
    skills: additions.skills,
    plugins: additions.plugins,
    ...(additions.errors.length === 0 ? {} : { plugin_errors: additions.errors }),
  };
}

/** How a turn ended. */
export type Ending =
  /** The model has answered. */
  | { readonly kind: 'answered'; readonly text: string; readonly stopReason: string }
  | { readonly kind: 'failed'; readonly text: string; readonly status: number | null }
  /** A hook blocked the prompt, so the model was not asked. */
  | { readonly kind: 'local'; readonly text: string }
  | { readonly kind: 'interrupted'; readonly during: 'streaming' | 'tools' };

/** Makes the last event of every turn. */
export function resultEvent(
  call: ClaudeCall,
  ending: Ending,
  turn: {
    readonly turns: number;
    readonly denials: readonly Denial[];
    readonly index: number;
    readonly startedAt: number;
  },
): ClaudeEvent {
  const { id, totalCost, turnUsage } = call.session;
  const duration = Math.round(process.uptime() * 1000 - turn.startedAt);
  const spent = turnUsage.output_tokens > 0 ? 1 : 0;
  return {
    duration_api_ms: spent,
    session_id: id,
    total_cost_usd: totalCost,
    usage: turnUsage,
    permission_denials: turn.denials,
    num_turns: turn.turns,
    type: 'result',
    duration_ms: duration,
    result_index: turn.index,
    ...describeEnding(ending),
  };
}

function describeEnding(ending: Ending): Readonly<Record<string, unknown>> {
  switch (ending.kind) {
    case 'answered':
      return {
        subtype: 'success',
        is_error: false,
        result: ending.text,
        stop_reason: ending.stopReason,
        terminal_reason: 'completed',
        api_error_status: null,
      };
    case 'failed':
      return {
        subtype: 'success',
        is_error: true,
        result: ending.text,
        stop_reason: 'stop_sequence',
        terminal_reason: 'api_error',
        api_error_status: ending.status,
      };
    case 'local':
      return { subtype: 'success', is_error: false, result: ending.text, stop_reason: null };
    case 'interrupted':
      return {
        subtype: 'error_during_execution',
        is_error: true,
        stop_reason: null,
        terminal_reason: `aborted_${ending.during}`,
        errors: ['[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null'],
      };
    default:
      return ending satisfies never;
  }
}
