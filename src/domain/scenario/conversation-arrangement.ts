import type { ArrangedFile } from './arrangement.js';
import type { WorkflowDefinition } from './workflow.js';

/**
 * A plugin of a conversation: its folder as it is; or a copy that differs from it, or a plugin that is written here
 * altogether. A file that is `null` is missing from the copy.
 */
export type PluginSource =
  | string
  | {
      readonly name: string;
      readonly from?: string;
      readonly files: Readonly<Record<string, ArrangedFile | null>>;
    };

/** How a CLI is talked with: one process for the whole conversation, or a process for each turn that goes on with it. */
export type SessionForm = 'streamed' | 'turn-by-turn';

/** What a user says in one turn. */
export interface PlannedTurn {
  /** Words, or a command; a bare `/plan` is resolved to the one plugin that has it. */
  readonly prompt: string;
  /** How long the answer may take. */
  readonly seconds?: number;
  /** Breaks the turn off as soon as the agent calls its first tool. */
  readonly cancelled?: 'at-first-call';
}

/** A command run in the workspace besides the conversation, with the environment of the agent CLI. */
export type ConversationErrand =
  | { readonly git: readonly string[] }
  | { readonly run: readonly [string, ...string[]] };

/** The workspace and the conversation that a scenario asks for. */
export interface ConversationArrangement {
  readonly files?: Readonly<Record<string, ArrangedFile>>;
  /** Loaded for this conversation alone. */
  readonly plugins?: readonly PluginSource[];
  readonly turns: readonly (string | PlannedTurn)[];
  /** Unless it says, the form that the backend holds conversations in by itself: Claude Code streams. */
  readonly form?: SessionForm;
  /** Followed through the conversation. */
  readonly workflow?: WorkflowDefinition;
  /** `acceptEdits` unless it says otherwise. */
  readonly permissionMode?: string;
  /** Tools that need no permission, such as `Bash(git *)`. */
  readonly allowedTools?: readonly string[];
  /** The agent that answers, such as `epti:tdd-agent`. */
  readonly agent?: string;
  /** More arguments for the agent CLI. */
  readonly args?: readonly string[];
  /** Done one after the other before the first turn; the evidence has the answers. */
  readonly before?: readonly ConversationErrand[];
  /** Done after the last turn. */
  readonly after?: readonly ConversationErrand[];
}
