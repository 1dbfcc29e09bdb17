import { userEvent } from '../output/messages.js';
import { pathOf } from '../permissions/permissions.js';
import type { Permission } from '../permissions/verdicts.js';
import type { ClaudeStage } from '../stage.js';
import { failed, refusedInput, type ToolOutcome } from './outcome.js';
import type { Denial, Wish } from './wish.js';

/** Shows the refusal of a tool call, and returns its entry in the list of denials. */
export function refuseTool(
  stage: ClaudeStage,
  { id, name, input }: Wish,
  permission: Permission & { allowed: false },
): Denial {
  const { message, event, kind, reasonType, isInputError } = permission;
  if (kind === 'automode-unavailable') tellOfMissingCheck(stage);
  if (event !== null) {
    const about = { tool_name: name, tool_use_id: id, ...event, message };
    stage.output.emit({ type: 'system', subtype: 'permission_denied', ...about });
  }
  const outcome = isInputError === true ? refusedInput(message) : failed(message);
  showOutcome(stage, id, outcome, { decision: 'reject', source: 'config', reasonType, kind });
  return { tool_name: name, tool_use_id: id, tool_input: observable(input, stage) };
}

/** Behind a gateway the safety check of `auto` and `plan` does not run; the program says so before the first refusal. */
function tellOfMissingCheck(stage: ClaudeStage): void {
  const gateway = stage.around.env.ANTHROPIC_BASE_URL;
  if (gateway === undefined || stage.toldOfMissingCheck) return;
  stage.toldOfMissingCheck = true;
  const host = gateway.replace(/^\w+:\/\//, '').replace(/\/.*$/, '');
  const content = `Auto mode can't check actions in this session. Its safety check runs on the server, and your requests go through ${host}, which doesn't pass it through. Nobody can be asked to approve actions in this session, so every action that needs the check is refused. To run these actions, use another permission mode. To use auto mode, ask whoever runs ${host} to pass Claude Code's server-side safety check through: https://code.claude.com/docs/en/permission-modes#server-side-classifier-review`;
  if (stage.args.outputFormat !== 'stream-json') {
    stage.around.write('stderr', `${content}\n`);
    return;
  }
  stage.output.emit({
    type: 'system',
    subtype: 'informational',
    content,
    isMeta: false,
    timestamp: new Date().toISOString(),
    level: 'warning',
    tag: 'auto_mode_no_server_check',
  });
}

interface Decision {
  readonly decision: 'accept' | 'reject';
  readonly source: 'config' | 'hook';
  readonly reasonType: string | null;
  readonly kind?: string | null;
}

/** Shows the result of a tool call, with what decided about it. */
export function showOutcome(
  stage: ClaudeStage,
  id: string,
  outcome: ToolOutcome,
  decision: Decision | null,
): void {
  const { content, details, isError, saysSuccess } = outcome;
  const block = {
    tool_use_id: id,
    type: 'tool_result',
    content,
    ...(isError || saysSuccess === true ? { is_error: isError } : {}),
  };
  const meta =
    decision === null
      ? {}
      : {
          tool_result_meta: [
            {
              id,
              ...(decision.kind === undefined || decision.kind === null
                ? {}
                : { non_execution_kind: decision.kind }),
              permission_decision: {
                decision: decision.decision,
                source: decision.source,
                ...(decision.reasonType === null ? {} : { reason_type: decision.reasonType }),
              },
            },
          ],
        };
  stage.output.emit(userEvent([block], { tool_use_result: details, ...meta }));
  stage.session.say('user', { role: 'user', content: [block] }, { toolUseResult: details });
}

/** Hooks and the list of denials get absolute paths. */
export function observable(input: Wish['input'], stage: ClaudeStage): Wish['input'] {
  const path = 'file_path' in input ? pathOf(input, stage.tools.shellFolder, stage.around.env.HOME) : null;
  return path === null ? input : { ...input, file_path: path };
}
