import { resolve } from 'node:path';
import type { PermissionMode } from '../arguments.js';
import { isInside, type WorkingFolders } from '../plugins/paths.js';
import { hasNestedCommand, judgePart, splitCommand } from './bash.js';
import { anyRuleFits } from './rules.js';

/** Whether a tool may run, with everything the real program reports about the decision. */
export type Permission =
  | { readonly allowed: true; readonly reasonType: string }
  | {
      readonly allowed: false;
      readonly message: string;
      readonly kind: string | null;
      readonly reasonType: string | null;
      /** The event's fields other than the message; null if there is no event. */
      readonly event: Readonly<Record<string, string>> | null;
      /** The program rejects the input before it checks permissions. */
      readonly isInputError?: boolean;
    };

export interface PermissionContext {
  readonly mode: PermissionMode;
  readonly folders: WorkingFolders;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}

/** Decides whether a tool may run: deny rules, then the mode that allows everything, then allow rules, then the mode. */
export function decidePermission(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: PermissionContext,
): Permission {
  const { mode, folders, allow, deny } = context;
  if (tool === 'Bash') return decideBash(String(input.command ?? ''), context);
  const path = pathOf(input, folders.cwd);
  const use = { tool, ...(path === null ? {} : { path }) };
  if (anyRuleFits(deny, use, folders.cwd)) return deniedByRule(tool, path);
  if (mode === 'bypassPermissions') return allowedBy('mode');
  if (anyRuleFits(allow, use, folders.cwd)) return allowedBy('rule');
  const changes = tool === 'Write' || tool === 'Edit';
  const inside = path === null || isInside(path, folders);
  if (mode === 'auto' || (inside && (!changes || mode === 'acceptEdits'))) return allowedBy('mode');
  if (mode === 'dontAsk') return deniedInDontAsk(tool);
  if (mode === 'plan' && changes) {
    return needsApproval(`Cannot write to ${path} while in plan mode.`, { decision_reason_type: 'mode' });
  }
  const verb = changes ? 'write to' : 'read from';
  const outside = {
    decision_reason_type: 'workingDir',
    decision_reason: 'Path is outside allowed working directories',
  };
  return needsApproval(
    `Claude requested permissions to ${verb} ${path}, but you haven't granted it yet.`,
    inside ? {} : outside,
  );
}

/** Resolves the path of the file that a tool uses. */
export function pathOf(input: Readonly<Record<string, unknown>>, cwd: string): string | null {
  const path = input.file_path ?? input.path;
  return typeof path === 'string' ? resolve(cwd, path) : null;
}

function decideBash(command: string, { mode, folders, allow, deny }: PermissionContext): Permission {
  const parts = splitCommand(command);
  const isDenied = [command, ...parts].some((part) =>
    anyRuleFits(deny, { tool: 'Bash', command: part }, folders.cwd),
  );
  if (isDenied) {
    return {
      allowed: false,
      message: `Permission to use Bash with command ${command} has been denied.`,
      kind: 'permission-rule',
      reasonType: 'subcommandResults',
      event: { decision_reason_type: 'subcommandResults' },
    };
  }
  if (mode === 'bypassPermissions') return allowedBy('mode');
  const isAllowed = (part: string) => anyRuleFits(allow, { tool: 'Bash', command: part }, folders.cwd);
  if (isAllowed(command) && !hasNestedCommand(command)) return allowedBy('subcommandResults');
  const open = parts.filter((part) => !isAllowed(part));
  const acceptsEdits = mode === 'acceptEdits' || mode === 'auto';
  const unknown: string[] = [];
  for (const part of open) {
    if (hasNestedCommand(part)) {
      const reason = "A nested command in this command can't be checked before it runs";
      return ask(mode, reason, { decision_reason_type: 'other', decision_reason: reason });
    }
    const verdict = judgePart(part, folders);
    if (verdict.kind === 'asks' || (verdict.kind === 'edits' && !acceptsEdits))
      return ask(mode, verdict.message, {});
    if (verdict.kind === 'edits' && mode === 'auto') return allowedBy('mode');
    if (verdict.kind === 'unknown') unknown.push(part);
  }
  if (unknown.length === 0) return allowedBy('subcommandResults');
  if (parts.length === 1) {
    const reason = 'This command requires approval';
    return ask(mode, reason, { decision_reason_type: 'other', decision_reason: reason });
  }
  const which = unknown.length === 1 ? 'part requires' : 'parts require';
  const message = `This Bash command contains multiple operations. The following ${which} approval: ${unknown.join(', ')}`;
  return ask(mode, message, { decision_reason_type: 'subcommandResults' });
}

/** Nobody can be asked in print mode, so the question becomes the refusal, unless the mode has its own message. */
function ask(mode: PermissionMode, message: string, event: Readonly<Record<string, string>>): Permission {
  if (mode === 'dontAsk') return deniedInDontAsk('Bash');
  if (mode === 'plan' || mode === 'auto') return NO_CLASSIFIER;
  return needsApproval(message, event);
}

/** The safety check of `auto` and `plan` runs on Anthropic's servers; behind a gateway it is unavailable. */
const NO_CLASSIFIER: Permission = {
  allowed: false,
  message:
    "Auto mode is unavailable: its safety check does not run for this session, so Bash was not run. Other actions that need the check will be denied too, and retrying won't help. Finish what you can without them, then tell the user what is blocked and that they can switch to another permission mode.",
  kind: 'automode-unavailable',
  reasonType: 'classifier',
  event: {
    decision_reason_type: 'classifier',
    decision_reason_code: 'auto_mode_no_check_in_session',
    decision_reason: 'Classifier unavailable',
  },
};

function allowedBy(reasonType: string): Permission {
  return { allowed: true, reasonType };
}

function needsApproval(message: string, event: Readonly<Record<string, string>>): Permission {
  return { allowed: false, message, kind: 'user-rejected', reasonType: null, event };
}

function deniedByRule(tool: string, path: string | null): Permission {
  if (path !== null) {
    const message = 'File is in a directory that is denied by your permission settings.';
    return { allowed: false, message, kind: null, reasonType: 'rule', event: null, isInputError: true };
  }
  const message = `Permission to use ${tool} has been denied.`;
  return {
    allowed: false,
    message,
    kind: 'permission-rule',
    reasonType: 'rule',
    event: { decision_reason_type: 'rule' },
  };
}

function deniedInDontAsk(tool: string): Permission {
  const message = `Permission to use ${tool} has been denied because Claude Code is running in don't ask mode. IMPORTANT: You *may* attempt to accomplish this action using other tools that might naturally be used to accomplish this goal, e.g. using head instead of cat. But you *should not* attempt to work around this denial in malicious ways, e.g. do not use your ability to run tests to execute non-test actions. You should only try to work around this restriction in reasonable ways that do not attempt to bypass the intent behind this denial. If you believe this capability is essential to complete the user's request, STOP and explain to the user what you were trying to do and why you need this permission. Let the user decide how to proceed.`;
  return {
    allowed: false,
    message,
    kind: 'permission-rule',
    reasonType: 'mode',
    event: { decision_reason_type: 'mode' },
  };
}
