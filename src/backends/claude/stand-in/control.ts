import { asMapping } from '../../../agent/stand-in/json.js';
import { notPlayed } from './arguments.js';
import type { ClaudeCall } from './call.js';
import { listCommands } from './plugins/commands.js';

/** Answers a control request from the program that drives the stream. `interrupt` ends the current turn. */
export function answerControl(
  call: ClaudeCall,
  message: Readonly<Record<string, unknown>>,
  interrupt: () => void,
): void {
  const request = asMapping(message.request);
  const request_id = message.request_id;
  const succeed = (response: object) =>
    call.output.raw({ type: 'control_response', response: { subtype: 'success', request_id, response } });
  const refuse = (error: string) =>
    call.output.raw({ type: 'control_response', response: { subtype: 'error', request_id, error } });
  switch (request.subtype) {
    case 'initialize': {
      const wanted = ['hooks', 'sdkMcpServers', 'agents'].find(
        (key) => Object.keys(asMapping(request[key])).length > 0,
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

function describeProgram({ additions }: ClaudeCall): object {
  return {
    commands: listCommands(additions).map(({ name, aliases, description, argumentHint }) => {
      const [shown = name, ...others] = aliases;
      return {
        name: shown,
        ...(shown === name ? {} : { aliases: [...others, name] }),
        ...{ description, argumentHint },
      };
    }),
    agents: additions.agents.map(({ name, description }) => ({ name, description })),
  };
}
