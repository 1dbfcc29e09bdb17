/** Whether a variable changes what later commands mean: where they are found, run or read. */
export function controlsCommands(name: string): boolean {
  return CONTROLLING.test(name);
}

const CONTROLLING =
  /^(?:HOME|(?:OLD)?PWD|IFS|ENV|SHELL|LD_\w*|DYLD_\w*|BASH\w*|PS\d|PROMPT_\w*|GIT_\w*|NODE_OPTIONS|\w*PATH)$/;
