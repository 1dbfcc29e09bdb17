import { resolve } from 'node:path';
import { makeId } from '../../../../agent/engine/random-id.js';
import { isUnplayedAfter } from '../../plugins/not-played.js';
import { userEvent } from '../output.js';
import { askFor, deniedFile, type Permission, type PermissionContext } from '../permissions/files.js';
import { decidePermission } from '../permissions/permissions.js';
import { wholeTools } from '../permissions/rules.js';
import { runHooks } from '../plugins/hooks.js';
import { pathOf } from '../plugins/paths.js';
import { type ClaudeStage, hookPayload, refuseByName } from '../stage.js';
import { failed, shown, type ToolOutcome } from './outcome.js';
import { findUnknownInput } from './tools.js';

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
  /** The input that the tool runs with, whatever a hook says. Set if it comes from a recording. */
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

/** Makes a wish, with the default that the real program adds to an edit. */
export function makeWish(name: string, input: Wish['input'], result?: string): Wish {
  const given = name === 'Edit' ? { replace_all: false, ...input } : input;
  return {
    id: makeId('toolu_'),
    name,
    input: given,
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
    folders: {
      cwd: shellFolder,
      all: stage.folders.all,
      plugins: stage.args.pluginDirs.map((folder) => resolve(stage.around.cwd, folder)),
    },
    places: { cwd: stage.around.cwd, home: stage.around.env.HOME ?? '/' },
    allow: [...stage.settings.allow, ...stage.args.allowed],
    // A tool that the call switches off does not exist; that says nothing about files.
    deny: [...stage.settings.deny, ...stage.args.disallowed].filter(
      (rule) => wholeTools([rule]).length === 0,
    ),
    ask: stage.settings.ask,
    approved: false,
  };
  const missed = stage.hooks.hooks.find(({ event }) => isUnplayedAfter(event, name));
  if (missed !== undefined) throw refuseByName(stage, `a ${missed.event} hook, which ${name} triggers`);
  const replaced = replacedResult(stage, wish);
  if (replaced === null) refuseBackground(stage, name, wish.input);
  const wrong = replaced ?? stage.tools.checkCall(name, wish.input);
  if (wrong?.notPlayed !== undefined) throw refuseByName(stage, wrong.notPlayed);
  if (wrong !== null) {
    showOutcome(stage, id, wrong);
    return { content: wrong.content, isError: wrong.isError, denial: null };
  }
  const ruled = name === 'Bash' ? null : deniedFile(name, asked, context);
  if (ruled?.kind === 'denied') return refuseTool(stage, wish, ruled);
  const early = stage.tools.check(name, asked, isReadAsked(name, asked, context));
  if (early !== null) {
    showOutcome(stage, id, early);
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
    showOutcome(stage, id, outcome);
    const denial = { tool_name: name, tool_use_id: id, tool_input: observable(wish.input, stage) };
    return { content: outcome.content, isError: true, denial };
  }
  const rewritten = before.updatedInput;
  if (rewritten !== null) {
    refuseBackground(stage, name, rewritten);
    if (findUnknownInput(name, rewritten) !== null)
      throw refuseByName(stage, `the input that a hook gives ${name}`);
  }
  const input = rewritten === null ? asked : observable(rewritten, stage);
  const approved = before.decision === 'allow' || stage.tools.isApproved(name);
  const own = decidePermission(name, input, { ...context, approved });
  const isAsked =
    before.decision === 'ask' && own.kind !== 'unjudged' && !(own.kind === 'denied' && own.byRule);
  const permission = isAsked ? askedByHook(name, context, before.reason) : own;
  if (permission.kind !== 'allowed') return refuseTool(stage, wish, permission);
  const started = performance.now();
  if (wish.runs !== undefined && before.updatedInput !== null)
    stage.actor.diverge(`A hook changed the input of ${name}, which was recorded without it.`);
  stage.runningTool = id;
  const outcome = await stage.tools.run(name, wish.runs ?? input, signal);
  stage.runningTool = null;
  if (outcome.notPlayed !== undefined) throw refuseByName(stage, outcome.notPlayed);
  showOutcome(stage, id, await after(stage, payload, outcome, Math.round(performance.now() - started)));
  const { message } = outcome;
  if (message !== undefined) {
    stage.output.emit(userEvent([{ type: 'text', text: message }], { isSynthetic: true }));
    stage.session.say('user', { role: 'user', content: message });
  }
  const content = message === undefined ? outcome.content : `${outcome.content}\n\n${message}`;
  return { content, isError: outcome.isError, denial: null };
}

function refuseBackground(stage: ClaudeStage, name: string, input: Wish['input']): void {
  if (name === 'Bash' && (input.run_in_background ?? false) !== false)
    throw refuseByName(stage, 'commands in the background (run_in_background)');
}

/** The scripted result that replaces running a tool, or null. */
function replacedResult(stage: ClaudeStage, { name, result, failed: isError }: Wish): ToolOutcome | null {
  if (result === undefined) return stage.tools.canned(name);
  return isError === true ? failed(result) : shown(result);
}

function askedByHook(name: string, { mode }: PermissionContext, reason: string): Permission {
  const message = reason === '' ? `Hook PreToolUse:${name} asked for confirmation for this tool` : reason;
  return askFor(name, mode, message);
}

/** Whether reading a file would need permission. A mode that lets a file be read does not make it known. */
function isReadAsked(name: string, input: Wish['input'], context: PermissionContext): boolean {
  if (name !== 'Write' && name !== 'Edit') return false;
  const mode = context.mode === 'bypassPermissions' ? context.mode : 'default';
  return decidePermission('Read', input, { ...context, mode }).kind !== 'allowed';
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

/** Shows that a tool call was denied. Ends the call if only Claude Code can say whether it is. */
function refuseTool(
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
function showOutcome(stage: ClaudeStage, id: string, outcome: ToolOutcome): void {
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
function observable(input: Wish['input'], stage: ClaudeStage): Wish['input'] {
  const path = 'file_path' in input ? pathOf(input, stage.tools.shellFolder, stage.around.env.HOME) : null;
  return path === null ? input : { ...input, file_path: path };
}
