import type { CommandLine, Pipeline, Redirect, SimpleCommand, Word } from './command-line.js';

/**
 * Parses a recorded shell command. Returns null if it uses more of the shell than literal words, `&&`, `||`, `;`, pipes,
 * plain redirections and here-documents with a quoted mark: what would be expanded, computed or repeated is not
 * understood. The one exception is `id=$(…)`, if `$id` is used later: Ralph shows agents how to do this.
 */
export function parseCommand(source: string): CommandLine | null {
  try {
    return new Parser(source).parse();
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

class NotUnderstood extends Error {}

/** Words that make something else of a command than a program with arguments. */
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'if',
    'then',
    'elif',
    'else',
    'fi',
    'for',
    'while',
    'until',
    'do',
    'done',
    'case',
    'esac',
    'select',
    'in',
  ],
  ...['function', 'time', 'coproc', '[[', ']]', '!', '{', '}'],
]);

/** Outside quotes, these begin something that is expanded, grouped or started in the background. */
const BEYOND = '`*?(){}~&';
const ENDS_WORD = ' \t\n;|&<>';
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** Ralph tells agents its own path in a variable. */
const RALPH_VARIABLE = /^(?:"\$RALPH_BIN"|"\$\{RALPH_BIN\}"|\$RALPH_BIN|\$\{RALPH_BIN\})(?=[ \t\n;|]|$)/;

