import { judgeCommand } from './judge.js';
import type { JudgeContext, Judgement } from './judgement.js';
import { limitedRules } from './rules/rules.js';
import type { ShellCommand } from './shell/parse.js';
import type { PermissionContext } from './verdicts.js';

/** A command of a line with its verdict. */
export interface Judged {
  readonly judgement: Judgement;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** Judges commands in order: each may change the folder for the next, and then git is trusted nowhere in the line. */
export function judgeLine(commands: readonly ShellCommand[], context: PermissionContext): readonly Judged[] {
  const start = judgeContext(context);
  const { judged, wanders } = judgeFrom(commands, start);
  return wanders ? judgeFrom(commands, { ...start, wanders }).judged : judged;
}

function judgeFrom(commands: readonly ShellCommand[], start: JudgeContext) {
  let { cwd, moved, wanders } = start;
  const judged = commands.map((command) => {
    const judgement = judgeCommand(command, { ...start, cwd, moved });
    if (judgement.folder !== null) {
      moved ||= judgement.folder !== cwd;
      wanders ||= moved || command.words.some(({ text }) => text.startsWith('/'));
      cwd = judgement.folder;
    }
    return judgement;
  });
  return { judged, wanders };
}

export function judgeContext({ folders, root, home, deny }: PermissionContext): JudgeContext {
  const hasDeniedFiles = limitedRules(deny).some((rule) => /^(?:Read|Edit)\(/.test(rule));
  return { folders, root, home, cwd: folders.cwd, moved: false, wanders: false, hasDeniedFiles };
}

/** A word that another command makes is only harmless if that command only reads. */
export function distrustMade(
  commands: readonly ShellCommand[],
  judged: readonly Judged[],
  nested: number,
): readonly Judged[] {
  if (judged.slice(0, nested).every(({ judgement }) => judgement.kind === 'reads')) return judged;
  return judged.map((item, index) => {
    const isMade = commands[index]?.words.some(({ computed }) => computed) === true;
    return isMade && item.judgement.kind === 'reads' ? { ...item, judgement: { kind: 'unknown' } } : item;
  });
}
