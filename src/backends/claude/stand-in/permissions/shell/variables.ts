import type { ShellWord } from './words.js';

/** Whether a variable changes what later commands mean: where they are found, run or read. */
export function controlsCommands(name: string): boolean {
  return CONTROLLING.test(name);
}

const CONTROLLING =
  /^(?:HOME|(?:OLD)?PWD|IFS|ENV|SHELL|LD_\w*|DYLD_\w*|BASH\w*|PS\d|PROMPT_\w*|GIT_\w*|NODE_OPTIONS|\w*PATH)$/;

/** Whether a builtin sets a variable that later commands of the line may see. */
export function setsVariable([head, ...rest]: readonly ShellWord[], isAlone: boolean): boolean {
  const assigns = rest.some(({ text }) => /^\w+=/.test(text));
  switch (head?.text) {
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      return assigns;
    case 'export':
      return assigns && !isAlone;
    case 'read':
    case 'getopts':
      return true;
    case 'printf':
      return rest.some(({ text }) => text.startsWith('-v'));
    default:
      return false;
  }
}
