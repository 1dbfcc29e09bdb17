import { Tokenizer } from './tokens.js';
import { controlsCommands } from './variables.js';
import { Opaque, type ShellVariables, type ShellWord, type Token, uncheckable } from './words.js';

/** One command with its words, apart from what surrounds it. */
export interface ShellCommand {
  /** `NAME=value` in front of the command. */
  readonly assignments: readonly string[];
  readonly words: readonly ShellWord[];
  /** What was written: assignments and words, without redirections. */
  readonly source: string;
  /** Files that its output goes to. */
  readonly outputs: readonly ShellWord[];
  /** Files that its input comes from. */
  readonly inputs: readonly ShellWord[];
}

export type ShellLine =
  | {
      readonly kind: 'commands';
      readonly commands: readonly ShellCommand[];
      /** How many of them, from the first, make the words of others. */
      readonly nested: number;
      /** Whether `&` leaves one of them in the background. */
      readonly background: boolean;
      readonly piped: boolean;
      /** Whether it sets a variable: in a loop, or alone. */
      readonly sets: 'loop' | 'alone' | null;
    }
  /** Only a shell can say what runs. */
  | { readonly kind: 'opaque'; readonly reason: string };

/**
 * Splits a command line into its commands, through lists, pipelines, conditions and loops. Everything else, such as
 * substitutions, groups and functions, is opaque: the caller must not assume anything about it.
 */
