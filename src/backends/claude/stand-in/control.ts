import { notPlayed } from './arguments.js';
import type { ClaudeCall } from './call.js';
import { AGENTS, resolveModel } from './identity.js';
import { listCommands } from './plugins/commands.js';
import { toRecord } from './settings.js';

/** Answers a control request from the program that drives the stream. `interrupt` ends the current turn. */
export function answerControl(
  call: ClaudeCall,
  message: Readonly<Record<string, unknown>>,
  interrupt: () => void,
): void {
  const request = toRecord(message.request);
  const request_id = message.request_id;
  const succeed = (response: object) =>
    call.output.raw({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  const refuse = (error: string) =>
    call.output.raw({ type: 'control_response', response: { subtype: 'error', request_id, error } });
  switch (request.subtype) {
    case 'initialize': {
      const wanted = ['hooks', 'sdkMcpServers', 'agents'].find(
        (key) => Object.keys(toRecord(request[key])).length > 0,
      );
      if (wanted === undefined) return succeed(describeProgram(call));
      return refuse(notPlayed(`the caller's ${wanted}`).message);
    }
    case 'interrupt':
      succeed({ still_queued: [] });
      return interrupt();
    case 'mcp_status':
      return succeed({ mcpServers: call.servers.statuses });
    default:
      return refuse(notPlayed(`the control request ${String(request.subtype)}`).message);
  }
}

function describeProgram(call: ClaudeCall): object {
  const files = [...call.additions.own, ...call.additions.plugged];
  return {
    commands: listCommands(call.additions).map((name) => {
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
    agents: [...call.additions.agents, ...AGENTS.map((name) => ({ name, description: '' }))].map(
      ({ name, description }) => ({ name, description }),
    ),
    models: [
      { value: 'default', resolvedModel: resolveModel(undefined), displayName: 'Default (recommended)' },
    ],
    account: { tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' },
    pid: process.pid,
    claude_code_version: call.version,
    current_permission_mode: call.mode,
  };
}
