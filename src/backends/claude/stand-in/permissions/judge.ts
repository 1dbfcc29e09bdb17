import { isInside, type WorkingFolders } from '../plugins/paths.js';
import { climbs, EXPANSION, judgeChange, nameFolders, TILDE, TRAVERSAL, worst } from './changes.js';
import { FILE_READERS, FILE_WRITERS, UNACCEPTED_WRITERS } from './commands.js';
import { describeCode } from './hidden-code.js';
import type { JudgeContext, Judgement } from './judgement.js';
import { filesOf, locateWord, operandsOf, optionFiles, readsOnly, withoutTimeout } from './operands.js';
import { looksLikeRepository } from './places/repositories.js';
import { describeRemoval } from './removals.js';
import type { ShellCommand } from './shell/parse.js';
import { bareName, startedBy } from './shell/started.js';
import { controlsCommands } from './shell/variables.js';
import type { ShellWord } from './shell/words.js';

export interface JudgedCommand {
  readonly judgement: Judgement;
  /** The full paths of the files that it reads and changes. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The folder for the commands after it, or null if it does not change. */
  readonly folder: string | null;
}

/** Judges one command by its name, its options and its files. */
export function judgeCommand(command: ShellCommand, context: JudgeContext): JudgedCommand {
  const own = judgeStarted({ ...command, words: withoutTimeout(command.words) }, context);
  const isLimited = withoutTimeout(command.words).length < command.words.length;
  const started = startedBy(command.words);
  const byPath = started.flatMap(([head, ...rest]) =>
    head?.text.includes('/') === true ? [[{ ...head, text: bareName(head.text) }, ...rest]] : [],
  );
  const others = [...started.slice(1), ...byPath].map((words) =>
    judgeStarted({ ...command, words, assignments: [] }, context),
  );
  const named = [own, ...others].filter(({ judgement }) => judgement.kind === 'asks');
  // A program that starts another one hides no danger of it.
  const danger = named.find(({ judgement }) => 'check' in judgement) ?? named[0];
  return {
    judgement: danger?.judgement ?? (isLimited ? needingRule(own.judgement) : own.judgement),
    reads: [own, ...others].flatMap(({ reads }) => reads),
    writes: [own, ...others].flatMap(({ writes }) => writes),
    folder: own.folder ?? others.find(({ folder }) => folder !== null)?.folder ?? null,
  };
}

/** An edit with a time limit is no edit that was accepted. */
function needingRule(judgement: Judgement): Judgement {
  return judgement.kind === 'edits' ? { ...judgement, alsoUnknown: true } : judgement;
}

