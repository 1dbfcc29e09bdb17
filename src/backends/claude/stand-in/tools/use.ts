import { resolve } from 'node:path';
import { makeId } from '../../../../agent/engine/random-id.js';
import { isUnplayedAfter } from '../../plugins/not-played.js';
import { notPlayed } from '../arguments.js';
import { type ClaudeCall, hookPayload } from '../call.js';
import { userEvent } from '../output.js';
import {
  askFor,
  decidePermission,
  deniedFile,
  type Permission,
  type PermissionContext,
  wholeTools,
} from '../permissions.js';
import { runHooks } from '../plugins/hooks.js';
import { pathOf } from '../plugins/paths.js';
import { failed, shown, type ToolOutcome } from './outcome.js';
import { requireKnownInput } from './tools.js';

/** One tool call that the script asks for. */
export interface ToolRequest {
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

/** Makes a request, with the default that the real program adds to an edit. */
export function makeToolRequest(name: string, input: ToolRequest['input'], result?: string): ToolRequest {
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
  call: ClaudeCall,
  request: ToolRequest,
  promptId: string,
  signal: AbortSignal,
): Promise<ToolUsed> {
  const { id, name } = request;
  const { shellFolder } = call.tools;
  const asked = shellFolder === call.around.cwd ? request.input : observable(request.input, call);
  const context: PermissionContext = {
    mode: call.mode,
    folders: {
      cwd: shellFolder,
      all: call.folders.all,
      plugins: call.args.pluginDirs.map((folder) => resolve(call.around.cwd, folder)),
    },
    places: { cwd: call.around.cwd, home: call.around.env.HOME ?? '/' },
    allow: [...call.settings.allow, ...call.args.allowed],
    // A tool that the call switches off does not exist; that says nothing about files.
    deny: [...call.settings.deny, ...call.args.disallowed].filter((rule) => wholeTools([rule]).length === 0),
    ask: call.settings.ask,
    approved: false,
  };
  const missed = call.hooks.hooks.find(({ event }) => isUnplayedAfter(event, name));
  if (missed !== undefined) throw notPlayed(`a ${missed.event} hook, which ${name} triggers`);
  const replaced = replacedResult(call, request);
  const wrong = replaced ?? call.tools.checkCall(name, request.input);
  if (wrong !== null) {
    showOutcome(call, id, wrong);
    return { content: wrong.content, isError: wrong.isError, denial: null };
  }
  const ruled = name === 'Bash' ? null : deniedFile(name, asked, context);
  if (ruled?.kind === 'denied') return refuseTool(call, request, ruled);
  const early = call.tools.check(name, asked, isReadAsked(name, asked, context));
  if (early !== null) {
    showOutcome(call, id, early);
    return { content: early.content, isError: early.isError, denial: null };
  }
  const payload = {
    ...hookPayload(call, promptId),
    effort: { level: 'medium' },
    tool_name: name,
    tool_input: observable(request.input, call),
    tool_use_id: id,
  };
  const before = await runHooks(call.hooks, 'PreToolUse', name, payload);
  if (before.blocked !== null) {
    const outcome = failed(`PreToolUse:${name} hook error: ${before.blocked.message}`);
    showOutcome(call, id, outcome);
    const denial = { tool_name: name, tool_use_id: id, tool_input: observable(request.input, call) };
    return { content: outcome.content, isError: true, denial };
  }
  const rewritten = before.updatedInput;
  if (rewritten !== null) requireKnownInput(name, rewritten);
  const input = rewritten === null ? asked : observable(rewritten, call);
  const approved = before.decision === 'allow' || call.tools.isApproved(name);
  const own = decidePermission(name, input, { ...context, approved });
  const isAsked =
    before.decision === 'ask' && own.kind !== 'unjudged' && !(own.kind === 'denied' && own.byRule);
  const permission = isAsked ? askedByHook(name, context, before.reason) : own;
  if (permission.kind !== 'allowed') return refuseTool(call, request, permission);
  const started = process.uptime() * 1000;
  if (request.runs !== undefined && before.updatedInput !== null)
    call.responder.diverge(`A hook changed the input of ${name}, which was recorded without it.`);
  const outcome = await call.tools.run(name, request.runs ?? input, signal);
  showOutcome(call, id, await after(call, payload, outcome, Math.round(process.uptime() * 1000 - started)));
  const { message } = outcome;
  if (message !== undefined) {
    call.output.emit(userEvent([{ type: 'text', text: message }], { isSynthetic: true }));
    call.session.say('user', { role: 'user', content: message });
  }
  const content = message === undefined ? outcome.content : `${outcome.content}\n\n${message}`;
  return { content, isError: outcome.isError, denial: null };
}

/** Whether reading a file that is to be changed would need permission. A mode that lets it be read does not make it known. */
function isReadAsked(name: string, input: ToolRequest['input'], context: PermissionContext): boolean {
  if (name !== 'Write' && name !== 'Edit') return false;
  const mode = context.mode === 'bypassPermissions' ? context.mode : 'default';
  return decidePermission('Read', input, { ...context, mode }).kind === 'denied';
}

/** The scripted result that replaces running a tool, or null. */
function replacedResult(
  call: ClaudeCall,
  { name, result, failed: isError }: ToolRequest,
): ToolOutcome | null {
  if (result === undefined) return call.tools.canned(name);
  return isError === true ? failed(result) : shown(result);
}

function askedByHook(name: string, { mode }: PermissionContext, reason: string): Permission {
  const message = reason === '' ? `Hook PreToolUse:${name} asked for confirmation for this tool` : reason;
  return askFor(name, mode, message);
}

/** Runs the hooks after a tool. Their output goes to the model, which follows a script and ignores it. */
async function after(
  call: ClaudeCall,
  before: Readonly<Record<string, unknown>>,
  outcome: ToolOutcome,
  duration: number,
): Promise<ToolOutcome> {
  const name = String(before.tool_name);
  const payload = { ...before, cwd: call.tools.shellFolder };
  if (outcome.isError) {
    const about = { ...payload, error: outcome.content, is_interrupt: false, duration_ms: duration };
    await runHooks(call.hooks, 'PostToolUseFailure', name, about);
  } else {
    const about = { ...payload, tool_response: outcome.details, duration_ms: duration };
    await runHooks(call.hooks, 'PostToolUse', name, about);
  }
  return outcome;
}

/** Shows that a tool call was denied. Ends the call if only Claude Code can say whether it is. */
function refuseTool(
  call: ClaudeCall,
  { id, name, input }: ToolRequest,
  permission: Exclude<Permission, { kind: 'allowed' }>,
): ToolUsed {
  if (permission.kind === 'unjudged') throw notPlayed(permission.what);
  // Behind a gateway `plan` has no safety check. Without a stream, Claude Code then ends with another exit code.
  if (call.mode === 'plan' && call.args.outputFormat !== 'stream-json' && !('file_path' in input))
    throw notPlayed(`what plan mode refuses with --output-format ${call.args.outputFormat}`);
  const { message } = permission;
  call.output.emit({
    type: 'system',
    subtype: 'permission_denied',
    tool_name: name,
    tool_use_id: id,
    message,
  });
  showOutcome(call, id, failed(message));
  const denial = { tool_name: name, tool_use_id: id, tool_input: observable(input, call) };
  return { content: message, isError: true, denial };
}

/** Shows the result of a tool call. */
function showOutcome(call: ClaudeCall, id: string, outcome: ToolOutcome): void {
  const { content, details, isError, saysSuccess } = outcome;
  const block = {
    tool_use_id: id,
    type: 'tool_result',
    content,
    ...(isError || saysSuccess === true ? { is_error: isError } : {}),
  };
  call.output.emit(userEvent([block], { tool_use_result: details }));
  call.session.say('user', { role: 'user', content: [block] });
}

/** Hooks and the list of denials get absolute paths. */
function observable(input: ToolRequest['input'], call: ClaudeCall): ToolRequest['input'] {
  const path = 'file_path' in input ? pathOf(input, call.tools.shellFolder, call.around.env.HOME) : null;
  return path === null ? input : { ...input, file_path: path };
}
