import { userEvent } from '../output/messages.js';
import type { Permission } from '../permissions/files.js';
import { pathOf } from '../plugins/paths.js';
import { type ClaudeStage, refuseByName } from '../stage.js';
import { failed, type ToolOutcome } from './outcome.js';
import type { ToolUsed, Wish } from './wish.js';

/** Shows that a tool call was denied. Ends the call if only Claude Code can say whether it is. */
export function refuseTool(
  stage: ClaudeStage,
  { id, name, input }: Wish,
  permission: Exclude<Permission, { kind: 'allowed' }>,
): ToolUsed {
  if (permission.kind === 'unjudged') throw refuseByName(stage, permission.what);
  // Behind a gateway `plan` has no safety check. Without a stream, Claude Code then ends with another exit code.
  if (stage.mode === 'plan' && stage.args.outputFormat !== 'stream-json' && !('file_path' in input))
    throw refuseByName(stage, `what plan mode refuses with --output-format ${stage.args.outputFormat}`);
  const { message } = permission;
  stage.output.emit({
    type: 'system',
    subtype: 'permission_denied',
    tool_name: name,
    tool_use_id: id,
    message,
  });
  showOutcome(stage, id, failed(message));
  const denial = { tool_name: name, tool_use_id: id, tool_input: observable(input, stage) };
  return { content: message, isError: true, denial };
}

/** Shows the result of a tool call. */
export function showOutcome(stage: ClaudeStage, id: string, outcome: ToolOutcome): void {
  const { content, details, isError, saysSuccess } = outcome;
  const block = {
    tool_use_id: id,
    type: 'tool_result',
    content,
    ...(isError || saysSuccess === true ? { is_error: isError } : {}),
  };
  stage.output.emit(userEvent([block], { tool_use_result: details }));
  stage.session.say('user', { role: 'user', content: [block] }, { toolUseResult: details });
}

/** Hooks and the list of denials get absolute paths. */
export function observable(input: Wish['input'], stage: ClaudeStage): Wish['input'] {
  const path = 'file_path' in input ? pathOf(input, stage.tools.shellFolder, stage.around.env.HOME) : null;
  return path === null ? input : { ...input, file_path: path };
}