export function parseCommandLine(source: string, variables: ShellVariables): ShellLine {
  try {
    const tokenizer = new Tokenizer(source, variables);
    const line = new Parser(source, tokenizer.readAll()).parse();
    const nested = tokenizer.nested.map((command) => parseCommandLine(command, variables));
    const opaque = nested.find(({ kind }) => kind === 'opaque');
    if (line.kind === 'opaque' || opaque !== undefined) return opaque ?? line;
    const inner = nested.flatMap((part) => (part.kind === 'commands' ? part.commands : []));
    return { ...line, commands: [...inner, ...line.commands], nested: inner.length };
  } catch (error) {
    if (error instanceof Opaque) return { kind: 'opaque', reason: error.message };
    throw error;
  }
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #commands: ShellCommand[] = [];
  /** The words that end the open conditions and loops. */
  readonly #open: string[] = [];
  #at = 0;
  #background = false;
  #piped = false;
  #sets: 'loop' | 'alone' | null = null;

  constructor(source: string, tokens: readonly Token[]) {
    this.#source = source;
    this.#tokens = tokens;
  }

  parse(): ShellLine {
    let isNeeded = false;
    for (;;) {
      const token = this.#tokens[this.#at];
      if (token === undefined) break;
      if (token.kind === 'operator') {
        if (token.text !== '\n') throw this.#refuse(token.text);
        this.#at += 1;
        continue;
      }
      if (this.#keyword()) continue;
      this.#commands.push(this.#command());
      isNeeded = this.#separator();
    }
    if (isNeeded || this.#open.length > 0) throw new Opaque('Parse error');
    const onlySets = ({ words, assignments }: ShellCommand) => words.length === 0 && assignments.length > 0;
    if (this.#piped && this.#commands.some(onlySets))
      throw new Opaque("The parts of this pipe can't be checked one by one, so the command needs approval");
    return {
      kind: 'commands',
      commands: this.#commands,
      nested: 0,
      background: this.#background,
      piped: this.#piped,
      sets: this.#sets,
    };
  }

  /** Takes a keyword that structures the line, and returns whether there was one. */
  #keyword(): boolean {
    const word = this.#wordAt(this.#at);
    if (word === null) return false;
    switch (word) {
      case 'if':
        this.#open.push('fi');
        break;
      case 'while':
      case 'until':
        this.#open.push('done');
        break;
      case 'for':
        this.#loopHead();
        return true;
      case '!':
        break;
      case 'then':
      case 'elif':
      case 'else':
        if (this.#open.at(-1) !== 'fi') throw new Opaque('Parse error');
        break;
      case 'do':
        if (this.#open.at(-1) !== 'done') throw new Opaque('Parse error');
        break;
      case 'fi':
      case 'done':
        if (this.#open.pop() !== word) throw new Opaque('Parse error');
        this.#at += 1;
        if (this.#tokens[this.#at]?.kind === 'redirection') {
          throw uncheckable(word === 'fi' ? 'A condition' : 'A while or until loop');
        }
        this.#separator();
        return true;
      case 'case':
        throw uncheckable('A case statement');
      case 'select':
        throw new Opaque('select statement reads stdin into $REPLY; cannot statically model');
      case 'function':
        throw uncheckable('A function definition');
      case '{':
      case '}':
        throw uncheckable('A group in braces or double parentheses');
      default:
        return false;
    }
    this.#at += 1;
    return true;
  }

  /** Takes `for NAME in WORDS`, up to its end. */
  #loopHead(): void {
    this.#at += 3;
    if (controlsCommands(this.#wordAt(this.#at - 2) ?? '')) throw uncheckable('A loop');
    if (this.#wordAt(this.#at - 1) !== 'in') throw uncheckable('A loop');
    while (this.#tokens[this.#at]?.kind === 'word') this.#at += 1;
    const end = this.#tokens[this.#at];
    if (end?.kind !== 'operator' || !/^[;\n]$/.test(end.text)) throw new Opaque('Parse error');
    this.#at += 1;
    this.#open.push('done');
    this.#sets = 'loop';
  }

  #command(): ShellCommand {
    const assignments: string[] = [];
    const words: ShellWord[] = [];
    const written: ShellWord[] = [];
    const [outputs, inputs]: [ShellWord[], ShellWord[]] = [[], []];
    let redirected = false;
    let hasDocument = false;
    for (; ; this.#at += 1) {
      const token = this.#tokens[this.#at];
      if (token === undefined || token.kind === 'operator') break;
      if (token.kind === 'redirection') {
        if (hasDocument) throw uncheckable('A file redirect');
        redirected = true;
        hasDocument = token.isDocument === true;
        if (token.target !== null) (token.writes ? outputs : inputs).push(token.target);
      } else if (redirected && words.length > 0) {
        throw new Opaque('Redirect has multiple targets — post-redirect args swallowed');
      } else {
        written.push(token.word);
        if (words.length === 0 && /^\w+\+?=/.test(token.word.raw)) assignments.push(token.word.raw);
        else words.push(token.word);
      }
    }
    if (assignments.some((assignment) => /[=:]~/.test(assignment)))
      throw new Opaque('Tilde in assignment value — bash may expand at assignment time');
    if (words.length === 0 && assignments.length > 1) throw uncheckable('Variable assignments');
    if (words.length === 0 && assignments.length > 0) this.#sets ??= 'alone';
    const isTest = /^\[\[?$/.test(words[0]?.text ?? '');
    if (!isTest && words.some(({ raw }) => raw === '=')) throw new Opaque('Parse error');
    if (redirected && /^\[\[?$/.test(words[0]?.text ?? '')) throw uncheckable('A test in brackets');
    const after = this.#tokens[this.#at];
    if (after?.kind === 'operator' && after.text === '(') {
      throw uncheckable(words.length === 1 ? 'A function definition' : 'A group');
    }
    const [first, last] = [written[0], written.at(-1)];
    const source =
      first === undefined || last === undefined
        ? ''
        : this.#source.slice(first.start, last.start + last.raw.length).replace(/\\\n[ \t]*/g, '');
    return { assignments, words, source, outputs, inputs };
  }

  /** Takes the operator after a command, and returns whether another command must follow. */
  #separator(): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind !== 'operator') return false;
    switch (token.text) {
      case ';':
      case '\n':
        this.#at += 1;
        return false;
      case '&':
        this.#background = true;
        this.#at += 1;
        return false;
      case '&&':
      case '||':
      case '|':
      case '|&':
        this.#piped ||= token.text === '|' || token.text === '|&';
        this.#at += 1;
        return true;
      default:
        throw this.#refuse(token.text);
    }
  }

  #refuse(operator: string): Opaque {
    const next = this.#tokens[this.#at + 1];
    switch (operator) {
      case '(':
        return next?.kind === 'operator' && next.text === '('
          ? uncheckable('A group in braces or double parentheses')
          : new Opaque('This command uses shell operators that require approval for safety');
      default:
        return new Opaque('Parse error');
    }
  }

  #wordAt(index: number): string | null {
    const token = this.#tokens[index];
    // A quoted word is never a keyword.
    return token?.kind === 'word' && token.word.raw === token.word.text ? token.word.text : null;
  }
}
