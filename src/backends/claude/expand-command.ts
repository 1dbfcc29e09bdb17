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

/** Expands a command or a skill as Claude Code 2.1.325 does. */
export function expandCommandText(
  { body, argumentNames, skillFolder }: CommandText,
  args: string,
  variables: CommandVariables,
): ExpandedCommand {
  const text = skillFolder === null ? body : `Base directory for this skill: ${skillFolder}\n\n${body}`;
  const filled = fillArguments(text, { args, names: argumentNames });
  if (filled === null) return unknown('only Claude Code knows how it splits these arguments into words');
  if (runsCommands(filled))
    return unknown('it contains commands that Claude Code runs, and their output is sent');
  const known = skillFolder === null ? variables : { ...variables, CLAUDE_SKILL_DIR: skillFolder };
  const whole = fillCommandVariables(filled, known);
  if (whole.unknown.length > 0) return unknown(`only Claude Code knows ${whole.unknown.join(', ')}`);
  return { text: whole.text, unknown: null };
}

function unknown(why: string): ExpandedCommand {
  return { text: null, unknown: why };
}

/** What fills the placeholders of a command. */
export interface CommandFilling {
  readonly args: string;
  /** The names that the head of the command gives its arguments. */
  readonly names: readonly string[];
}

/** What a shell would not take as plain words. Claude Code then ends the list of words, differently each time. */
const SHELL_SYNTAX = /[;|&<>()`*{}!\n]|(?:^|\s)#|^\w+\+?=/;

/** Escaped placeholders, escaped names, one word by its number, all words, and a word by its name. */
const PLACEHOLDER =
  /(?<!\\)\\(?:(\$(?:ARGUMENTS\[\d{1,9}\]|ARGUMENTS|\d{1,9}(?!\w)))|\$([A-Za-z_]\w{0,63})(?![\w[]))|\$(ARGUMENTS\[\d{1,9}\]|\d{1,9}(?!\w))|\$ARGUMENTS|\$([A-Za-z_]\w{0,63})(?![\w[])/g;

const WORD_PLACEHOLDER = /\$(?:ARGUMENTS\[)?\d/;

/**
 * Puts the arguments of a command into its text, as Claude Code 2.1.325 does. Returns null if the text asks for single
 * words and it is not known how Claude Code splits these arguments.
 */
export function fillArguments(text: string, { args: given, names }: CommandFilling): string | null {
  const args = given.trim();
  const named = names.filter((name) => text.includes(`$${name}`));
  if (SHELL_SYNTAX.test(args) && (named.length > 0 || WORD_PLACEHOLDER.test(text))) return null;
  const words = splitWords(args);
  let used = false;
  const put = (word: string | undefined, whole: string) => {
    used ||= word !== undefined;
    return word === undefined ? whole : disarm(word);
  };
  const filled = text.replace(
    PLACEHOLDER,
    (whole: string, escaped?: string, escapedName?: string, index?: string, name?: string) => {
      if (escaped !== undefined) return escaped;
      if (index !== undefined) return put(words[Number(index.replace(/\D/g, ''))], whole);
      const called = name ?? escapedName;
      if (called === undefined) return put(args, whole);
      if (!names.includes(called)) return whole;
      return escapedName === undefined ? put(words[names.indexOf(called)] ?? '', whole) : `$${escapedName}`;
    },
  );
  return used || args === '' ? filled : `${filled}\n\nARGUMENTS: ${disarm(args)}`;
}

/** Changes an argument so that it cannot become a command that Claude Code runs. */
function disarm(argument: string): string {
  return argument
    .replaceAll('`!', '` !')
    .replaceAll('!`', '! `')
    .replace(/(^|\s)!/gm, '$1\\!');
}

const BLOCK = '```';

/** Whether Claude Code runs commands in a text and sends their output: `` !`…` `` after a space, or a block with `!`. */
export function runsCommands(text: string): boolean {
  const spans = hideSpans(text).matchAll(/(?<=^|\s)!`([^`]+)`/gm);
  return hasRunBlock(text) || [...spans].some(([, command = '']) => command.trim() !== '');
}

function hasRunBlock(text: string): boolean {
  for (let at = text.indexOf(`${BLOCK}!`); at >= 0; ) {
    const from = at + BLOCK.length + 1;
    const end = text.indexOf(BLOCK, from);
    if (end < 0) return false;
    if (text.slice(from, end).trim() !== '') return true;
    at = text.indexOf(`${BLOCK}!`, end + BLOCK.length);
  }
  return false;
}

/** Blanks what is quoted as code in one line: nothing in it runs. */
function hideSpans(text: string): string {
  return text.replace(/`[^`\n]+`/g, (span, at: number) => {
    const before = text[at - 1];
    return before === '!' || before === '`' ? span : `\`${' '.repeat(span.length - 2)}\``;
  });
}

/** Splits arguments as Claude Code does: quotes keep words together, and one that is not closed reaches to the end. */
function splitWords(args: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; ) {
    if (/\s/.test(args[at] ?? '')) {
      at += 1;
      continue;
    }
    let word = '';
    while (at < args.length && !/\s/.test(args[at] ?? '')) {
      const { text, next } = readPiece(args, at);
      word += text;
      at = next;
    }
    words.push(word);
  }
  return words;
}

function readPiece(args: string, at: number): { readonly text: string; readonly next: number } {
  const sign = args[at] ?? '';
  if (sign === '\\') return { text: args[at + 1] ?? '', next: at + 2 };
  if (sign !== '"' && sign !== "'") return { text: sign, next: at + 1 };
  const end = findQuote(args, at + 1, sign);
  return end === -1
    ? { text: args.slice(at), next: args.length }
    : { text: args.slice(at + 1, end), next: end + 1 };
}

function findQuote(args: string, from: number, quote: string): number {
  for (let at = from; at < args.length; at += 1) {
    if (args[at] === quote) return at;
    // The backslash stays in the word.
    if (quote === '"' && args[at] === '\\') at += 1;
  }
  return -1;
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
