import { makeId } from '../../../../agent/engine/random-id.js';
import { ScriptMistake } from '../../../../agent/face/actor.js';
import { notPlayed } from '../arguments.js';
import { userEvent } from '../output/messages.js';
import { decidePermission, deniedFile, pathOf } from '../permissions/permissions.js';
import { limitedRules } from '../permissions/rules.js';
import { askPerson, type Permission, type PermissionContext } from '../permissions/verdicts.js';
import { runHooks } from '../plugins/hooks.js';
import { type ClaudeStage, hookPayload } from '../stage.js';
import { failed, refusedInput, shown, type ToolOutcome } from './outcome.js';

/** One tool call that the script asks for. */
export interface Wish {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The input from the model; the program adds defaults. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The scripted result that replaces running it. */
  readonly result?: string | undefined;
  /** Set if the scripted result is an error. */
  readonly failed?: boolean;
  /** The input that the tool really runs with. Set if the input comes from a recording, which nothing may run. */
  readonly runs?: Readonly<Record<string, unknown>>;
}

/** What a tool call came to. */
export interface ToolUsed {
  /** The text for the model. */
  readonly content: string;
  readonly isError: boolean;
  readonly denial: Denial | null;
}

/** A denied tool call, as the result lists it. */
export interface Denial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
}

/** Makes a wish, with the defaults that the real program adds to the input. */
export function makeWish(name: string, input: Wish['input'], result?: string): Wish {
  const complete = name === 'Edit' ? { replace_all: false, ...input } : input;
  return {
    id: makeId('toolu_'),
    name,
    input: complete,
    asked: input,
    ...(result === undefined ? {} : { result }),
  };
}

/** Runs a tool if hooks and permissions allow it, and prints the result. Returns the text for the model. */
export async function useTool(
  stage: ClaudeStage,
  wish: Wish,
  promptId: string,
  signal: AbortSignal,
): Promise<ToolUsed> {
  const { id, name } = wish;
  const { shellFolder } = stage.tools;
  const asked = shellFolder === stage.around.cwd ? wish.input : observable(wish.input, stage);
  const context: PermissionContext = {
    mode: stage.mode,
    folders: { cwd: shellFolder, all: stage.folders.all },
    root: stage.around.cwd,
    home: stage.around.env.HOME ?? '/',
    shellHasRun: stage.tools.shellHasRun,
    allow: [...stage.settings.allow, ...stage.args.allowed],
    // A tool that the call switches off does not exist; that says nothing about files.
    deny: [...stage.settings.deny, ...limitedRules(stage.args.disallowed)],
    ask: stage.settings.ask,
    approved: false,
  };
  if (name === 'Bash' && wish.input.run_in_background === true && wish.result === undefined) {
    const { message } = notPlayed('commands in the background (run_in_background)');
    stage.actor.record('refused', message);
    throw new ScriptMistake(message);
  }
  const replaced = replacedResult(stage, wish);
  const isOffered = replaced === null && stage.tools.isOffered(name);
  const ruled = isOffered && name !== 'Bash' ? deniedFile(name, asked, context) : null;
  if (ruled !== null && !ruled.allowed)
    return { content: ruled.message, isError: true, denial: refuse(stage, wish, ruled) };
  const early = replaced ?? stage.tools.check(name, asked);
  if (early !== null) {
    show(stage, id, early, null);
    return { content: early.content, isError: early.isError, denial: null };
  }
  const payload = {
    ...hookPayload(stage, promptId),
    effort: { level: 'medium' },
    tool_name: name,
    tool_input: observable(wish.input, stage),
    tool_use_id: id,
  };
  const before = await runHooks(stage.hooks, 'PreToolUse', name, payload);
  if (before.blocked !== null) {
    const outcome = failed(`PreToolUse:${name} hook error: ${before.blocked.message}`);
    show(stage, id, outcome, {
      kind: 'permission-rule',
      decision: 'reject',
      source: 'hook',
      reasonType: 'hook',
    });
    const denial = { tool_name: name, tool_use_id: id, tool_input: observable(wish.input, stage) };
    return { content: outcome.content, isError: true, denial };
  }
  const input = before.updatedInput === null ? asked : observable(before.updatedInput, stage);
  const byHook = before.decision === 'allow';
  const approved = byHook || stage.tools.isApproved(name);
  const ownDecision = decidePermission(name, input, { ...context, approved });
  const permission =
    before.decision === 'ask' && !isByRule(ownDecision)
      ? askedByHook(name, context, before.reason)
      : ownDecision;
  if (!permission.allowed)
    return { content: permission.message, isError: true, denial: refuse(stage, wish, permission) };
  const started = performance.now();
  if (wish.runs !== undefined && before.updatedInput !== null)
    stage.actor.diverge(`A hook changed the input of ${name}, which was recorded without it.`);
  stage.runningTool = id;
  const outcome = await stage.tools.run(name, wish.runs ?? input, signal);
  stage.runningTool = null;
  show(stage, id, await after(stage, payload, outcome, Math.round(performance.now() - started)), {
    decision: 'accept',
    source: byHook ? 'hook' : 'config',
    reasonType: byHook ? 'hook' : permission.reasonType,
  });
  const { message } = outcome;
  if (message !== undefined) {
    stage.output.emit(userEvent([{ type: 'text', text: message }], { isSynthetic: true }));
    stage.session.say('user', { role: 'user', content: message });
  }
  const content = message === undefined ? outcome.content : `${outcome.content}\n\n${message}`;
  return { content, isError: outcome.isError, denial: null };
}

/** The scripted result that replaces running a tool, or null. */
function replacedResult(stage: ClaudeStage, { name, result, failed: isError }: Wish): ToolOutcome | null {
  if (result === undefined) return stage.tools.canned(name);
  return isError === true ? failed(result) : shown(result);
}

function askedByHook(name: string, { mode }: PermissionContext, reason: string): Permission {
  const message = reason === '' ? `Hook PreToolUse:${name} asked for confirmation for this tool` : reason;
  return askPerson(name, mode, message, { decision_reason_type: 'hook', decision_reason: reason });
}

function isByRule(permission: Permission): boolean {
  return !permission.allowed && permission.kind === 'permission-rule';
}

/** Runs the hooks after a tool. Their output goes to the model, which follows a script and ignores it. */
async function after(
  stage: ClaudeStage,
  before: Readonly<Record<string, unknown>>,
  outcome: ToolOutcome,
  duration: number,
): Promise<ToolOutcome> {
  const name = String(before.tool_name);
  const payload = { ...before, cwd: stage.tools.shellFolder };
  if (outcome.isError) {
    const about = { ...payload, error: outcome.content, is_interrupt: false, duration_ms: duration };
    await runHooks(stage.hooks, 'PostToolUseFailure', name, about);
  } else {
    const about = { ...payload, tool_response: outcome.details, duration_ms: duration };
    await runHooks(stage.hooks, 'PostToolUse', name, about);
  }
  return outcome;
}

function refuse(
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
  show(stage, id, outcome, { decision: 'reject', source: 'config', reasonType, kind });
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

function show(stage: ClaudeStage, id: string, outcome: ToolOutcome, decision: Decision | null): void {
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
function observable(input: Wish['input'], stage: ClaudeStage): Wish['input'] {
  const path = 'file_path' in input ? pathOf(input, stage.tools.shellFolder) : null;
  return path === null ? input : { ...input, file_path: path };
}
