/** A word of a command line as the shell would pass it on. */
export interface ShellWord {
  /** The text without quotes. */
  readonly text: string;
  /** The text as written, and where it starts. */
  readonly raw: string;
  readonly start: number;
  /** Contains an unquoted `*`, `?` or `[`. */
  readonly globs: boolean;
  /** Contains the output of a command. */
  readonly computed: boolean;
}

export type Token =
  | { readonly kind: 'word'; readonly word: ShellWord }
  /** `target` is null if the redirection is to another descriptor, or from text in the command itself. */
  | {
      readonly kind: 'redirection';
      readonly writes: boolean;
      readonly target: ShellWord | null;
      /** The text follows in the lines below. */
      readonly isDocument?: boolean;
    }
  | { readonly kind: 'operator'; readonly text: string };

/** The command contains something that only a shell can evaluate. */
export class Opaque extends Error {}

/** Explains what Claude Code says about a part that it cannot check. */
export function uncheckable(what: string): Opaque {
  return new Opaque(`${what} in this command can't be checked before it runs`);
}

/** Variables whose values Claude Code knows. */
export interface ShellVariables {
  readonly home: string;
  readonly cwd: string;
}