/** The beginning of a kept output. */
const KEEPS = /^([a-z_][a-z0-9_]{0,20})=("?)\$\((?!\()/;
const KEPT = /^\$(?:([a-z_][a-z0-9_]{0,20})(?!\w)|\{([a-z_][a-z0-9_]{0,20})\})/;

interface Draft {
  readonly words: Word[];
  readonly redirects: Redirect[];
}

class Parser {
  readonly #source: string;
  #at = 0;
  /** Here-documents whose text begins on the next line, with the command that reads it. */
  #awaited: { readonly mark: string; readonly command: Draft }[] = [];

  /** The names of the outputs that were kept so far. */
  readonly #kept = new Set<string>();
  /** Whether it reads the command whose output is kept, which ends with a bracket. */
  #inner = false;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): CommandLine {
    // Bash drops or changes some of them.
    if (/[\0-\x08\x0b-\x1f\x7f]/.test(this.#source)) throw new NotUnderstood();
    const line: Pipeline[] = [];
    let after: Pipeline['after'] = ';';
    this.#skipLines();
    while (this.#at < this.#source.length) {
      line.push({ after, commands: this.#readPipeline() });
      const connector = this.#readConnector();
      if (connector === null) break;
      after = connector;
      if (connector === ';') {
        if (this.#at >= this.#source.length) break;
      } else {
        this.#skipLines();
        if (this.#at >= this.#source.length) throw new NotUnderstood();
      }
    }
    if (this.#awaited.length > 0 || line.length === 0) throw new NotUnderstood();
    return line;
  }

  #readPipeline(): SimpleCommand[] {
    const commands = [this.#readSimple()];
    while (this.#peek(1) === '|' && this.#peek(2) !== '||') {
      if (this.#peek(2) === '|&') throw new NotUnderstood();
      this.#at += 1;
      this.#skipLines();
      commands.push(this.#readSimple());
    }
    return commands;
  }

  /** Reads what follows a pipeline; null at the end. */
  #readConnector(): Pipeline['after'] | null {
    const two = this.#peek(2);
    if (two === '&&' || two === '||') {
      this.#at += 2;
      return two;
    }
    if (two === '') return null;
    if (two[0] === ';') {
      if (two === ';;' || two === ';&') throw new NotUnderstood();
      this.#at += 1;
      this.#skipBlanks();
      if (this.#peek(1) === '\n') this.#skipLines();
      return ';';
    }
    if (two[0] !== '\n') throw new NotUnderstood();
    this.#skipLines();
    return ';';
  }

  #readSimple(): SimpleCommand {
    this.#skipBlanks();
    const keeping = KEEPS.exec(this.#source.slice(this.#at, this.#at + 30));
    if (keeping !== null && !this.#inner) return this.#readKeeping(keeping);
    const draft: Draft = { words: [], redirects: [] };
    for (;;) {
      this.#skipBlanks();
      const next = this.#peek(1);
      if (next === '' || '\n;|'.includes(next) || this.#peek(2) === '&&') break;
      if (this.#inner && next === ')') break;
      if (next === '&') throw new NotUnderstood();
      if (this.#readRedirect(draft)) continue;
      draft.words.push(this.#readArgument(draft.words.length === 0));
    }
    if (draft.words.length === 0) throw new NotUnderstood();
    return draft;
  }

  #readKeeping([start, keeps = '', quote = '']: RegExpExecArray): SimpleCommand {
    this.#at += start.length;
    this.#inner = true;
    const command = this.#readSimple();
    this.#inner = false;
    const end = `)${quote}`;
    if (this.#peek(end.length) !== end || this.#awaited.length > 0) throw new NotUnderstood();
    this.#at += end.length;
    this.#skipBlanks();
    if (!/^$|^[\n;]|^&&|^\|\|/.test(this.#peek(2))) throw new NotUnderstood();
    this.#kept.add(keeps);
    return { keeps, ...command };
  }

  #readArgument(isFirst: boolean): Word {
    const ralph = isFirst ? RALPH_VARIABLE.exec(this.#source.slice(this.#at, this.#at + 20))?.[0] : undefined;
    if (ralph !== undefined) {
      this.#at += ralph.length;
      return 'ralph';
    }
    const start = this.#at;
    const word = this.#readWord();
    if (!isFirst) return word;
    const written = this.#source.slice(start, this.#at);
    if (typeof word !== 'string' || RESERVED.has(word) || ASSIGNMENT.test(written)) throw new NotUnderstood();
    return word;
  }

  #readRedirect(draft: Draft): boolean {
    const found = /^(\d*)(<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)/.exec(this.#source.slice(this.#at, this.#at + 8));
    if (found === null) return false;
    const [whole, digits = '', operator = ''] = found;
    this.#at += whole.length;
    if (operator === '<<' && digits === '') this.#readMark(draft);
    else if (operator === '<' && (digits === '' || digits === '0'))
      draft.redirects.push({ kind: 'read', path: this.#readTarget() });
    else {
      const from = digits === '' || digits === '1' ? '1' : digits === '2' ? '2' : null;
      if (from === null) throw new NotUnderstood();
      if (operator === '>&') {
        const to = /^[12](?=[ \t\n;|]|&&|$)/.exec(this.#peek(3))?.[0];
        if (to !== '1' && to !== '2') throw new NotUnderstood();
        this.#at += 1;
        draft.redirects.push({ kind: 'join', from, to });
      } else if (operator === '>' || operator === '>>')
        draft.redirects.push({ kind: 'write', from, append: operator === '>>', path: this.#readTarget() });
      else throw new NotUnderstood();
    }
    return true;
  }

  #readTarget(): string {
    this.#skipBlanks();
    const word = this.#endsWord(this.#peek(1)) ? null : this.#readWord();
    if (typeof word !== 'string') throw new NotUnderstood();
    return word;
  }

  #endsWord(next: string): boolean {
    return next === '' || ENDS_WORD.includes(next) || (this.#inner && next === ')');
  }

  /** Reads the mark of a here-document. Only a quoted one is understood: then nothing in the text is replaced. */
  #readMark(command: Draft): void {
    this.#skipBlanks();
    const mark = /^(['"])(\w{1,40})\1(?=[ \t\n;|<>]|&&|$)/.exec(this.#source.slice(this.#at, this.#at + 50));
    if (mark === null || this.#awaited.some((other) => other.command === command)) throw new NotUnderstood();
    this.#at += mark[0].length;
    this.#awaited.push({ mark: mark[2] ?? '', command });
  }

  #readAwaited(): void {
    for (const { mark, command } of this.#awaited) {
      const lines: string[] = [];
      for (;;) {
        if (this.#at >= this.#source.length) throw new NotUnderstood();
        const end = this.#source.indexOf('\n', this.#at);
        const line = this.#source.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.#source.length : end + 1;
        if (line === mark) break;
        lines.push(`${line}\n`);
      }
      // The place among the other redirections of the input decides which one counts.
      if (command.redirects.some(({ kind }) => kind === 'read')) throw new NotUnderstood();
      command.redirects.push({ kind: 'text', text: lines.join('') });
    }
    this.#awaited = [];
  }

  /** Skips line feeds, with the comments and the here-documents between them. */
  #skipLines(): void {
    for (;;) {
      this.#skipBlanks();
      if (this.#peek(1) !== '\n') return;
      this.#at += 1;
      this.#readAwaited();
    }
  }

  #skipBlanks(): void {
    for (;;) {
      const next = this.#peek(1);
      if (next === ' ' || next === '\t') this.#at += 1;
      else if (this.#peek(2) === '\\\n') this.#at += 2;
      else if (next === '#' && this.#startsWord()) {
        const end = this.#source.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#source.length : end;
      } else return;
    }
  }

  /** Whether a word would begin here. A line that goes on after a backslash may also be inside a word. */
  #startsWord(): boolean {
    const before = this.#source[this.#at - 1] ?? '\n';
    if (before === '\n' && this.#source[this.#at - 2] === '\\') throw new NotUnderstood();
    return ENDS_WORD.includes(before);
  }

  #readWord(): Word {
    const word = new WordDraft();
    for (;;) {
      const next = this.#peek(1);
      if (this.#endsWord(next)) return word.end();
      if (next === '$') {
        word.addKept(this.#readKept());
        continue;
      }
      if (BEYOND.includes(next)) throw new NotUnderstood();
      // A pattern of characters. Alone it is the name of a program.
      if (next === '[' && (!word.isEmpty || !/^\[[ \t]/.test(this.#peek(2)))) throw new NotUnderstood();
      if (next === "'") {
        const end = this.#source.indexOf("'", this.#at + 1);
        if (end < 0) throw new NotUnderstood();
        word.add(this.#source.slice(this.#at + 1, end));
        this.#at = end + 1;
      } else if (next === '"') this.#readDouble(word);
      else if (next === '\\') {
        const escaped = this.#source[this.#at + 1];
        if (escaped === undefined) throw new NotUnderstood();
        if (escaped !== '\n') word.add(escaped);
        this.#at += 2;
      } else {
        word.add(next);
        this.#at += 1;
      }
    }
  }

  #readDouble(word: WordDraft): void {
    this.#at += 1;
    for (;;) {
      const [next = '', after = ''] = this.#peek(2);
      if (next === '' || next === '`') throw new NotUnderstood();
      if (next === '$' && after !== '"' && after !== ' ') {
        word.addKept(this.#readKept());
        continue;
      }
      this.#at += 1;
      if (next === '"') return;
      if (next === '\\' && after !== '' && '$`"\\\n'.includes(after)) {
        if (after !== '\n') word.add(after);
        this.#at += 1;
      } else word.add(next);
    }
  }

  /** Reads the name of an output that was kept before. */
  #readKept(): string {
    const found = KEPT.exec(this.#source.slice(this.#at, this.#at + 30));
    const name = found?.[1] ?? found?.[2] ?? '';
    if (found === null || !this.#kept.has(name)) throw new NotUnderstood();
    this.#at += found[0].length;
    return name;
  }

  #peek(length: number): string {
    return this.#source.slice(this.#at, this.#at + length);
  }
}

/** A word while it is read. */
class WordDraft {
  readonly #parts: (string | { kept: string })[] = [];
  #text = '';

  get isEmpty(): boolean {
    return this.#text === '' && this.#parts.length === 0;
  }

  add(text: string): void {
    this.#text += text;
  }

  addKept(kept: string): void {
    this.#parts.push(this.#text, { kept });
    this.#text = '';
  }

  end(): Word {
    if (this.#parts.length === 0) return this.#text;
    return { parts: [...this.#parts, this.#text].filter((part) => part !== '') };
  }
}
