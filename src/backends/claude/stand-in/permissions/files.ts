import { relative } from 'node:path';
import type { PermissionMode } from '../arguments.js';
import { followLinks, isInside, pathOf, readLink, type WorkingFolders } from '../plugins/paths.js';
import { fitFile, fitsCommand, namesTool, type RuleFolders, wholeTools } from './rules.js';

/** Whether a tool may run. `unjudged`: only Claude Code can say. */
export type Permission =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'denied'; readonly message: string; readonly byRule: boolean }
  | { readonly kind: 'unjudged'; readonly what: string };

export interface PermissionContext {
  readonly mode: PermissionMode;
  readonly folders: WorkingFolders;
  /** Rules are relative to where the program was started, commands to where the shell is. */
  readonly places: RuleFolders;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  /** A hook or the script allows the tool. Rules, protected files and `plan` still stand in the way. */
  readonly approved: boolean;
}

/** Nobody can be asked in print mode, so the question is the refusal. */
export function askFor(tool: string, mode: PermissionMode, question: string): Permission {
  const refusal = `Permission to use ${tool} has been denied because Claude Code is running in don't ask mode.`;
  return { kind: 'denied', message: mode === 'dontAsk' ? refusal : question, byRule: false };
}

type Input = Readonly<Record<string, unknown>>;

export const PERMITTED: Permission = { kind: 'allowed' };

/** Decides by deny and ask rules, then by the mode that allows everything, then by allow rules, then by the mode. */
export function decideTool(tool: string, input: Input, context: PermissionContext): Permission {
  const { mode, folders, places, allow, ask } = context;
  const path = pathOf(input, folders.cwd, places.home);
  const changes = tool === 'Write' || tool === 'Edit';
  const denied = deniedFile(tool, input, context);
  if (denied !== null) return denied;
  const what = path === null ? `use ${tool}` : `${changes ? 'write to' : 'read from'} ${path}`;
  const question = askFor(
    tool,
    mode,
    `Claude requested permissions to ${what}, but you haven't granted it yet.`,
  );
  if (changes && path !== null && readLink(path) !== null)
    return askFor(tool, 'default', `Refusing to write ${path}: it is a symbolic link.`);
  const match = (rules: readonly string[]) => (path === null ? [] : fitFile(rules, tool, path, places));
  const isAsked = wholeTools(ask).some((rule) => fitsCommand(rule, tool)) || match(ask).includes(true);
  if ((changes && mode === 'plan') || isAsked || namesTool(ask, tool)) return question;
  if (mode === 'bypassPermissions') return PERMITTED;
  const isInReach = path === null || isInside(path, folders) || mode === 'plan';
  const isOpen = isInReach && !tool.startsWith('mcp__') && (!changes || mode === 'acceptEdits');
  const isAllowed = namesTool(allow, tool) || (path !== null && !match(allow).includes(false));
  if (!context.approved && !isAllowed && !isOpen) return question;
  const isOdd = path !== null && (changes ? mayBeProtected(path, context) : ODD_NAME.test(path));
  return isOdd ? { kind: 'unjudged', what: `judging what happens to ${path}` } : PERMITTED;
}

/** Returns the refusal of a file by a deny rule, which comes before hooks and permissions; or null. */
export function deniedFile(tool: string, input: Input, context: PermissionContext): Permission | null {
  const path = pathOf(input, context.folders.cwd, context.places.home);
  if (path === null) return null;
  // What must not be read must not be changed either.
  const fits = [tool, 'Read'].flatMap((name) => fitFile(context.deny, name, path, context.places));
  const message = 'File is in a directory that is denied by your permission settings.';
  return fits.includes(true) ? { kind: 'denied', message, byRule: true } : null;
}

/** Whether Claude Code may ask before a file is changed, whatever was accepted: it configures programs, or is a plugin's. */
export function mayBeProtected(path: string, { places: { cwd }, folders }: PermissionContext): boolean {
  const names = [relative(cwd, path), relative(followLinks(cwd) ?? cwd, followLinks(path) ?? path)];
  const isFolder = folders.all.includes(path) || isInside(path, { cwd, all: folders.plugins ?? [] });
  return isFolder || names.some((name) => PROTECTED.test(`/${name}`) || ODD_NAME.test(name));
}

/** Claude Code 2.1.325 knows most of these names by more letters. */
const PROTECTED =
  /\/(?:\.(?:git(?!ignore)|vscode|idea|husky|devcontainer|claude|config|cargo|yarn|mvn|bash|z|profile|rip|env|mcp|npm|pre-|pnp|bazel)|\.?lefthook\.|bunfig\.)|[^ -~]/i;
/** Names that Windows would read differently: Claude Code asks on every system. */
const ODD_NAME = /~\d|\.(?:con|prn|aux|nul|com\d|lpt\d)$|[^/. ][. ]+(?:\/|$)|(?:^|\/)\.{3,}(?:\/|$)/i;
