import { type Actor, ScriptMistake } from '../../../agent/face/actor.js';
import type { Surroundings } from '../../../agent/face/surroundings.js';
import { type ClaudeArguments, notPlayed, type PermissionMode } from './arguments.js';
import type { Inbox } from './inbox.js';
import type { Ledger } from './ledger.js';
import type { Output } from './output/output.js';
import type { Additions } from './plugins/commands.js';
import type { HookSurroundings } from './plugins/hooks.js';
import type { WorkingFolders } from './plugins/paths.js';
import type { StoredSession } from './session.js';
import type { Settings } from './settings/settings.js';
import type { PlayedServers } from './tools/servers.js';
import type { Tools } from './tools/tools.js';

/** Everything that a turn needs. Fields that a caller can change between turns are not readonly. */
export interface ClaudeStage {
  readonly around: Surroundings;
  readonly args: ClaudeArguments;
  readonly actor: Actor;
  readonly settings: Settings;
  readonly additions: Additions;
  readonly folders: WorkingFolders;
  readonly hooks: HookSurroundings;
  readonly output: Output;
  readonly session: StoredSession;
  readonly ledger: Ledger;
  readonly tools: Tools;
  readonly servers: PlayedServers;
  /** The tools that it reports. */
  readonly toolNames: readonly string[];
  /** The file that keeps conversations if the caller keeps no log. */
  readonly memory: string;
  readonly version: string;
  readonly loggedIn: boolean;
  readonly resumed: boolean;
  /** What the model receives with its next request. */
  readonly inbox: Inbox;
  /** What hooks said at the start of the session. */
  startContext: readonly string[];
  mode: PermissionMode;
  /** Whether the call asked for the right to run without permission prompts. */
  readonly maySkipPermissions: boolean;
  model: string;
  /** The id of the tool call that runs now. */
  runningTool: string | null;
}

/** The input that every hook receives. */
export function hookPayload(stage: ClaudeStage, promptId: string | null): Readonly<Record<string, unknown>> {
  const { session, tools, mode } = stage;
  return {
    session_id: session.id,
    transcript_path: session.path,
    cwd: tools.shellFolder,
    ...(promptId === null ? {} : { prompt_id: promptId, permission_mode: mode }),
  };
}

/** Records what the stand-in does not play, and makes the error that ends the call. */
export function refuseByName({ actor }: ClaudeStage, what: string): ScriptMistake {
  const { message } = notPlayed(what);
  actor.record('refused', message);
  return new ScriptMistake(message);
}
