import { dirname } from 'node:path';
import { followLinks, isInside, type WorkingFolders } from '../plugins/paths.js';
import type { JudgeContext, Judgement } from './judgement.js';
import { isOddPath } from './places/odd-paths.js';
import { describeProtection } from './places/protected.js';
import { locateWord } from './readers/operands.js';
import type { ShellWord } from './shell/words.js';

/** Judges the change of one file. */
export function judgeChange(
  what: string,
  word: ShellWord,
  context: JudgeContext,
  place: 'operand' | 'redirection',
): Extract<Judgement, { kind: 'asks' | 'edits' }> {
  const { folders } = context;
  const shell = place === 'redirection' && (word.globs || word.raw.startsWith('~'));
  if (shell || word.text.includes('$')) return { kind: 'asks', message: EXPANSION };
  if (/^~[^/]/.test(word.text)) return { kind: 'asks', message: TILDE };
  // Quotes do not help.
  if (/[*?[]/.test(word.text)) {
    const message = 'Glob patterns are not allowed in write operations. Please specify an exact file path.';
    return { kind: 'asks', message };
  }
  if (climbs(word.text)) return { kind: 'asks', message: TRAVERSAL };
  if (word.computed || word.raw.includes('$PWD'))
    return { kind: 'asks', message: `${what.replace(/ in$/, '')} ${RUNTIME}` };
  const path = locateWord(word, context);
  const protection = describeProtection(path, context.root, folders);
  if (protection !== null) {
    return {
      kind: 'asks',
      message: protection,
      check: 'protected',
      event: { decision_reason_type: 'safetyCheck' },
    };
  }
  if (isOddPath(path)) {
    const message = `Claude requested permissions to write to ${path}, which contains a suspicious Windows path pattern that requires manual approval.`;
    return { kind: 'asks', message, check: 'protected', event: { decision_reason_type: 'safetyCheck' } };
  }
  const head = `${what} '${path}' needs approval. The path is`;
  const session = `the working directories for this session (${nameFolders(folders)})`;
  if (!isInside(path, folders)) {
    // A link that leads out is asked about even if every command is allowed.
    if (folders.all.some((folder) => path.startsWith(`${folder}/`))) {
      const target = followLinks(path);
      const message =
        target === null
          ? `Where ${path} leads on disk could not be determined (a link or directory on the way could not be examined, or the links do not resolve)`
          : `${path} resolves through a symlink to ${target}, which is outside the allowed working directories`;
      return { kind: 'asks', message, check: 'protected', event: { decision_reason_type: 'safetyCheck' } };
    }
    return { kind: 'asks', message: `${head} outside ${session}. Allowing runs the command as written.` };
  }
  if (context.moved) {
    const how = place === 'operand' ? 'perform write operations' : 'write via output redirection';
    return { kind: 'asks', message: `Commands that change directories and ${how} ${MOVED_AND_WRITES}` };
  }
  const reason = 'Claude Code asks before a shell command creates, changes or removes files there.';
  const message = `${head} inside ${session}, and ${reason}`;
  return { kind: 'edits', message, ruleHelps: place === 'operand', alsoUnknown: false };
}

/** The change that is hardest to allow, or null. */
export function worst(
  changes: readonly Extract<Judgement, { kind: 'asks' | 'edits' }>[],
): Extract<Judgement, { kind: 'asks' | 'edits' }> | null {
  return changes.find(({ kind }) => kind === 'asks') ?? changes[0] ?? null;
}

/** Removing the workspace, what contains it, or what the system needs is never allowed by a rule. */
export function describeDanger(name: string, word: ShellWord, context: JudgeContext): Judgement | null {
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

/** Lists the working folders in a message. */
export function nameFolders(folders: WorkingFolders): string {
  return folders.all.map((folder) => `'${folder}'`).join(', ');
}

/** Whether a path leaves a folder that it entered. */
export function climbs(path: string): boolean {
  return /[^./]\/\.\.(?:\/|$)/.test(path);
}

export const EXPANSION = 'Shell expansion syntax in paths requires manual approval';
export const TILDE = 'Tilde expansion variants (~user, ~+, ~-) in paths require manual approval';
const MOVED_AND_WRITES =
  "require explicit approval to ensure paths are evaluated correctly. For security, Claude Code cannot automatically determine the final working directory when 'cd' is used in compound commands.";
export const TRAVERSAL =
  "Path contains '..' traversal after a directory segment, which may follow a symlink outside the working directory";
const RUNTIME =
  'target contains command-substitution or untracked-variable output — the path is runtime-determined and cannot be checked';
