import { resolve } from 'node:path';
import { isUnplayedAfter } from '../../plugins/not-played.js';
import { userEvent } from '../output/messages.js';
import { askFor, deniedFile, type Permission, type PermissionContext } from '../permissions/files.js';
import { decidePermission } from '../permissions/permissions.js';
import { wholeTools } from '../permissions/rules.js';
import { runHooks } from '../plugins/hooks.js';
import { type ClaudeStage, hookPayload, refuseByName } from '../stage.js';
import { describeAliases, readToolInput, refuseToolInput } from './inputs.js';
import { failed, shown, type ToolOutcome } from './outcome.js';
import { observable, refuseTool, showOutcome } from './report.js';
import type { ToolUsed, Wish } from './wish.js';

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
  const wrong = replaced ?? stage.tools.checkCall(name, wish.input);
  if (wrong !== null) {
    showOutcome(stage, id, wrong);
    return { content: wrong.content, isError: wrong.isError, denial: null };
  }
  refuseBackground(stage, name, wish.input);
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
  const rewritten = before.updatedInput === null ? null : readToolInput(name, before.updatedInput);
  if (rewritten !== null && refuseToolInput(name, rewritten) !== null)
    throw refuseByName(stage, `the input that a hook gives ${name}`);
  const input = rewritten === null ? asked : observable(rewritten, stage);
  refuseBackground(stage, name, input);
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
  const ran = await stage.tools.run(name, wish.runs ?? input, signal);
  const outcome = ran.isError ? ran : { ...ran, content: ran.content + describeAliases(name, wish.asked) };
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
  if (name === 'Bash' && input.run_in_background === true)
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
