import { isInside, type WorkingFolders } from '../../plugins/paths.js';
import { climbs, EXPANSION, nameFolders, TILDE, TRAVERSAL } from '../changes.js';
import { AS_WRITTEN, FILE_READERS, LONE_READERS, READERS, SHELL_ONLY } from '../commands.js';
import type { JudgeContext, Judgement } from '../judgement.js';
import { lookUp } from '../look-up.js';
import type { MeantCommand } from '../meaning.js';
import { looksLikeRepository } from '../places/repositories.js';
import type { ShellWord } from '../shell/words.js';
import { isHarmlessToRead } from '../wrappers.js';
import { locateWord, optionFiles, readsOnly } from './operands.js';

/** Judges a command that may only read. */
export function judgeReading(
  command: MeantCommand,
  name: string,
  rest: readonly ShellWord[],
  operands: readonly ShellWord[],
  context: JudgeContext,
): Judgement {
  const verb = lookUp(FILE_READERS, name) ?? gitVerb(name, rest);
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
  if (rest.some(({ raw }) => /^~[^/]/.test(raw))) return { kind: 'unknown' };
  return readsOnly(name, rest) && isRecognized(command, name) ? { kind: 'reads' } : { kind: 'unknown' };
}

/** Whether Claude Code sees a reader behind what stands before it. */
function isRecognized({ words, wrappers, assignments }: MeantCommand, name: string): boolean {
  const isAlone = assignments.length === 0 && words[0]?.raw === name;
  if (AS_WRITTEN.includes(name) && !isAlone) return false;
  if (!assignments.every(isHarmlessToRead)) return false;
  if (wrappers.length === 0) return true;
  if (/^\[\[?$/.test(name) || (wrappers.includes('timeout') && SHELL_ONLY.includes(name))) return false;
  return assignments.length === 0 || [...READERS, ...LONE_READERS, ...KNOWN_BEHIND_BOTH].includes(name);
}

/** Besides the readers with any options or none, these are recognized behind a variable and a wrapper. */
const KNOWN_BEHIND_BOTH = ['cd', 'printf', 'node', 'python', 'python3'];

/** These subcommands of git read files outside of a repository, too. */
function gitVerb(name: string, rest: readonly ShellWord[]): string | undefined {
  const readsFiles = name === 'git' && ['diff', 'grep'].includes(rest[0]?.text ?? '');
  return readsFiles ? 'access files with git from' : undefined;
}

/** Says that a path is outside the working folders. */
export function blocked(what: string, path: string, verb: string, folders: WorkingFolders): string {
  return `${what} '${path}' was blocked. For security, Claude Code may only ${verb} the allowed working directories for this session: ${nameFolders(folders)}.`;
}
