import { isInside } from '../plugins/paths.js';
import { EXPANSION, judgeChange, worst } from './changes.js';
import { FILE_WRITERS, UNACCEPTED_WRITERS } from './commands.js';
import { describeCode } from './hidden-code.js';
import type { JudgeContext, Judgement } from './judgement.js';
import { type MeantCommand, meaningOf } from './meaning.js';
import { CONDITIONS } from './readers/conditions.js';
import { filesOf, locateWord, operandsOf, readsOnly } from './readers/operands.js';
import { blocked, judgeReading } from './readers/reading.js';
import { editsPlainly } from './readers/sed.js';
import { describeRemoval } from './removals.js';
import type { ShellCommand } from './shell/parse.js';
import { bareName, startedBy } from './shell/started.js';
import { controlsCommands } from './shell/variables.js';
import type { ShellWord } from './shell/words.js';
import { isHarmless } from './wrappers.js';

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
  const own = judgeStarted(meaningOf(command), context);
  const started = startedBy(command.words);
  const byPath = started.flatMap(([head, ...rest]) =>
    head?.text.includes('/') === true ? [[{ ...head, text: bareName(head.text) }, ...rest]] : [],
  );
  const others = [...started.slice(1), ...byPath].map((words) =>
    judgeStarted({ ...command, words, assignments: [], wrappers: [] }, context),
  );
  const named = [own, ...others].filter(({ judgement }) => judgement.kind === 'asks');
  // A program that starts another one hides no danger of it.
  const danger = named.find(({ judgement }) => 'check' in judgement) ?? named[0];
  return {
    judgement: danger?.judgement ?? own.judgement,
    reads: [own, ...others].flatMap(({ reads }) => reads),
    writes: [own, ...others].flatMap(({ writes }) => writes),
    folder: own.folder ?? others.find(({ folder }) => folder !== null)?.folder ?? null,
  };
}

function judgeStarted(command: MeantCommand, context: JudgeContext): JudgedCommand {
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
  command: MeantCommand,
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
  // Which file a relative path means depends on where the line has gone, and nobody follows it.
  const strayed = command.inputs.find(({ text }) => context.wanders && !/^[/~]/.test(text));
  if (strayed !== undefined) {
    const message = `Input redirection from '${strayed.text}' requires manual approval: the file it names depends on glob expansion or a directory change in the same command.`;
    return { kind: 'asks', message };
  }
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
  const alsoUnknown = own.kind === 'unknown' || (own.kind === 'edits' && own.alsoUnknown);
  return { ...output, alsoUnknown, ruleHelps: false };
}

function judgeWords(
  command: MeantCommand,
  name: string,
  rest: readonly ShellWord[],
  operands: readonly ShellWord[],
  context: JudgeContext,
): Judgement {
  const { words, assignments, outputs, inputs } = command;
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
  if (CONDITIONS.includes(name) && rest.some(({ computed }) => computed))
    return { kind: 'asks', message: 'Parse error' };
  const danger = describeCode(name, rest);
  if (danger !== null) {
    return { kind: 'asks', message: danger, exactRuleHelps: name === 'find' ? 'anywhere' : 'alone' };
  }
  const removal = describeRemoval(name, rest, context);
  if (removal !== null) return removal;
  if (name === 'git' && context.wanders) return { kind: 'asks', message: MOVED, event: other(MOVED) };
  if (name === 'cd' && context.moved) return { kind: 'asks', message: MOVED_TWICE };
  if (name === 'find' && rest.some(({ globs }) => globs)) return { kind: 'asks', message: FIND_GLOB };
  if (name === 'sed' && readsOnly(name, rest) && !rest.some(({ globs }) => globs))
    return judgeReading(command, name, rest, operands, context);
  if ((name === 'cp' || name === 'mv') && rest.some(({ text }) => text.startsWith('-'))) {
    const message = `${name} with flags requires manual approval to ensure path safety. For security, Claude Code cannot automatically validate ${name} commands that use flags, as some flags like --target-directory=PATH can bypass path validation.`;
    return { kind: 'asks', message };
  }
  if (FILE_WRITERS.includes(name) || UNACCEPTED_WRITERS.includes(name)) {
    const change = worst(operands.map((word) => judgeChange(`${name} in`, word, context, 'operand')));
    if (change?.kind === 'asks') return change;
    if (change === null) return { kind: 'unknown' };
    return { ...change, alsoUnknown: !isAccepted(command, name, rest) };
  }
  return judgeReading(command, name, rest, operands, context);
}

/** Whether accepting edits also means this command: `touch` only if nothing is around it. */
function isAccepted(
  { words, wrappers, assignments }: MeantCommand,
  name: string,
  rest: readonly ShellWord[],
): boolean {
  if (UNACCEPTED_WRITERS.includes(name) || !assignments.every(isHarmless)) return false;
  if (name === 'sed') return editsPlainly(rest);
  if (name !== 'touch') return true;
  const isAlone = words[0]?.raw === name && wrappers.length === 0 && assignments.length === 0;
  return isAlone && rest.every(({ text }) => !text.startsWith('-'));
}

function other(reason: string): Readonly<Record<string, string>> {
  return { decision_reason_type: 'other', decision_reason: reason };
}

const FIND_GLOB =
  'find contains unquoted glob characters — could glob-expand to a dangerous action before find runs';
const MOVED_TWICE = 'Multiple directory changes in one command require approval for clarity';
const MOVED =
  'This command changes directory before running a version-control command, which can pick up untrusted hooks or repository configuration from the target directory. Approve only if you trust it.';
