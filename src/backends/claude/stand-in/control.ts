import { AUTO_MODE, notPlayed, PERMISSION_MODES, type PermissionMode } from './arguments.js';
import { AGENTS, CAPABILITIES } from './identity.js';
import { resolveModel } from './ledger.js';
import { userEvent } from './output/messages.js';
import { listCommands } from './plugins/commands.js';
import { configFolder } from './settings/settings.js';
import { toRecord } from './settings/values.js';
import type { ClaudeStage } from './stage.js';

/** Answers a control request from the program that drives the stream. `interrupt` ends the current turn. */
export function answerControl(
  stage: ClaudeStage,
  message: Readonly<Record<string, unknown>>,
  interrupt: () => void,
): void {
  const request = toRecord(message.request);
  const request_id = message.request_id;
  const succeed = (response: object) =>
    stage.output.raw({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  const refuse = (error: string, more: object = {}) =>
    stage.output.raw({
      type: 'control_response',
      response: { subtype: 'error', request_id, error, ...more },
    });
  switch (request.subtype) {
    case 'initialize': {
      const wanted = ['hooks', 'sdkMcpServers', 'agents'].find(
        (key) => Object.keys(toRecord(request[key])).length > 0,
      );
      if (wanted === undefined) return succeed(describeProgram(stage));
      return refuse(
        `ralph-e2e: the stand-in for claude does not support the caller's ${wanted}. The scripted lane does, with the real Claude Code.`,
      );
    }
    case 'interrupt':
      succeed({ still_queued: [] });
      return interrupt();
    case 'set_permission_mode':
      return setMode(stage, request.mode, succeed, refuse);
    case 'set_model': {
      stage.model = resolveModel(typeof request.model === 'string' ? request.model : undefined);
      const text = `<local-command-stdout>Set model to \`${stage.model}\`</local-command-stdout>`;
      stage.output.emit(userEvent(text, { isReplay: true }));
      return succeed({ model: stage.model });
    }
    case 'mcp_status':
      return succeed({ mcpServers: stage.servers.statuses });
    case 'get_binary_version':
      return succeed({ version: stage.version });
    default:
      return refuse(`Unsupported control request subtype: ${String(request.subtype)}`, {
        error_code: 'unsupported_request',
      });
  }
}

function setMode(
  stage: ClaudeStage,
  wanted: unknown,
  succeed: (response: object) => void,
  refuse: (error: string, more: object) => void,
): void {
  if (wanted === 'auto') return refuse(notPlayed(AUTO_MODE).message, {});
  const mode = PERMISSION_MODES.find((name) => name === (wanted === 'manual' ? 'default' : wanted));
  if (mode === undefined) {
    const error = `Cannot set permission mode: must be one of ${PERMISSION_MODES.join(', ')}`;
    return refuse(error, { error_code: 'invalid_mode' });
  }
  const obstacle = describeObstacle(stage, mode);
  if (obstacle !== null) return refuse(obstacle.error, { error_code: obstacle.code });
  stage.mode = mode;
  succeed({ mode });
  stage.output.emit({ type: 'system', subtype: 'status', status: null, permissionMode: mode });
}

/** Why a session cannot change to a mode, or null. */
function describeObstacle(
  { settings, maySkipPermissions }: ClaudeStage,
  mode: PermissionMode,
): { readonly error: string; readonly code: string } | null {
  if (mode !== 'bypassPermissions') return null;
  if (settings.bypassDisabled) return { error: BYPASS_DISABLED, code: 'bypass_disabled' };
  return maySkipPermissions ? null : { error: BYPASS_NOT_LAUNCHED, code: 'bypass_not_launched' };
}

const BYPASS_DISABLED =
  'Cannot set permission mode to bypassPermissions because it is disabled by settings or configuration';
const BYPASS_NOT_LAUNCHED =
  'Cannot set permission mode to bypassPermissions because the session was not launched with --dangerously-skip-permissions';

function describeProgram(stage: ClaudeStage): object {
  const files = [...stage.additions.own, ...stage.additions.plugged];
  return {
    commands: listCommands(stage.additions).map((name) => {
      const file = files.find((command) => command.name === name);
      const [shown = name, ...others] = file?.aliases ?? [];
      return {
        name: shown,
        ...(shown === name ? {} : { aliases: [...others, name] }),
        description: file?.description ?? '',
        argumentHint: file?.argumentHint ?? '',
        ...(file === undefined ? { builtin: true } : {}),
      };
    }),
    agents: [...stage.additions.agents, ...AGENTS.map((name) => ({ name, description: '' }))].map(
      ({ name, description }) => ({ name, description }),
    ),
    output_style: 'default',
    available_output_styles: ['default', 'Proactive', 'Concise', 'Explanatory', 'Learning'],
    user_output_styles_dir: `${configFolder(stage.around.env)}/output-styles`,
    models: [
      { value: 'default', resolvedModel: resolveModel(undefined), displayName: 'Default (recommended)' },
    ],
    account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' },
    pid: process.pid,
    claude_code_version: stage.version,
    current_permission_mode: stage.mode,
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    session_state: 'idle',
    capabilities: CAPABILITIES.filter(
      (name) => !/interrupt|msg|request|ask|lifecycle|sdk|read|tool_ui|files/.test(name),
    ),
  };
}
