/** A word of a shell command. */
export interface Word {
  /** Without quotes and backslashes. */
  readonly text: string;
  /** The variables that it takes a value from. */
  readonly variables: readonly string[];
  /** Whether it contains the output of another command. */
  readonly substitutes: boolean;
}

/** A program and its arguments, or an assignment. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** Files that it reads from or writes to. */
  readonly redirects: readonly Word[];
}

/** One part of a list: what stands between `&&`, `;` and line feeds. */
export interface ListPart {
  /** As it was written. */
  readonly text: string;
  /** Its commands, also those in pipes and in substitutions. */
  readonly commands: readonly SimpleCommand[];
}

/** Splits a shell command into its parts; null if it uses more of the shell than is understood here. */
export function splitShell(source: string): readonly ListPart[] | null {
  const reader = new ShellReader(source, { at: 0, inner: false });
  try {
    return reader.readList();
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

class NotUnderstood extends Error {}

/** Words that make something else of a command than a program with arguments. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['if', 'then', 'elif', 'else', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac', 'select'],
  ...['function', 'time', 'coproc', '[[', 'eval', 'exec', 'source', '.', 'trap', 'alias'],
]);

/** Characters that begin something else: subshells, groups, background jobs, history, patterns of processes. */
const BEYOND = /[(){}!]/;

class ShellReader {
  readonly #source: string;
  /** Whether this reads a substitution, which ends with a bracket. */
  readonly #inner: boolean;
  #at: number;
  #heredocs: string[] = [];

  constructor(source: string, { at, inner }: { readonly at: number; readonly inner: boolean }) {
    this.#source = source;
    this.#at = at;
    this.#inner = inner;
  }

  /** Where the reader is. */
  get at(): number {
    return this.#at;
  }

  readList(): ListPart[] {
    const parts: ListPart[] = [];
    let commands: SimpleCommand[] = [];
    let start = this.#at;
    const closePart = (): void => {
      const text = this.#source.slice(start, this.#at).trim();
      if (text !== '') parts.push({ text, commands });
      commands = [];
    };
    while (this.#at < this.#source.length) {
      const command = this.#readSimple(commands);
      if (RESERVED.has(command.words[0]?.text ?? '')) throw new NotUnderstood();
      if (command.words.length + command.redirects.length > 0) commands.push(command);
      const next = this.#peek(2);
      if (next === '&&' || next === '||') {
        if (next === '||') {
          this.#at += 2;
          continue;
        }
        closePart();
        this.#at += 2;
      } else if (next[0] === '|') {
        this.#at += 1;
        continue;
      } else if (next[0] === ';' || next[0] === '\n') {
        if (next[0] === '\n' && this.#heredocs.length > 0) {
          this.#at += 1;
          this.#skipHeredocs();
          closePart();
        } else {
          closePart();
          this.#at += 1;
        }
      } else if (next === '' || (this.#inner && next[0] === ')')) {
        break;
      } else throw new NotUnderstood();
      start = this.#at;
    }
    if (this.#heredocs.length > 0) throw new NotUnderstood();
    closePart();
    return parts;
  }

  #peek(length: number): string {
    return this.#source.slice(this.#at, this.#at + length);
  }

  #readSimple(inner: SimpleCommand[]): SimpleCommand {
    const words: Word[] = [];
    const redirects: Word[] = [];
    for (;;) {
      this.#skipBlanks();
      const next = this.#peek(1);
      if (next === '' || '\n;|'.includes(next)) return { words, redirects };
      if (this.#inner && next === ')') return { words, redirects };
      if (next === '&') {
        if (this.#peek(2) === '&&') return { words, redirects };
        throw new NotUnderstood();
      }
      if (BEYOND.test(next)) throw new NotUnderstood();
      const redirect = /^(?:\d?(?:>>|>|<(?!<))|<<-?)/.exec(this.#source.slice(this.#at, this.#at + 4))?.[0];
      if (redirect === undefined) {
        words.push(this.#readWord(inner));
        continue;
      }
      this.#at += redirect.length;
      if (redirect.startsWith('<<')) this.#readHeredoc();
      else if (/^&\d/.test(this.#peek(2))) this.#at += 2;
      else {
        this.#skipBlanks();
        redirects.push(this.#readWord(inner));
      }
    }
  }

  #skipBlanks(): void {
    for (;;) {
      const next = this.#peek(1);
      if (next === ' ' || next === '\t') this.#at += 1;
      else if (this.#peek(2) === '\\\n') this.#at += 2;
      else if (next === '#' && /^$|\s/.test(this.#source[this.#at - 1] ?? '')) {
        while (this.#at < this.#source.length && this.#peek(1) !== '\n') this.#at += 1;
      } else return;
    }
  }

  /** Reads the end mark. Only a quoted one is understood: then nothing in the text is replaced. */
  #readHeredoc(): void {
    this.#skipBlanks();
    const mark = /^(['"])([\w-]{1,40})\1/.exec(this.#source.slice(this.#at, this.#at + 50));
    if (mark === null) throw new NotUnderstood();
    this.#at += mark[0].length;
    this.#heredocs.push(mark[2] ?? '');
  }

  #skipHeredocs(): void {
    for (const mark of this.#heredocs) {
      for (;;) {
        if (this.#at >= this.#source.length) throw new NotUnderstood();
        const end = this.#source.indexOf('\n', this.#at);
        const line = this.#source.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.#source.length : end + 1;
        if (line === mark) break;
      }
    }
    this.#heredocs = [];
  }

  #readWord(inner: SimpleCommand[]): Word {
    const word = { text: '', variables: [] as string[], substitutes: false };
    for (;;) {
      const next = this.#peek(1);
      if (next === '' || ' \t\n;|&<>'.includes(next)) return word;
      if (this.#inner && next === ')') return word;
      if (BEYOND.test(next)) throw new NotUnderstood();
      if (next === "'") {
        const end = this.#source.indexOf("'", this.#at + 1);
        if (end < 0) throw new NotUnderstood();
        word.text += this.#source.slice(this.#at + 1, end);
        this.#at = end + 1;
      } else if (next === '"') this.#readDouble(word, inner);
      else if (next === '\\') {
        word.text += this.#source[this.#at + 1] ?? '';
        this.#at += 2;
      } else if (next === '$') this.#readDollar(word, inner);
      else if (next === '`') throw new NotUnderstood();
      else {
        word.text += next;
        this.#at += 1;
      }
    }
  }

  #readDouble(word: { text: string; variables: string[]; substitutes: boolean }, inner: SimpleCommand[]) {
    this.#at += 1;
    for (;;) {
      const next = this.#peek(1);
      if (next === '' || next === '`') throw new NotUnderstood();
      if (next === '"') {
        this.#at += 1;
        return;
      }
      if (next === '$') this.#readDollar(word, inner);
      else if (next === '\\' && /[$`"\\\n]/.test(this.#source[this.#at + 1] ?? '')) {
        word.text += this.#source[this.#at + 1] ?? '';
        this.#at += 2;
      } else {
        word.text += next;
        this.#at += 1;
      }
    }
  }

  #readDollar(word: { text: string; variables: string[]; substitutes: boolean }, inner: SimpleCommand[]) {
    const name = /^\$(?:(\w+)|\{(\w+)\})/.exec(this.#source.slice(this.#at, this.#at + 80));
    if (name !== null) {
      word.variables.push(name[1] ?? name[2] ?? '');
      this.#at += name[0].length;
    } else if (this.#peek(2) === '$(' && this.#peek(3) !== '$((') {
      const reader = new ShellReader(this.#source, { at: this.#at + 2, inner: true });
      inner.push(...reader.readList().flatMap(({ commands }) => commands));
      if (this.#source[reader.at] !== ')') throw new NotUnderstood();
      word.substitutes = true;
      this.#at = reader.at + 1;
    } else if (/^\$(?:["' \t\n]|$)/.test(this.#peek(2))) {
      word.text += '$';
      this.#at += 1;
    } else throw new NotUnderstood();
  }
}
