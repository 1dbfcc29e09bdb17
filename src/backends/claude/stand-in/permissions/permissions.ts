import { resolve } from 'node:path';
import { isInside } from '../plugins/paths.js';
import { decideBash } from './bash.js';
import { describeProtection } from './protected.js';
import { anyRuleFits } from './rules.js';
import {
  allowedBy,
  askFor,
  deniedByRule,
  type Permission,
  type PermissionContext,
  refusedFile,
} from './verdicts.js';

/** Returns what stands in the way although a hook or the script allows the tool: rules and safety checks; or null. */
export function ruledOut(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: PermissionContext,
): Permission | null {
  const permission = decidePermission(tool, input, {
    ...context,
    mode: context.mode === 'bypassPermissions' ? context.mode : 'default',
    allow: [tool],
  });
  return permission.allowed ? null : permission;
}

/** Decides whether a tool may run: deny and ask rules, then the mode that allows everything, then allow rules, then the mode. */
export function decidePermission(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: PermissionContext,
): Permission {
  if (tool === 'Bash') return decideBash(String(input.command ?? ''), context);
  const { mode, folders, root, home, allow, ask } = context;
  const path = pathOf(input, folders.cwd);
  const use = { tool, path };
  const places = { cwd: root, home };
  const changes = tool === 'Write' || tool === 'Edit';
  const denied = deniedFile(tool, input, context);
  if (denied !== null) return denied;
  const request = `Claude requested permissions to ${changes ? 'write to' : 'read from'} ${path}, but you haven't granted it yet.`;
  if (anyRuleFits(ask, use, places)) return askFor(tool, mode, request, { decision_reason_type: 'rule' });
  if (mode === 'bypassPermissions') return allowedBy('mode');
  const protection = changes && path !== null ? describeProtection(path, root) : null;
  if (protection !== null) return askFor(tool, mode, protection, { decision_reason_type: 'safetyCheck' });
  const inside = path === null || isInside(path, folders);
  if (mode === 'plan' && changes) {
    const message = `Cannot write to ${path} while in plan mode.`;
    return askFor(tool, 'default', message, { decision_reason_type: 'mode' });
  }
  if (anyRuleFits(allow, use, places)) return allowedBy('rule');
  if (inside && (!changes || mode === 'acceptEdits' || mode === 'auto')) return allowedBy('mode');
  if (mode === 'auto' && !changes) return allowedBy('mode');
  const outside = {
    decision_reason_type: 'workingDir',
    decision_reason: 'Path is outside allowed working directories',
  };
  return askFor(tool, mode, request, inside ? {} : outside);
}

/** Returns the refusal of a file by a deny rule, which comes before hooks and permissions; or null. */
export function deniedFile(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  { folders, root, home, deny }: PermissionContext,
): Permission | null {
  const path = pathOf(input, folders.cwd);
  const places = { cwd: root, home };
  if (anyRuleFits(deny, { tool, path }, places)) {
    return path === null
      ? deniedByRule(`Permission to use ${tool} has been denied.`, 'rule')
      : refusedFile('File is in a directory that is denied by your permission settings.');
  }
  // What must not be read must not be overwritten either.
  const changes = tool === 'Write' || tool === 'Edit';
  return changes && anyRuleFits(deny, { tool: 'Read', path }, places) ? refusedFile(UNREADABLE) : null;
}

const UNREADABLE = 'File is covered by a Read deny rule in your permission settings and cannot be edited.';

/** Resolves the path of the file that a tool uses. */
export function pathOf(input: Readonly<Record<string, unknown>>, cwd: string): string | null {
  const path = input.file_path ?? input.path;
  return typeof path === 'string' ? resolve(cwd, path) : null;
}
