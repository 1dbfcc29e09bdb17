import { dirname, resolve } from 'node:path';
import { isInside, type WorkingFolders } from '../plugins/paths.js';
import {
  EVALUATORS,
  FILE_READERS,
  FILE_WRITERS,
  FOREIGN_BUILTINS,
  LONE_READERS,
  PATTERN_FIRST,
  READERS,
  READERS_BY_OPTION,
  READERS_BY_SHAPE,
  STARTERS,
  UNACCEPTED_WRITERS,
} from './commands.js';
import { describeProtection } from './protected.js';
import type { ShellCommand } from './shell/parse.js';
import type { ShellWord } from './shell/tokens.js';

/** Claude Code's verdict on one command before rules and modes. */
export type Judgement =
  /** Needs no permission. */
  | { readonly kind: 'reads' }
  /** Changes files inside the working folders; allowed if edits are accepted. */
  | {
      readonly kind: 'edits';
      readonly message: string;
      /** A rule for the command allows it, too. */
      readonly ruleHelps: boolean;
      /** Apart from the files, the command itself needs permission. */
      readonly alsoUnknown: boolean;
    }
  /** Needs a person, whatever the rules for commands like it say. */
  | {
      readonly kind: 'asks';
      readonly message: string;
      readonly event?: Readonly<Record<string, string>>;
      /** Also asked if every command is allowed; `dangerous` even if permissions are skipped. */
      readonly check?: 'protected' | 'dangerous';
      /** A rule for exactly this command allows it: in every line, or only if nothing else is in the line. */
      readonly exactRuleHelps?: 'anywhere' | 'alone';
    }
  /** Needs a rule. */
  | { readonly kind: 'unknown' };

export interface JudgedCommand {
  readonly judgement: Judgement;
  /** The full paths of the files that it reads and changes. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The folder for the commands after it, or null if it does not change. */
  readonly folder: string | null;
}

export interface JudgeContext {
  readonly folders: WorkingFolders;
  readonly root: string;
  readonly home: string;
  /** The folder in which the command runs. */
  readonly cwd: string;
  /** An earlier command changed the folder. */
  readonly moved: boolean;
  /** A rule denies some files. */
  readonly hasDeniedFiles: boolean;
}

/** Judges one command by its name, its options and its files. */
export function judgeCommand(command: ShellCommand, context: JudgeContext): JudgedCommand {
  const words = withoutTimeout(command.words);
  const [head, ...rest] = words;
  const name = head?.text ?? '';
  const outputs = command.outputs.filter(({ text }) => text !== '/dev/null');
  const operands = operandsOf(name, rest);
  const locate = (word: ShellWord) => locateWord(word, context);
  const { read, written } = filesOf(withoutWrappers(words));
  return {
    judgement: judge(command, name, rest, operands, context),
    reads: [...read, ...command.inputs].map(locate),
    writes: [...written, ...outputs].map(locate),
    folder: name === 'cd' ? (operands[0] === undefined ? context.home : locate(operands[0])) : null,
  };
}

/** The files that a command reads and changes, for the rules about files. */
function filesOf([head, ...rest]: readonly ShellWord[]) {
  const name = head?.text ?? '';
  const operands = operandsOf(name, rest);
  const isReader =
    name in FILE_READERS ||
    ['cp', 'mv', 'sed'].includes(name) ||
    (name === 'git' && rest[0]?.text === 'diff');
  const isWriter =
    (FILE_WRITERS.includes(name) && !(name === 'sed' && readsOnly(name, rest))) ||
    UNACCEPTED_WRITERS.includes(name);
  return { read: isReader ? operands : [], written: isWriter ? operands : [] };
}

function judge(
  command: ShellCommand,
  name: string,
  rest: readonly ShellWord[],
  operands: readonly ShellWord[],
  context: JudgeContext,
): Judgement {
  const { folders } = context;
  const output = worst(
    command.outputs
      .filter(({ text }) => text !== '/dev/null')
      .map((word) => judgeChange('Output redirection to', word, context, 'redirection')),
  );
  if (output?.kind === 'asks') return output;
  const input = command.inputs
    .map((word) => locateWord(word, context))
    .find((path) => !isInside(path, folders));
  if (input !== undefined) {
    return { kind: 'asks', message: blocked('Input redirection from', input, 'read files in', folders) };
  }
  // Where a command goes does not depend on its input, but the real program asks.
  if (name === 'cd' && command.inputs.length > 0) return { kind: 'unknown' };
  const own = judgeWords(command, name, rest, operands, context);
  if (output === null || own.kind === 'asks') return own;
  return { ...output, alsoUnknown: own.kind === 'unknown', ruleHelps: false };
}

