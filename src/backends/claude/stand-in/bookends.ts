import { AGENTS, CAPABILITIES, SKILLS, TERMINAL_COMMANDS } from './identity.js';
import type { ClaudeEvent } from './output/output.js';
import { listCommands } from './plugins/commands.js';
import { sessionFolder } from './session.js';
import { configFolder } from './settings/settings.js';
import type { ClaudeStage } from './stage.js';
import type { Denial } from './tools/wish.js';

/** Makes the first event of every turn. */
export function initEvent(stage: ClaudeStage): ClaudeEvent {
  const { around, additions, args, mode, model, servers, toolNames, version } = stage;
  const memory = `${sessionFolder(configFolder(around.env), around.cwd)}/memory/`;
  return {
    type: 'system',
    subtype: 'init',
    cwd: around.cwd,
    tools: toolNames,
    mcp_servers: servers.statuses,
    model,
    permissionMode: mode,
    slash_commands: listCommands(additions),
    terminal_slash_commands: TERMINAL_COMMANDS,
    apiKeySource: around.env.ANTHROPIC_API_KEY ? 'ANTHROPIC_API_KEY' : 'none',
    claude_code_version: version,
    output_style: 'default',
    agents: [...additions.agents.map(({ name }) => name), ...AGENTS],
    skills: [...SKILLS.slice(0, 1), ...additions.skills, ...SKILLS.slice(1)],
    plugins: additions.plugins,
    ...(additions.errors.length === 0 ? {} : { plugin_errors: additions.errors }),
    capabilities: CAPABILITIES,
    analytics_disabled: true,
    product_feedback_disabled: true,
    memory_paths: { auto: memory },
    original_cwd: around.cwd,
    additional_directories: args.addDirs,
    messaging_socket_path: `/tmp/cc-socks/${process.pid}.sock`,
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    per_turn_effort_active: true,
    ultrathink_available: false,
    ultrathink_typed_raises: false,
    view_mode: 'default',
  };
}

/** How a turn ended. */
export type Ending =
  /** The model has answered. */
  | { readonly kind: 'answered'; readonly text: string; readonly stopReason: string }
  | {
      readonly kind: 'failed';
      readonly text: string;
      readonly terminal: string;
      readonly about: Readonly<Record<string, unknown>>;
    }
  /** The model was not asked. */
  | { readonly kind: 'local'; readonly text: string }
  | { readonly kind: 'max-turns'; readonly limit: number }
  | { readonly kind: 'interrupted'; readonly during: 'streaming' | 'tools' };

/** Makes the last event of every turn. */
export function resultEvent(
  stage: ClaudeStage,
  ending: Ending,
  turn: {
    readonly turns: number;
    readonly denials: readonly Denial[];
    readonly index: number;
    readonly startedAt: number;
  },
): ClaudeEvent {
  const { ledger } = stage;
  const duration = Math.round(performance.now() - turn.startedAt);
  const spent = ledger.turnUsage.output_tokens > 0 ? 1 : 0;
  return {
    duration_api_ms: spent,
    session_id: stage.session.id,
    total_cost_usd: ledger.totalCost,
    usage: ledger.turnUsage,
    modelUsage: ledger.sessionModels,
    permission_denials: turn.denials,
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    subagent_stats: NO_SUBAGENTS,
    safety_stops: 0,
    num_turns: turn.turns,
    type: 'result',
    duration_ms: duration,
    queued_turn_count: 0,
    result_index: turn.index,
    model_usage_since_last_result: ledger.turnModels,
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
        ttft_ms: 1,
        ttft_stream_ms: 1,
        time_to_request_ms: 1,
        first_content_frame_ms: 1,
      };
    case 'failed':
      return {
        subtype: 'success',
        is_error: true,
        result: ending.text,
        stop_reason: 'stop_sequence',
        terminal_reason: ending.terminal,
        ...ending.about,
      };
    case 'local':
      return { subtype: 'success', is_error: false, result: ending.text, stop_reason: null };
    case 'max-turns':
      return {
        subtype: 'error_max_turns',
        is_error: true,
        stop_reason: 'tool_use',
        terminal_reason: 'max_turns',
        errors: [`Reached maximum number of turns (${ending.limit})`],
      };
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

/** Makes the result of a call that could not start, such as one that resumes a missing session. */
export function stillbornResult(session: string, message: string, usage: object): ClaudeEvent {
  return {
    type: 'result',
    subtype: 'error_during_execution',
    duration_ms: 0,
    duration_api_ms: 0,
    is_error: true,
    num_turns: 0,
    stop_reason: null,
    session_id: session,
    total_cost_usd: 0,
    usage,
    modelUsage: {},
    permission_denials: [],
    errors: [message],
    result_index: 0,
  };
}

const NO_SUBAGENTS = {
  spawned: 0,
  requested: { background: 0, foreground: 0, unset: 0 },
  started_in_background: 0,
  max_depth: 0,
  spawned_by_subagents: 0,
  completed: 0,
  failed: 0,
  killed: { parent: 0, user: 0, system: 0 },
  refused: { depth_limit: 0, concurrency_limit: 0, budget: 0 },
  by_type: {},
};
