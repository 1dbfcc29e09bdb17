/** One command of a shell line. */
export interface ShellPart {
  /** The words as the program gets them. */
  readonly words: string[];
  /** The words as they are written, without redirections. */
  source: string;
  /** The files that redirections read and write, except /dev/null. */
  readonly reads: string[];
  readonly writes: string[];
}

/**
 * Splits a line at `&&`, `||`, `;`, `|` and newlines. Returns null if it has more than literal words and redirections to
 * files: substitutions, patterns, variables, here-documents, groups, keywords, jobs in the background.
 */
export function splitShellLine(line: string): readonly Readonly<ShellPart>[] | null {
  const text = line.trim().replace(/;$/, '');
  if (text.length > 10_000 || HIDDEN.test(line)) return null;
  const parts: ShellPart[] = [];
  for (let at = 0, isNew = true; at < text.length || isNew; at = TOKEN.lastIndex) {
    if (isNew) parts.push({ words: [], source: '', reads: [], writes: [] });
    TOKEN.lastIndex = at;
    const [token, space = '', operator, direction, file = '', word = ''] = TOKEN.exec(text) ?? [];
    const part = parts.at(-1);
    if (token === undefined || part === undefined) return null;
    if (word !== '') part.words.push(unquote(word));
    if (word !== '') part.source += part.source === '' ? word : space + word;
    if (file !== '' && file !== '/dev/null')
      (direction === '<' ? part.reads : part.writes).push(unquote(file));
    isNew = operator !== undefined;
  }
  return parts.every(({ words: [name = '='] }) => !NO_PROGRAM.test(name)) ? parts : null;
}

/** Control characters, spaces that nobody sees, and what Claude Code does not take for what it seems. */
const HIDDEN =
  /[\0-\x08\x0b-\x1f\x7f\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u3000\ufeff]|\n[ \t]*#|\\\n|\/proc\/[^\s/]*\/environ/;
/** Text that the shell does not expand. It does not begin as somebody's home, a comment, a negation or a program of zsh. */
const WORD = `(?![~#=]|!\\s)(?:[^\\s'"\\\\$\`&|;<>()*?[{}=:]|[=:](?!~)|'[^']*'|"(?:[^"\\\\$\`]|\\\\[^\\n])*")+`;
/** After spaces: an operator, a redirection with its file, `2>&1`, or a word. */
const TOKEN = new RegExp(
  `([ \\t]*)(?:(&&|\\|\\||[;|]|\\n\\s*)|[012]?(>>?|<)[ \\t]*(${WORD})|[12]?>&[12](?!\\S)|(${WORD}))`,
  'y',
);
const NO_PROGRAM =
  /^(?:\w*\+?=.*|if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|time|coproc)$/s;

function unquote(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"/gs, (_, single?: string, double = '') =>
    single === undefined ? double.replace(/\\([\\"$`])/g, '$1') : single,
  );
}