function judgeWords(
  { words, assignments }: ShellCommand,
  name: string,
  rest: readonly ShellWord[],
  operands: readonly ShellWord[],
  context: JudgeContext,
): Judgement {
  if (words.length === 0) {
    const name = assignments.find((assignment) => !isHarmless(assignment))?.replace(/\+?=.*/s, '');
    if (name === undefined) return { kind: 'reads' };
    const message = `${name} assignment alters command lookup/execution for subsequent commands`;
    return { kind: 'asks', message, exactRuleHelps: 'alone' };
  }
  const refusal = refuseByName(name, rest);
  if (refusal !== null) {
    return { kind: 'asks', message: refusal, exactRuleHelps: name === 'find' ? 'anywhere' : 'alone' };
  }
  if (name === 'rm' || name === 'rmdir') {
    const danger = operands
      .map((word) => describeDanger(name, word, context))
      .find((found) => found !== null);
    if (danger !== undefined && danger !== null) return danger;
  }
  if (name === 'git' && context.moved) return { kind: 'asks', message: MOVED, event: other(MOVED) };
  if (name === 'cd' && context.moved) return { kind: 'asks', message: MOVED_TWICE };
  if (name === 'sed' && readsOnly(name, rest))
    return judgeReading(name, rest, operands, context, assignments);
  if ((name === 'cp' || name === 'mv') && rest.some(({ text }) => text.startsWith('-'))) {
    return { kind: 'asks', message: `${name} with flags requires manual approval to ensure path safety.` };
  }
  if (FILE_WRITERS.includes(name) || UNACCEPTED_WRITERS.includes(name)) {
    const plain =
      rest.every(({ text }) => !text.startsWith('-') || PLAIN_WRITER_OPTIONS.test(text)) &&
      (name !== 'sed' || rest.some(({ text }) => /^s\/[^\n/]*\/[^\n/]*\/g?$/.test(text)));
    const change = worst(operands.map((word) => judgeChange(`${name} in`, word, context, 'operand')));
    if (change?.kind === 'asks') return change;
    const isKnown =
      plain && change !== null && assignments.length === 0 && !UNACCEPTED_WRITERS.includes(name);
    if (change === null) return { kind: 'unknown' };
    return { ...change, alsoUnknown: !isKnown };
  }
  return judgeReading(name, rest, operands, context, assignments);
}

function judgeReading(
  name: string,
  rest: readonly ShellWord[],
  operands: readonly ShellWord[],
  context: JudgeContext,
  assignments: readonly string[],
): Judgement {
  const verb = FILE_READERS[name];
  if (verb !== undefined || name === 'sed') {
    if (context.moved && context.hasDeniedFiles && name !== 'cd') {
      const message = `${name} reads a file by a relative path after a cd in a compound command; which file that is cannot be resolved statically while a Read() deny rule is configured, so this needs approval.`;
      return { kind: 'asks', message };
    }
    const where = name === 'cd' && operands.length === 0 ? [context.home] : [];
    const paths = [...where, ...operands.map((word) => locateWord(word, context))];
    const variant = operands.find(({ raw }) => /^~[^/]/.test(raw));
    if (variant !== undefined) {
      return {
        kind: 'asks',
        message: 'Tilde expansion variants (~user, ~+, ~-) in paths require manual approval',
      };
    }
    if (operands.some(({ text }) => climbs(text))) return { kind: 'asks', message: TRAVERSAL };
    const outside = paths.find((path) => !isInside(path, context.folders));
    if (outside !== undefined) {
      return {
        kind: 'asks',
        message: blocked(`${name} in`, outside, verb ?? 'edit files in', context.folders),
      };
    }
  }
  if (assignments.length > 0) return { kind: 'unknown' };
  return readsOnly(name, rest) ? { kind: 'reads' } : { kind: 'unknown' };
}

