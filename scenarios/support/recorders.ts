import type { ArrangedFile } from '../../src/authoring.js';

/** The folder of the recorders, for `path`. */
export const PROGRAMS = 'programs';

/**
 * Programs that stand in for agent CLIs and append one line for each call to calls/<name>.txt: their arguments, with
 * `<prompt>` for one that contains the word. `$CALL` gives the file another name. Each then does what `then` says.
 */
export function recorders(
  names: readonly string[],
  word: string,
  then = '',
): Record<string, Exclude<ArrangedFile, string>> {
  const content = [
    '#!/bin/sh',
    'name=$' + '{0##*/}',
    '[ "$1" = --version ] && exit 0',
    'line=',
    'for each in "$@"; do',
    '  case $each in',
    `    *${word}*) shown='<prompt>' ;;`,
    `    /*) if grep -q ${word} "$each"; then shown='<prompt file>'; else shown=$each; fi ;;`,
    '    *) shown=$each ;;',
    '  esac',
    '  line="$line $shown"',
    'done',
    `[ "$name" != claude ] || ! grep -q ${word} || line="$line < <prompt>"`,
    'mkdir -p calls',
    'echo "$name$line" >> "calls/$' + '{CALL:-$name}.txt"',
    then,
    '',
  ].join('\n');
  return Object.fromEntries(names.map((name) => [`${PROGRAMS}/${name}`, { content, mode: 0o755 }]));
}
