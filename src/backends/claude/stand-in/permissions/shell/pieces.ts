/** A command in a line, wherever it is, as a rule that forbids commands sees it. */
export interface ShellPiece {
  /** Its words without redirections. */
  readonly words: readonly PieceWord[];
}

interface PieceWord {
  /** As written. */
  readonly raw: string;
  /** Without quotes and without variables that have no known value. */
  readonly text: string;
}

/**
 * Finds every command that a line could run: in lists, groups, functions, loops and substitutions. Never fails, because
 * no odd spelling may hide a command.
 */
export function piecesOf(source: string): readonly ShellPiece[] {
  const splitter = new Splitter(source, new Map());
  splitter.readAll();
  return splitter.pieces;
}

/**
 * Finds what may be commands without regard to quotes. For lines that the shell and we may read differently: what is
 * only quoted text may be found, too.
 */
export function roughPiecesOf(source: string): readonly ShellPiece[] {
  return source
    .replaceAll('\\\n', '')
    .split(/[;&|(){}\n`]/)
    .map((part) => part.replace(/\d*[<>]+[ \t]*[^\s<>]*/g, ' ').replace(/['"\\]/g, ''))
    .map((part) => part.split(/\s+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0)
    .map((words) => ({ words: words.map((text) => ({ raw: text, text })) }));
}

class Splitter {
  readonly pieces: ShellPiece[] = [];
  readonly #source: string;
  /** What the line assigned so far. */
  readonly #values: Map<string, string>;
  #at = 0;
  #words: PieceWord[] = [];
  #documents: string[] = [];

  constructor(source: string, values: Map<string, string>) {
    this.#source = source;
    this.#values = values;
  }

  readAll(): void {
    while (this.#at < this.#source.length) this.#readNext();
    this.#end();
  }

  #readNext(): void {
    const rest = this.#source.slice(this.#at, this.#at + 200);
    const skipped = /^(?:[ \t]+|\\\n|#[^\n]*)/.exec(rest)?.[0];
    if (skipped !== undefined) {
      this.#at += skipped.startsWith('#') ? this.#lineLength() : skipped.length;
      return;
    }
    const substitution = /^[<>]\(/.exec(rest);
    if (substitution !== null) {
      this.#at += 2;
      this.#nest(')');
      return;
    }
    const redirection = /^(?:\d*|&|\{\w+\})(<<<|<<-?|<&|>&|<>|>>|>\||[<>])(?!\()[ \t]*/.exec(rest);
    if (redirection !== null) {
      this.#at += redirection[0].length;
      const target = this.#readWord();
      if (redirection[1] === '<<' || redirection[1] === '<<-') this.#documents.push(target.text);
      return;
    }
    if (/^[;&|()\n]/.test(rest)) {
      this.#at += 1;
      this.#end();
      if (rest.startsWith('\n')) this.#skipDocuments();
      return;
    }
    const word = this.#readWord();
    if (word.cut) this.#end();
    else if (word.text !== '' || word.raw === "''" || word.raw === '""') this.#words.push(word);
  }

  /** Ends a piece. Words that only structure the line are no part of it. */
  #end(): void {
    const words = this.#words;
    this.#words = [];
    while (STRUCTURE.has(words[0]?.raw ?? '')) words.shift();
    if (words.length === 0 || words[0]?.raw === 'for') return;
    for (const { text } of words) {
      const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined) break;
      this.#values.set(name, value);
    }
    this.pieces.push({ words });
  }

  /** Reads a word. It cuts the command if nobody can know what a substitution puts there. */
  #readWord(): { readonly raw: string; readonly text: string; readonly cut: boolean } {
    const start = this.#at;
    let text = '';
    let cut = false;
    for (;;) {
      const char = this.#source[this.#at];
      if (char === undefined || ' \t\n;&|<>()'.includes(char)) break;
      this.#at += 1;
      if (char === "'") text += this.#readQuoted();
      else if (char === '"') text += this.#readDouble();
      else if (char === '\\') {
        text += (this.#source[this.#at] ?? '').replace('\n', '');
        this.#at += 1;
      } else if (char === '`') {
        cut = true;
        this.#nest('`');
      } else if (char === '$') {
        const value = this.#readVariable();
        cut ||= value === null;
        text += value ?? '';
      } else text += char;
    }
    return { raw: this.#source.slice(start, this.#at), text, cut };
  }

  /** A quote that nothing closes counts for nothing. */
  #readQuoted(): string {
    const end = this.#source.indexOf("'", this.#at);
    if (end < 0) return '';
    const text = this.#source.slice(this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #readDouble(): string {
    let text = '';
    const start = this.#at;
    for (;;) {
      const char = this.#source[this.#at];
      this.#at += 1;
      if (char === undefined) {
        this.#at = start;
        return '';
      }
      if (char === '"') return text;
      if (char === '\\') {
        text += this.#source[this.#at] ?? '';
        this.#at += 1;
      } else if (char === '`') {
        this.#nest('`');
        text += UNKNOWN;
      } else if (char === '$') {
        const value = this.#readVariable();
        text += value === null || value === '' ? UNKNOWN : value;
      } else text += char;
    }
  }

  /** The value of what follows a dollar: empty if it is not known, null if a command makes it. */
  #readVariable(): string | null {
    const rest = this.#source.slice(this.#at, this.#at + 200);
    if (rest.startsWith('(')) {
      this.#at += 1;
      this.#nest(')');
      return null;
    }
    const match = /^(?:\{([^}]*)\}|(\w+|[?$#@*!-]))/.exec(rest);
    if (match === null) return rest.startsWith("'") || rest.startsWith('"') ? '' : '$';
    this.#at += match[0].length;
    return this.#values.get(match[1] ?? match[2] ?? '') ?? '';
  }

  /** Reads the commands of a substitution up to its end. */
  #nest(end: ')' | '`'): void {
    let depth = 1;
    const start = this.#at;
    for (; this.#at < this.#source.length; this.#at += 1) {
      const char = this.#source[this.#at];
      if (char === end) depth -= 1;
      else if (char === '(' && end === ')') depth += 1;
      if (depth === 0) break;
    }
    const inner = new Splitter(this.#source.slice(start, this.#at), this.#values);
    inner.readAll();
    this.pieces.push(...inner.pieces);
    this.#at += 1;
  }

  #skipDocuments(): void {
    for (const delimiter of this.#documents) {
      const end = `${this.#source}\n`.indexOf(`\n${delimiter}\n`, this.#at - 1);
      if (end >= 0) this.#at = end + delimiter.length + 2;
    }
    this.#documents = [];
  }

  #lineLength(): number {
    const end = this.#source.indexOf('\n', this.#at);
    return (end < 0 ? this.#source.length : end) - this.#at;
  }
}

/** Stands for a part of a word that only a shell knows. */
const UNKNOWN = '…';

const STRUCTURE: ReadonlySet<string> = new Set([
  ...['if', 'then', 'elif', 'else', 'fi', 'while', 'until', 'do', 'done', 'esac', '!', '{', '}'],
]);