function readsOnly(name: string, rest: readonly ShellWord[]): boolean {
  if (name === 'cd' || READERS.includes(name)) return true;
  if (LONE_READERS.includes(name) && rest.length === 0) return true;
  const shape = READERS_BY_SHAPE[name];
  if (shape !== undefined) return shape.test(rest.map(({ text }) => text).join(' '));
  const options = READERS_BY_OPTION[name];
  if (options === undefined) return false;
  return rest.every(({ text }) => {
    if (!/^-./.test(text) || options.words.includes(text)) return true;
    return (
      /^-[a-zA-Z]+\d*$/.test(text) &&
      [...text.slice(1).replace(/\d+$/, '')].every((letter) => options.letters.includes(letter))
    );
  });
}

/** Options that do not say which files a command changes. */
const PLAIN_WRITER_OPTIONS = /^-[rfpRivna]+$/;

function judgeChange(
  what: string,
  word: ShellWord,
  context: JudgeContext,
  place: 'operand' | 'redirection',
): Extract<Judgement, { kind: 'asks' | 'edits' }> {
  const { folders } = context;
  const shell = place === 'redirection' && (word.globs || word.raw.startsWith('~'));
  if (shell) return { kind: 'asks', message: 'Shell expansion syntax in paths requires manual approval' };
  if (word.globs) {
    const message = 'Glob patterns are not allowed in write operations. Please specify an exact file path.';
    return { kind: 'asks', message };
  }
  if (climbs(word.text)) return { kind: 'asks', message: TRAVERSAL };
  if (word.raw.includes('$PWD')) return { kind: 'asks', message: `${what.replace(/ in$/, '')} ${RUNTIME}` };
  const path = locateWord(word, context);
  const protection = describeProtection(path, context.root);
  if (protection !== null) {
    return {
      kind: 'asks',
      message: protection,
      check: 'protected',
      event: { decision_reason_type: 'safetyCheck' },
    };
  }
  const head = `${what} '${path}' needs approval. The path is`;
  const session = `the working directories for this session (${quoted(folders)})`;
  if (!isInside(path, folders)) {
    return { kind: 'asks', message: `${head} outside ${session}. Allowing runs the command as written.` };
  }
  if (context.moved) return { kind: 'asks', message: MOVED_AND_WRITES };
  const reason = 'Claude Code asks before a shell command creates, changes or removes files there.';
  const message = `${head} inside ${session}, and ${reason}`;
  return { kind: 'edits', message, ruleHelps: place === 'operand', alsoUnknown: false };
}

function worst(
  changes: readonly Extract<Judgement, { kind: 'asks' | 'edits' }>[],
): Extract<Judgement, { kind: 'asks' | 'edits' }> | null {
  return changes.find(({ kind }) => kind === 'asks') ?? changes[0] ?? null;
}

/** Removing the workspace, what contains it, or what the system needs is never allowed by a rule. */
function describeDanger(name: string, word: ShellWord, context: JudgeContext): Judgement | null {
  const { folders, home, cwd } = context;
  const everything = /(?:^|\/)\*$/.test(word.text) && word.globs;
  const path = locateWord(word, context);
  const target = everything ? dirname(path) : path;
  const isCritical = target === '/' || target === home || dirname(target) === '/';
  const holds = [cwd, ...folders.all].some((folder) => folder === target || folder.startsWith(`${target}/`));
  if (!isCritical && !holds) return null;
  const what = isCritical
    ? 'This command would remove a critical system directory.'
    : 'This command would remove a workspace directory (the working directory, an additional working directory, or one of their parent directories).';
  const reason = isCritical ? 'critical path' : 'working directory or its ancestor';
  return {
    kind: 'asks',
    message: `Dangerous ${name} operation detected: '${path}'\n\n${what} This requires explicit approval and cannot be auto-allowed by permission rules.`,
    event: {
      decision_reason_type: 'safetyCheck',
      decision_reason: `Dangerous ${name} operation on ${reason}: ${path}`,
    },
    check: 'dangerous',
  };
}

function refuseByName(name: string, rest: readonly ShellWord[]): string | null {
  if (EVALUATORS.includes(name)) return `'${name}' evaluates arguments as shell code`;
  if (FOREIGN_BUILTINS.includes(name)) return `Zsh builtin '${name}' can bypass security checks`;
  if (STARTERS.includes(name)) return `What '${name}' starts can't be checked before it runs`;
  if (name !== 'find') return null;
  const action = rest
    .map(({ text }) => text)
    .find((text) => /^-(?:exec|ok|delete|f(?:ls|print|printf))/.test(text));
  return action === undefined
    ? null
    : `find with '${action}' executes commands or modifies files — cannot be auto-allowed by a Bash(find:*) prefix rule`;
}

