import { findDisguise, findQuotedDisguise, findWordDisguise } from './disguises.js';
import { afterDocuments, type PendingDocument, pendingDocument } from './documents.js';
import { Opaque, type ShellVariables, type ShellWord, type Token, uncheckable } from './words.js';

/** Reads the tokens of a command line. Throws {@link Opaque} at everything that is not plain text. */
export class Tokenizer {
  readonly #source: string;
  readonly #variables: ShellVariables;
  #at = 0;
  /** The commands in `NAME=$(…)` and inside quoted text, which are checked like the others. */
  readonly nested: string[] = [];
  /** The here-documents that start after this line. */
  #pending: PendingDocument[] = [];

  constructor(source: string, variables: ShellVariables) {
    this.#source = source;
    this.#variables = variables;
  }

  readAll(): Token[] {
    const disguise = findDisguise(this.#source);
    if (disguise !== null) throw new Opaque(disguise);
    const tokens: Token[] = [];
    for (let token = this.#next(); token !== null; token = this.#next()) tokens.push(token);
    return tokens;
  }

  #next(): Token | null {
    this.#skipBlanks();
    const rest = this.#source.slice(this.#at);
    if (rest === '') return null;
    const redirection = REDIRECTION.exec(rest);
    if (redirection !== null) return this.#redirection(redirection[0], redirection[1] ?? '');
    const operator = OPERATOR.exec(rest)?.[0];
    if (operator === undefined) return { kind: 'word', word: this.#word() };
    this.#at += operator.length;
    if (operator === '\n') this.#skipDocuments();
    else if (this.#pending.length > 0 && operator.startsWith('|') && operator !== '||')
      throw uncheckable('A pipeline');
    else if (this.#pending.length > 0) throw new Opaque(AFTER_DOCUMENT);
    return { kind: 'operator', text: operator };
  }

  #skipBlanks(): void {
    const blank = /(?:[ \t]|\\\n)+|#[^\n]*/y;
    blank.lastIndex = this.#at;
    for (let match = blank.exec(this.#source); match !== null; match = blank.exec(this.#source)) {
      // After anything else, `#` is a part of what came before, and readers of shell disagree on how it goes on.
      if (match[0].startsWith('#') && !/^$|[\s;]/.test(this.#source[this.#at - 1] ?? ''))
        throw new Opaque('Parse error');
      if (match[0].startsWith('#') && this.#pending.length > 0) throw new Opaque(AFTER_DOCUMENT);
      this.#at = blank.lastIndex;
    }
  }

  #redirection(whole: string, operator: string): Token {
    this.#at += whole.length;
    if (operator === '<(' || operator === '>(') throw uncheckable('A command used as a file');
    if (operator === '<>') throw new Opaque('Unrecognized redirect shape');
    if (/^\d\d/.test(whole)) throw uncheckable('The digits before a redirect');
    const writes = operator !== '<' && operator !== '<<<';
    if (/^(?:<&|>&)$/.test(operator)) {
      const descriptor = /^\d+/.exec(this.#source.slice(this.#at))?.[0];
      if (descriptor === undefined || operator === '<&')
        throw new Opaque("This command can't be checked before it runs");
      this.#at += descriptor.length;
      if (!/^(?:$|[\s;&|)])/.test(this.#source.slice(this.#at)))
        throw new Opaque('bash `>&` applies a second word-expansion pass to its target');
      return { kind: 'redirection', writes: false, target: null };
    }
    this.#skipBlanks();
    if (/^(?:$|[\n;&|<>()])/.test(this.#source.slice(this.#at))) throw new Opaque('Parse error');
    const target = this.#word();
    if (!operator.startsWith('<<')) return { kind: 'redirection', writes, target };
    if (operator !== '<<<') {
      this.#pending.push(pendingDocument(target.raw, operator === '<<-'));
    }
    return { kind: 'redirection', writes: false, target: null, isDocument: operator !== '<<<' };
  }

  /** Skips the texts of here-documents, which are data for their commands. */
  #skipDocuments(): void {
    this.#at = afterDocuments(this.#source, this.#at, this.#pending);
    this.#pending = [];
  }

  #word(): ShellWord {
    const start = this.#at;
    const before = this.nested.length;
    let text = '';
    let globs = false;
    for (;;) {
      const char = this.#source[this.#at];
      if (char === undefined || ' \t\n;&|<>()'.includes(char)) break;
      this.#at += 1;
      switch (char) {
        case "'":
          text += this.#until("'");
          break;
        case '"':
          text += this.#doubleQuoted();
          break;
        case '\\':
          text += this.#escaped();
          break;
        case '$':
          text += this.#assigned(text) ?? this.#variable(false);
          break;
        case '`':
          throw uncheckable('A nested command');
        case '{':
          this.#refuseBraces();
          text += char;
          break;
        default:
          globs ||= '*?['.includes(char);
          text += char;
      }
    }
    const computed = this.nested.length > before;
    const raw = this.#source.slice(start, this.#at);
    if (/^\{\w+\}$/.test(raw) && /[<>]/.test(this.#source[this.#at] ?? ''))
      throw uncheckable('A redirect that sets a variable');
    const disguise = findWordDisguise(raw);
    if (disguise !== null) throw new Opaque(disguise);
    return { text, raw, start, globs, computed };
  }

  #until(quote: string): string {
    const end = this.#source.indexOf(quote, this.#at);
    if (end < 0) throw new Opaque('Parse error');
    const text = this.#source.slice(this.#at, end);
    this.#at = end + 1;
    const disguise = findQuotedDisguise(text);
    if (disguise !== null) throw new Opaque(disguise);
    return text;
  }

  #doubleQuoted(): string {
    const start = this.#at;
    const before = this.nested.length;
    let text = '';
    let literal = '';
    for (;;) {
      const char = this.#source[this.#at];
      this.#at += 1;
      if (char === undefined) throw new Opaque('Parse error');
      if (char === '"') {
        // Output alone, or a single word with it, could be anything; otherwise it is part of a text or a path.
        const disguise = findQuotedDisguise(literal);
        if (disguise !== null) throw new Opaque(disguise);
        const isBare = !/[\s/]/.test(literal) || literal === '/';
        const isFolder = this.#source.slice(start, this.#at) === '$PWD"';
        if ((this.nested.length > before && isBare) || isFolder) throw uncheckable('Quoted text');
        return text;
      }
      if (char === '`') text += this.#output(/^([^`'"$\\|;&<>\n#]+)`/);
      else if (char === '$') {
        const isCommand = /^\((?!\()/.test(this.#source.slice(this.#at));
        text += isCommand ? (this.#document() ?? this.#output(PLAIN_SUBSTITUTION)) : this.#variable(true);
      } else if (char === '\\' && '$`"\\'.includes(this.#source[this.#at] ?? ' ')) {
        text += this.#source[this.#at];
        this.#at += 1;
      } else if (char === '\\' && this.#source[this.#at] === '\n') {
        throw new Opaque('Contains backslash-escaped whitespace');
      } else {
        text += char;
        literal += char;
      }
    }
  }

  /** Takes `$(cat <<'EOF' … )`, which is only another way to write text of several lines. */
  #document(): string | null {
    const rest = this.#source.slice(this.#at);
    const [head, delimiter] = /^\(cat <<'(\w+)'\n/.exec(rest) ?? [];
    if (head === undefined) return null;
    const tail = `\n${delimiter}\n`;
    // The first line like the delimiter ends the text, and only the end of the substitution may follow.
    const end = rest.indexOf(tail, head.length - 1);
    if (end < 0 || rest[end + tail.length] !== ')') return null;
    this.#at += end + tail.length + 1;
    return rest.slice(head.length, end);
  }

  /** Takes a plain command whose output becomes a part of quoted text. */
  #output(pattern: RegExp): string {
    const command = pattern.exec(this.#source.slice(this.#at));
    if (command === null) throw uncheckable('Quoted text');
    this.#at += command[0].length;
    this.nested.push(command[1] ?? '');
    return command[1]?.trim() === 'pwd' ? this.#variables.cwd : OUTPUT;
  }

  #escaped(): string {
    const char = this.#source[this.#at];
    if (char === undefined) throw new Opaque('Parse error');
    if (/\s/.test(char)) throw new Opaque('Contains backslash-escaped whitespace');
    this.#at += 1;
    if (char === '{') this.#refuseBraces();
    return char;
  }

  /** Refuses what follows a brace if a shell may expand it. */
  #refuseBraces(): void {
    const rest = this.#source.slice(this.#at);
    if (/^\S*?(?:,|\.\.)/.test(rest)) throw new Opaque('Brace expansion');
    if (/^[^\s{}'"]*['"]/.test(rest))
      throw new Opaque('Contains brace with quote character (expansion obfuscation)');
  }

  /** Takes a plain command whose output is assigned to a variable. */
  #assigned(before: string): string | null {
    const command = /^\w+=$/.test(before)
      ? /^\(([^()'"`$\\#]+)\)(?=[\s;&|]|$)/.exec(this.#source.slice(this.#at))
      : null;
    if (command === null) return null;
    this.#at += command[0].length;
    this.nested.push(command[1] ?? '');
    return OUTPUT;
  }

  /** Claude Code knows `$HOME`, and in quotes also `$PWD`. */
  #variable(quoted: boolean): string {
    const rest = this.#source.slice(this.#at);
    const sum = /^\(\([\d\s+*/%-]*\)\)/.exec(rest)?.[0];
    if (sum !== undefined && !quoted) {
      this.#at += sum.length;
      return '0';
    }
    if (rest.startsWith('(')) throw uncheckable(quoted ? 'Quoted text' : 'A nested command');
    if (rest.startsWith('{')) throw uncheckable('A variable in braces');
    if (!quoted && /^['"]/.test(rest)) throw uncheckable('Text with escape codes');
    if (rest.startsWith('[')) throw uncheckable('A sum');
    const name = /^\w+/.exec(rest)?.[0] ?? '';
    this.#at += name.length;
    if (name === 'HOME') return this.#variables.home;
    if (name === 'PWD' && quoted) return this.#variables.cwd;
    if (name !== '' || /^[?$#@*!-]/.test(rest)) throw uncheckable('A variable');
    if (!quoted) throw new Opaque("This command can't be checked before it runs");
    return '$';
  }
}

const AFTER_DOCUMENT = 'Text after the heredoc start on the same line cannot be statically analyzed';
/** Stands for the output of a command. */
const OUTPUT = '…';
const PLAIN_SUBSTITUTION = /^\(([^()"`$\\|;&<>\n#]+)\)/;
const REDIRECTION = /^(?:\d*|&(?=>))(<<<|<<-|<<|<\(|>\(|<&|>&|<>|>>|>\||>|<)/;
const OPERATOR = /^(?:&&|\|\||\|&|;;|[;&|()\n])/;
