import { describeDanger } from './changes.js';
import type { JudgeContext, Judgement } from './judgement.js';
import { operandsOf } from './readers/operands.js';
import { piecesOf, roughPiecesOf, type ShellPiece } from './shell/pieces.js';
import { bareName, startedBy } from './shell/started.js';
import type { ShellWord } from './shell/words.js';

/** Finds a removal of the workspace or of the system where only a shell sees it, or null. */
export function findHiddenRemoval(
  command: string,
  isOpaque: boolean,
  context: JudgeContext,
): Judgement | null {
  const pieces = piecesOf(command);
  if (!isOpaque) return findRemoval(pieces.filter(runsText), context);
  const rough = /<<|\$\{|\$'/.test(command) ? roughPiecesOf(command) : [];
  return findRemoval([...pieces, ...rough], context);
}

function runsText({ words }: ShellPiece): boolean {
  return startedBy(words).some(([head]) => SHELLS.includes(bareName(head?.text ?? '')));
}

function findRemoval(pieces: readonly ShellPiece[], context: JudgeContext): Judgement | null {
  for (const [head, ...rest] of pieces.flatMap(({ words }) => startedBy(words))) {
    const name = bareName(head?.text ?? '');
    const code = SHELLS.includes(name) ? rest.filter(({ text }) => /\s/.test(text)) : [];
    const inner =
      code.length === 0
        ? null
        : findRemoval(
            code.flatMap(({ text }) => piecesOf(text)),
            context,
          );
    const found = inner ?? describeRemoval(name, rest.map(toShellWord), context);
    if (found !== null) return found;
  }
  return null;
}

/** Says why a command must not remove its operands, or null. */
export function describeRemoval(
  name: string,
  rest: readonly ShellWord[],
  context: JudgeContext,
): Judgement | null {
  if (name !== 'rm' && name !== 'rmdir') return null;
  const found = operandsOf(name, rest).map((word) => describeDanger(name, word, context));
  return found.find((danger) => danger !== null) ?? null;
}

function toShellWord({ raw, text }: ShellPiece['words'][number]): ShellWord {
  return { raw, text, start: 0, globs: /[*?[]/.test(raw), computed: false };
}

/** Programs that run the text in their arguments. */
const SHELLS = ['bash', 'sh', 'dash', 'zsh', 'script', 'eval'];