/** The operands of a command that are files. */
function operandsOf(name: string, rest: readonly ShellWord[]): readonly ShellWord[] {
  const dashes = rest.findIndex(({ text }) => text === '--');
  const before = (dashes < 0 ? rest : rest.slice(0, dashes)).filter(({ text }) => !/^-./.test(text));
  const all = dashes < 0 ? before : [...before, ...rest.slice(dashes + 1)];
  if (name === 'find') {
    const expression = rest.findIndex(({ text }) => /^[-(!]/.test(text));
    return expression < 0 ? rest : rest.slice(0, expression);
  }
  if (name === 'git') return all.slice(1);
  if (PATTERN_FIRST.includes(name)) return all.slice(1);
  if (name === 'sed') return rest.some(({ text }) => /^-[ef]/.test(text)) ? all : all.slice(1);
  return all;
}

function withoutTimeout(words: readonly ShellWord[]): readonly ShellWord[] {
  const isLimited = words[0]?.text === 'timeout' && /^\d+$/.test(words[1]?.text ?? '') && words.length > 2;
  return isLimited ? words.slice(2) : words;
}

/** Leaves out programs that only start the one that follows. */
function withoutWrappers(words: readonly ShellWord[]): readonly ShellWord[] {
  const [head, ...rest] = words;
  const own = head === undefined ? undefined : WRAPPER_ARGUMENTS[head.text];
  const taken = own?.exec(rest.map(({ text }) => `${text} `).join(''))?.[0];
  if (taken === undefined) return words;
  return withoutWrappers(rest.slice(taken.split(' ').length - 1));
}

/** What belongs to a program that starts another one, each word with a space behind it. */
const WRAPPER_ARGUMENTS: Readonly<Record<string, RegExp>> = {
  timeout: /^\d+(?:\.\d+)?[smhd]? /,
  nice: /^(?:-n -?\d+ |-\d+ )?/,
  stdbuf: /^(?:-[ioe]\S+ )+/,
  env: /^(?:\w+=\S* )*/,
  nohup: /^(?!-)/,
  time: /^(?!-)/,
  command: /^(?!-)/,
  builtin: /^(?!-)/,
};

function locateWord({ text, raw }: ShellWord, { cwd, home }: JudgeContext): string {
  if (raw === '~' || raw.startsWith('~/')) return resolve(home, `.${text.slice(1)}`);
  return resolve(cwd, text);
}

/** Assignments that cannot change what later commands mean. */
function isHarmless(assignment: string): boolean {
  return !/^(?:PATH|HOME|PWD|IFS|ENV|SHELL|LD_\w*|DYLD_\w*|BASH\w*|PS\d|PROMPT_\w*|GIT_\w*|NODE_OPTIONS|\w*PATH)\+?=/.test(
    assignment,
  );
}

function blocked(what: string, path: string, verb: string, folders: WorkingFolders): string {
  return `${what} '${path}' was blocked. For security, Claude Code may only ${verb} the allowed working directories for this session: ${quoted(folders)}.`;
}

function quoted(folders: WorkingFolders): string {
  return folders.all.map((folder) => `'${folder}'`).join(', ');
}

function other(reason: string): Readonly<Record<string, string>> {
  return { decision_reason_type: 'other', decision_reason: reason };
}

/** Whether a path leaves a folder that it entered. */
function climbs(path: string): boolean {
  return /[^./]\/\.\.(?:\/|$)/.test(path);
}

const MOVED_TWICE = 'Multiple directory changes in one command require approval for clarity';
const MOVED_AND_WRITES =
  'Commands that change directories and perform write operations require explicit approval';
const MOVED =
  'This command changes directory before running a version-control command, which can pick up untrusted hooks or repository configuration from the target directory. Approve only if you trust it.';
const TRAVERSAL =
  "Path contains '..' traversal after a directory segment, which may follow a symlink outside the working directory";
const RUNTIME =
  'target contains command-substitution or untracked-variable output — the path is runtime-determined and cannot be checked';
