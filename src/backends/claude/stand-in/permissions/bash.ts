import { resolve } from 'node:path';
import { isInside, type WorkingFolders } from '../plugins/paths.js';

/** Claude Code's verdict on one part of a shell command before it runs. */
export type PartVerdict =
  | { readonly kind: 'reads' }
  /** Changes files inside the working folders; allowed if edits are accepted. */
  | { readonly kind: 'edits'; readonly message: string }
  | { readonly kind: 'asks'; readonly message: string }
  | { readonly kind: 'unknown' };

/** Splits a command line at `&&`, `||`, `;`, `|` and line ends, outside quotes. */
export function splitCommand(command: string): string[] {
  const parts = command.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|\d?>&\d|[^;&|\n'"\\])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Whether a part contains a command that is known only when it runs. */
export function hasNestedCommand(part: string): boolean {
  return /\$\(|`|<\(/.test(part.replace(/'[^']*'/g, "''"));
}

/** Judges one part by its command and its paths. */
export function judgePart(whole: string, folders: WorkingFolders): PartVerdict {
  const part = whole.replace(/[12&]?>>?\s*\/dev\/null/g, '').trim();
  const redirection = findRedirection(part);
  if (redirection !== null) {
    const command = judgePart(redirection.rest, folders);
    return command.kind === 'reads'
      ? judgeChange('Output redirection to', redirection.target, folders)
      : command;
  }
  const [name = '', ...words] = splitWords(part);
  const operands = words.filter((word) => !word.startsWith('-') && !/^\d?>/.test(word));
  const changesFiles =
    EDITING.includes(name) || (name === 'sed' && words.some((word) => /^-\w*i/.test(word)));
  if (changesFiles) {
    const path = (name === 'sed' ? operands.at(-1) : operands[0]) ?? '.';
    return judgeChange(`${name} in`, path, folders);
  }
  if (!reads(name, words)) return { kind: 'unknown' };
  const outside = PATHLESS.includes(name) ? undefined : operands.find((path) => !isInside(path, folders));
  if (outside === undefined) return { kind: 'reads' };
  const where = `the allowed working directories for this session: ${quoted(folders)}.`;
  const verb = VERBS[name] ?? 'read files from';
  const message = `${name} in '${resolve(folders.cwd, outside)}' was blocked. For security, Claude Code may only ${verb} ${where}`;
  return { kind: 'asks', message };
}

/** Whether the real program expects a command to print nothing. */
export function expectsNoOutput(command: string): boolean {
  const names = splitCommand(command).map((part) => splitWords(part)[0] ?? '');
  return names.length > 0 && names.every((name) => SILENT.includes(name));
}

const EDITING = ['touch', 'mkdir', 'rm', 'rmdir', 'mv', 'cp'];
const SILENT = [
  ...['mv', 'cp', 'rm', 'mkdir', 'rmdir', 'chmod', 'chown', 'chgrp', 'touch', 'ln'],
  ...['cd', 'export', 'unset', 'wait'],
];
const READING = [
  ...[
    'ls',
    'cat',
    'echo',
    'pwd',
    'head',
    'tail',
    'wc',
    'grep',
    'find',
    'sort',
    'uniq',
    'cut',
    'diff',
    'printf',
  ],
  ...[
    'true',
    'false',
    'cd',
    'stat',
    'file',
    'which',
    'date',
    'basename',
    'dirname',
    'seq',
    'test',
    'sleep',
    'tr',
  ],
];
/** Commands whose arguments are not paths. */
const PATHLESS = [
  'echo',
  'printf',
  'grep',
  'find',
  'date',
  'basename',
  'dirname',
  'seq',
  'true',
  'false',
  'which',
  'tr',
];
const READING_GIT = ['status', 'log', 'diff', 'show', 'branch', 'rev-parse', 'blame', 'remote'];
const VERBS: Readonly<Record<string, string>> = { ls: 'list files in', cat: 'concatenate files from' };

function reads(name: string, words: readonly string[]): boolean {
  if (name === 'git') return READING_GIT.includes(words[0] ?? '');
  if (name === 'find') return !words.some((word) => /^-(exec|delete|ok)/.test(word));
  return READING.includes(name);
}

/** Finds a redirection of output to a file, outside quotes, and the command without it. */
function findRedirection(part: string): { readonly target: string; readonly rest: string } | null {
  const pieces = part.match(/'[^']*'|"(?:\\.|[^"\\])*"|\\.|[12]?>>?\s*(?!&)[^\s&>|;]+|[\s\S]/g) ?? [];
  const found = pieces.find((piece) => /^[12]?>>?\s*[^\s>]/.test(piece));
  if (found === undefined) return null;
  const rest = pieces.filter((piece) => piece !== found).join('');
  return { target: found.replace(/^[12]?>>?\s*/, ''), rest };
}

function judgeChange(what: string, path: string, folders: WorkingFolders): PartVerdict {
  const head = `${what} '${resolve(folders.cwd, unquote(path))}' needs approval. The path is`;
  const session = `the working directories for this session (${quoted(folders)})`;
  if (!isInside(unquote(path), folders)) {
    return { kind: 'asks', message: `${head} outside ${session}. Allowing runs the command as written.` };
  }
  const reason = 'Claude Code asks before a shell command creates, changes or removes files there.';
  return { kind: 'edits', message: `${head} inside ${session}, and ${reason}` };
}

function quoted(folders: WorkingFolders): string {
  return folders.all.map((folder) => `'${folder}'`).join(', ');
}

function splitWords(part: string): string[] {
  return (part.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) ?? []).map(unquote);
}

function unquote(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"/g,
    (_, single?: string, double?: string) => single ?? double ?? '',
  );
}
