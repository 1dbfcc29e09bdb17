import type { StubbedServer } from '../stub/script.js';
import type { ArrangedFile } from './arrangement.js';
import type { WorkflowDefinition } from './workflow.js';

/**
 * A plugin for a conversation: the path of its folder; a changed copy of that folder (`from`); or a new plugin made of
 * `files` alone. A file that is `null` is removed from the copy. `stubs` are scripts that play MCP servers of the plugin,
 * which are not started then.
 */
export type PluginSource =
  | string
  | {
      readonly name: string;
      readonly from?: string;
      readonly files?: Readonly<Record<string, ArrangedFile | null>>;
      readonly stubs?: Readonly<Record<string, StubbedServer>>;
    };

/** How a conversation is held: with one process (`streamed`), or with a new process for each turn (`turn-by-turn`). */
export type SessionForm = 'streamed' | 'turn-by-turn';

/** One user turn. */
export interface PlannedTurn {
  /** A text or a command. A bare `/plan` becomes the command of the only plugin that has it. */
  readonly prompt: string;
  /** The time limit for the answer, in seconds. */
  readonly seconds?: number;
  /** Cancels the turn as soon as the agent calls its first tool. */
  readonly cancelled?: 'at-first-call';
}

/** A command that runs in the workspace before or after the conversation, in the environment of the agent CLI. */
export type ConversationErrand =
  | { readonly git: readonly string[] }
  | { readonly run: readonly [string, ...string[]] };

/** A server of the project that runs during the conversation, such as `npm run dev`. */
export interface DevServer {
  /** The command that starts it, in the workspace. `{{port}}` in an argument is the port, and so is the variable `PORT`. */
  readonly run: readonly [string, ...string[]];
  /** The port. A free one is chosen if it is left out, so that tests can run side by side. */
  readonly port?: number;
  /** The path that must answer before the first turn; `/` by default. Any answer counts. */
  readonly path?: string;
  /** How long it may take to answer, in seconds; 30 by default. */
  readonly seconds?: number;
}

/** What `arrange` returns for a conversation: its workspace and its turns. */
export interface ConversationArrangement {
  /** Files in the workspace before the first turn, by path. */
  readonly files?: Readonly<Record<string, ArrangedFile>>;
  /** Plugins that are loaded for this conversation only. */
  readonly plugins?: readonly PluginSource[];
  /** The user's turns, in order. */
  readonly turns: readonly (string | PlannedTurn)[];
  /** How the conversation is held. The default depends on the backend: Claude Code streams. */
  readonly form?: SessionForm;
  /** The workflow whose stages the harness tracks. */
  readonly workflow?: WorkflowDefinition;
  /** The CLI's permission mode; `acceptEdits` by default. */
  readonly permissionMode?: string;
  /** Tools that may run without asking, such as `Bash(git *)`. */
  readonly allowedTools?: readonly string[];
  /** The agent that answers, such as `epti:tdd-agent`. */
  readonly agent?: string;
  /** Additional arguments for the agent CLI. */
  readonly args?: readonly string[];
  /**
   * A server that runs from before the first turn until after the last one. `{{devServer}}` in a prompt is its address,
   * such as `http://localhost:3000`.
   */
  readonly devServer?: DevServer;
  /** Commands that run one by one before the first turn. Their answers are part of the evidence. */
  readonly before?: readonly ConversationErrand[];
  /** Commands that run after the last turn. */
  readonly after?: readonly ConversationErrand[];
}
