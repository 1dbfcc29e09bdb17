import type { WorkingFolders } from '../plugins/paths.js';

/** Claude Code's verdict on one command before rules and modes. */
export type Judgement =
  /** Needs no permission. */
  | { readonly kind: 'reads' }
  /** Changes files inside the working folders; allowed if edits are accepted. */
  | {
      readonly kind: 'edits';
      readonly message: string;
      /** A rule for the command allows it, too. */
      readonly ruleHelps: boolean;
      /** Apart from the files, the command itself needs permission. */
      readonly alsoUnknown: boolean;
    }
  /** Needs a person, whatever the rules for commands like it say. */
  | {
      readonly kind: 'asks';
      readonly message: string;
      readonly event?: Readonly<Record<string, string>>;
      /** Also asked if every command is allowed; `dangerous` even if permissions are skipped. */
      readonly check?: 'protected' | 'dangerous';
      /** A rule for exactly this command allows it: in every line, or only if nothing else is in the line. */
      readonly exactRuleHelps?: 'anywhere' | 'alone';
    }
  /** Needs a rule. */
  | { readonly kind: 'unknown' };

export interface JudgeContext {
  readonly folders: WorkingFolders;
  readonly root: string;
  readonly home: string;
  /** The folder in which the command runs. */
  readonly cwd: string;
  /** An earlier command changed the folder. */
  readonly moved: boolean;
  /** A command of the line changes the folder, or names the same one by its full path. */
  readonly wanders: boolean;
  /** A rule denies some files. */
  readonly hasDeniedFiles: boolean;
}
