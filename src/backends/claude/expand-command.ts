/** The text of a command or a skill, as its file has it. */
export interface CommandText {
  readonly body: string;
  /** The names that its head gives its arguments. */
  readonly argumentNames: readonly string[];
  /** The folder of a skill, which its text begins with; null for a command. */
  readonly skillFolder: string | null;
}

/** Variables by name. Null as a value means that only Claude Code knows it. */
export type CommandVariables = Readonly<Record<string, string | null>>;

/** The text that the model gets for a command, or why that is not known before Claude Code sends it. */
export type ExpandedCommand =
  | { readonly text: string; readonly unknown: null }
  | { readonly text: null; readonly unknown: string };

/** Expands a command or a skill as Claude Code does, where that needs neither its parser of shell lines nor a command. */
export function expandCommandText(
  { body, argumentNames, skillFolder }: CommandText,
  args: string,
  variables: CommandVariables,
): ExpandedCommand {
  const text = skillFolder === null ? body : `Base directory for this skill: ${skillFolder}\n\n${body}`;
  if (RUNS_COMMANDS.test(text))
    return unknown('it may contain commands that Claude Code runs, and their output is sent');
  const filled = fillArguments(text, { args, names: argumentNames });
  if (filled === null) return unknown('only Claude Code knows how it puts these arguments into this text');
  if (RUNS_COMMANDS.test(filled)) return unknown('only Claude Code knows what it makes of these arguments');
  const known = skillFolder === null ? variables : { ...variables, CLAUDE_SKILL_DIR: skillFolder };
  const whole = fillCommandVariables(filled, known);
  if (whole.unknown.length > 0) return unknown(`only Claude Code knows ${whole.unknown.join(', ')}`);
  return { text: whole.text, unknown: null };
}

function unknown(why: string): ExpandedCommand {
  return { text: null, unknown: why };
}

/** What fills the placeholders of a command. */
interface CommandFilling {
  readonly args: string;
  /** The names that the head of the command gives its arguments. */
  readonly names: readonly string[];
}

/** A line or a block that Claude Code may run. */
const RUNS_COMMANDS = /!`|```!/;

/** What Claude Code would change in an argument, so that it cannot become a command that it runs. */
const ARMED = /(?:^|\s)!|`!|!`/;

/** What a shell would not take as plain words. Claude Code splits it in its own way. */
const NOT_PLAIN = /["'\\;|&<>()`*{}!\n]|(?:^|\s)#|^\w+\+?=/;

/** One word by its number, all words, and a word by its name. */
const PLACEHOLDER = /\$(ARGUMENTS\[\d{1,9}\]|\d{1,9}(?!\w))|\$ARGUMENTS|\$([A-Za-z_]\w{0,63})(?![\w[])/g;

const WORD_PLACEHOLDER = /\$(?:ARGUMENTS\[)?\d/;

/** Puts the arguments of a command into its text. Returns null if only Claude Code knows how, such as for `\$1`. */
export function fillArguments(text: string, { args: given, names }: CommandFilling): string | null {
  const args = given.trim();
  if (text.includes('\\$') || ARMED.test(args)) return null;
  const needsWords = WORD_PLACEHOLDER.test(text) || names.some((name) => text.includes(`$${name}`));
  if (needsWords && NOT_PLAIN.test(args)) return null;
  const words = args.split(/\s+/).filter((word) => word !== '');
  const read = (index?: string, name?: string) => {
    if (index !== undefined) return words[Number(index.replace(/\D/g, ''))];
    if (name === undefined) return args;
    return names.includes(name) ? (words[names.indexOf(name)] ?? '') : undefined;
  };
  let isUsed = false;
  const filled = text.replace(PLACEHOLDER, (whole: string, index?: string, name?: string) => {
    const word = read(index, name);
    isUsed ||= word !== undefined;
    return word ?? whole;
  });
  return isUsed || args === '' ? filled : `${filled}\n\nARGUMENTS: ${args}`;
}

/** Fills in the variables that Claude Code knows, also in arguments. Null as a value means that it is not known. */
export function fillCommandVariables(
  text: string,
  variables: CommandVariables,
): { readonly text: string; readonly unknown: readonly string[] } {
  const unknown: string[] = [];
  const filled = text.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
    if (!Object.hasOwn(variables, name)) return whole;
    const value = variables[name] ?? null;
    if (value === null) unknown.push(whole);
    return value ?? whole;
  });
  return { text: filled, unknown };
}