function judgeStarted(command: ShellCommand, context: JudgeContext): JudgedCommand {
  const { words } = command;
  const [head, ...rest] = words;
  const name = head?.text ?? '';
  const outputs = command.outputs.filter(({ text }) => text !== '/dev/null');
  const operands = operandsOf(name, rest);
  const locate = (word: ShellWord) => locateWord(word, context);
  const { read, written } = filesOf(words);
  return {
    judgement: judge(command, name, rest, operands, context),
    reads: [...read, ...command.inputs].map(locate),
    // Which file a computed name means is not known when the rules are read.
    writes: [...written, ...outputs].filter(({ computed }) => !computed).map(locate),
    folder:
      name === 'cd' || name === 'pushd'
        ? operands[0] === undefined
          ? context.home
          : locate(operands[0])
        : null,
  };
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
  const expanded = command.inputs.find(({ text, globs }) => globs || /^~[^/]|\$/.test(text));
  if (expanded !== undefined) return { kind: 'asks', message: EXPANSION };
  const input = command.inputs
    .filter(({ text }) => text !== '/dev/null')
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
  { words, assignments, outputs, inputs }: ShellCommand,
  name: string,
  rest: readonly ShellWord[],
  operands: readonly ShellWord[],
  context: JudgeContext,
): Judgement {
  if (words.length === 0) {
    const name = assignments
      .map((assignment) => assignment.replace(/\+?=.*/s, ''))
      .find((variable) => controlsCommands(variable));
    // A file that is only opened, emptied or made needs a rule.
    if (name === undefined)
      return { kind: assignments.length === 0 && outputs.length + inputs.length > 0 ? 'unknown' : 'reads' };
    const message = `${name} assignment alters command lookup/execution for subsequent commands`;
    return { kind: 'asks', message, exactRuleHelps: 'alone' };
  }
  if (TESTS.includes(name) && rest.some(({ computed }) => computed))
    return { kind: 'asks', message: 'Parse error' };
  const danger = describeCode(name, rest);
  if (danger !== null) {
    return { kind: 'asks', message: danger, exactRuleHelps: name === 'find' ? 'anywhere' : 'alone' };
  }
  const removal = describeRemoval(name, rest, context);
  if (removal !== null) return removal;
  if (name === 'git' && (context.moved || context.hasNamedFolder))
    return { kind: 'asks', message: MOVED, event: other(MOVED) };
  if (name === 'cd' && context.moved) return { kind: 'asks', message: MOVED_TWICE };
  if (name === 'find' && rest.some(({ globs }) => globs)) return { kind: 'asks', message: FIND_GLOB };
  if (name === 'sed' && readsOnly(name, rest) && !rest.some(({ globs }) => globs))
    return judgeReading(name, rest, operands, context, assignments);
  if ((name === 'cp' || name === 'mv') && rest.some(({ text }) => text.startsWith('-'))) {
    const message = `${name} with flags requires manual approval to ensure path safety. For security, Claude Code cannot automatically validate ${name} commands that use flags, as some flags like --target-directory=PATH can bypass path validation.`;
    return { kind: 'asks', message };
  }
  if (FILE_WRITERS.includes(name) || UNACCEPTED_WRITERS.includes(name)) {
    // Only a command by its bare name is an edit that was accepted: no quotes, no wrapper.
    const plain = words[0]?.raw === name && hasPlainOptions(name, rest);
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
  const verb = FILE_READERS[name] ?? gitVerb(name, rest);
  const named = [...operands, ...optionFiles(name, rest)];
  if (verb !== undefined || name === 'sed') {
    if (context.moved && context.hasDeniedFiles && name !== 'cd') {
      const message = `${name} reads a file by a relative path after a cd in a compound command; which file that is cannot be resolved statically while a Read() deny rule is configured, so this needs approval.`;
      return { kind: 'asks', message };
    }
    const where = name === 'cd' && operands.length === 0 ? [context.home] : [];
    const paths = [...where, ...named.map((word) => locateWord(word, context))];
    const variant = named.find(({ text }) => /^~[^/]/.test(text));
    if (variant !== undefined) {
      return { kind: 'asks', message: TILDE };
    }
    if (named.some(({ text }) => text.includes('$'))) return { kind: 'asks', message: EXPANSION };
    if (named.some(({ text }) => climbs(text))) return { kind: 'asks', message: TRAVERSAL };
    // After a `cd`, the real program still looks from the folder in which the line starts.
    const start = { ...context, cwd: context.folders.cwd };
    const candidates = [...named.map((word) => locateWord(word, start)), ...paths];
    const outside = candidates.find((path) => !isInside(path, context.folders));
    if (outside !== undefined) {
      return {
        kind: 'asks',
        message: blocked(`${name} in`, outside, verb ?? 'edit files in', context.folders),
      };
    }
  }
  if (name === 'git' && looksLikeRepository(context.cwd)) return { kind: 'unknown' };
  if (assignments.length > 0 || rest.some(({ raw }) => /^~[^/]/.test(raw))) return { kind: 'unknown' };
  return readsOnly(name, rest) ? { kind: 'reads' } : { kind: 'unknown' };
}

/** These subcommands of git read files outside of a repository, too. */
function gitVerb(name: string, rest: readonly ShellWord[]): string | undefined {
  const readsFiles = name === 'git' && ['diff', 'grep'].includes(rest[0]?.text ?? '');
  return readsFiles ? 'access files with git from' : undefined;
}

const TESTS = ['test', '[', '[['];

/** Whether accepting edits also means a command with these options: `sed -i s/a/b/ FILE`, but no other script. */
function hasPlainOptions(name: string, rest: readonly ShellWord[]): boolean {
  if (name === 'touch') return rest.every(({ text }) => !text.startsWith('-'));
  if (name !== 'sed') return true;
  const [script, ...files] = rest.filter(({ text }) => !text.startsWith('-'));
  return (
    rest.every(({ text }) => !text.startsWith('-') || ['-i', '-E', '-Ei', '--in-place'].includes(text)) &&
    script !== undefined &&
    !script.computed &&
    /^s\/[^\n/]*\/[^\n/]*\/g?$/.test(script.text) &&
    // A second script would be taken for a file.
    files.every(({ text }) => !/\s|^s\//.test(text))
  );
}

function blocked(what: string, path: string, verb: string, folders: WorkingFolders): string {
  return `${what} '${path}' was blocked. For security, Claude Code may only ${verb} the allowed working directories for this session: ${nameFolders(folders)}.`;
}

function other(reason: string): Readonly<Record<string, string>> {
  return { decision_reason_type: 'other', decision_reason: reason };
}

const FIND_GLOB =
  'find contains unquoted glob characters — could glob-expand to a dangerous action before find runs';
const MOVED_TWICE = 'Multiple directory changes in one command require approval for clarity';
const MOVED =
  'This command changes directory before running a version-control command, which can pick up untrusted hooks or repository configuration from the target directory. Approve only if you trust it.';
