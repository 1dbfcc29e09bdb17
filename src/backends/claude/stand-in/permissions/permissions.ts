import { dirname, resolve } from 'node:path';
import { isInside, readLink } from '../plugins/paths.js';
import { decideBash } from './bash.js';
import { isOddPath, locateFile } from './places/odd-paths.js';
import { describeProtection } from './places/protected.js';
import { anyLimitFits, anyRuleFits, rulesCover } from './rules/rules.js';
import {
  allowedBy,
  askFor,
  askPerson,
  deniedByRule,
  type Permission,
  type PermissionContext,
  refusedFile,
} from './verdicts.js';

/** Decides whether a tool may run: deny and ask rules, then the mode that allows everything, then allow rules, then the mode. */
export function decidePermission(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: PermissionContext,
): Permission {
  if (tool === 'Bash') return decideBash(String(input.command ?? ''), context);
  const { mode, folders, root, home, allow, ask, approved } = context;
  const path = pathOf(input, folders.cwd, home);
  const use = { tool, path };
  const places = { cwd: root, home };
  const changes = tool === 'Write' || tool === 'Edit';
  const denied = deniedFile(tool, input, context);
  if (denied !== null) return denied;
  const link = changes && path !== null ? readLink(path) : null;
  if (link !== null) {
    const message = `Refusing to write ${path}: it is a symbolic link. Write to the link's target path instead: ${resolve(dirname(path ?? ''), link)}.`;
    // No mode has a say in this.
    return askPerson(tool, 'default', message, {});
  }
  const protection = changes && path !== null ? describeProtection(path, root, folders) : null;
  if (mode === 'plan' && changes && protection === null) {
    const message = `Cannot write to ${path} while in plan mode.`;
    return askPerson(tool, mode, message, { decision_reason_type: 'mode' });
  }
  const request = `Claude requested permissions to ${changes ? 'write to' : 'read from'} ${path}, but you haven't granted it yet.`;
  if (anyLimitFits(ask, use, places)) return askPerson(tool, mode, request, { decision_reason_type: 'rule' });
  if (mode === 'bypassPermissions') return allowedBy('mode');
  if (tool.startsWith('mcp__')) {
    const message = `Claude requested permissions to use ${tool}, but you haven't granted it yet.`;
    const granted = approved || anyRuleFits(allow, use, places);
    return granted ? allowedBy('rule') : askFor(tool, mode, message, {});
  }
  if (protection !== null) return askFor(tool, mode, protection, { decision_reason_type: 'safetyCheck' });
  if (path !== null && isOddPath(path)) {
    const message = `Claude requested permissions to ${changes ? 'write to' : 'read from'} ${path}, which contains a suspicious Windows path pattern that requires manual approval.`;
    return askFor(tool, mode, message, { decision_reason_type: 'safetyCheck' });
  }
  const inside = path === null || isInside(path, folders);
  if (approved || rulesCover(allow, use, places)) return allowedBy('rule');
  if (inside && (!changes || mode === 'acceptEdits' || mode === 'auto')) return allowedBy('mode');
  if ((mode === 'auto' || mode === 'plan') && !changes) return allowedBy('mode');
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
  const path = pathOf(input, folders.cwd, home);
  const places = { cwd: root, home };
  if (anyLimitFits(deny, { tool, path }, places)) {
    return path === null
      ? deniedByRule(`Permission to use ${tool} has been denied.`, 'rule')
      : refusedFile('File is in a directory that is denied by your permission settings.');
  }
  // What must not be read must not be overwritten either.
  const changes = tool === 'Write' || tool === 'Edit';
  return changes && anyLimitFits(deny, { tool: 'Read', path }, places) ? refusedFile(UNREADABLE) : null;
}

const UNREADABLE = 'File is covered by a Read deny rule in your permission settings and cannot be edited.';

/** Resolves the path of the file that a tool uses. */
export function pathOf(input: Readonly<Record<string, unknown>>, cwd: string, home = '/'): string | null {
  const path = input.file_path ?? input.path;
  return typeof path === 'string' ? locateFile(path, cwd, home) : null;
}
