import { startedBy } from './started.js';
import type { ShellWord } from './words.js';

/** Whether a variable changes what later commands mean: where they are found, run or read. */
export function controlsCommands(name: string): boolean {
  return CONTROLLING.test(name);
}

const CONTROLLING =
  /^(?:HOME|(?:OLD)?PWD|IFS|ENV|SHELL|LD_\w*|DYLD_\w*|BASH\w*|PS\d|PROMPT_\w*|GIT_\w*|NODE_OPTIONS|\w*PATH)$/;

/** Lists the variables that a builtin sets for later commands of the line, also behind `command` and `builtin`. */
export function variablesSetBy(words: readonly ShellWord[], isAlone: boolean): readonly string[] {
  return startedBy(words).flatMap((started, index) => setBy(started, isAlone && index === 0));
}

function setBy([head, ...rest]: readonly ShellWord[], isAlone: boolean): readonly string[] {
  const texts = rest.map(({ text }) => text);
  const assigned = texts.flatMap((text) => /^(\w+)\+?=/.exec(text)?.[1] ?? []);
  switch (head?.text) {
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      return assigned;
    case 'export':
      return isAlone ? [] : assigned;
    case 'read':
    case 'getopts':
      return ['REPLY', ...texts];
    case 'printf':
      return texts.some((text) => text.startsWith('-v')) ? texts : [];
    default:
      return [];
  }
}
