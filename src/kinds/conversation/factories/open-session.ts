import { join, resolve } from 'node:path';
import { type AgentScript, agentScriptSchema } from '../../../domain/agent-script.js';
import { KnownError } from '../../../domain/common/known-error.js';
import type { ConversationRecord, Turn, TurnSnapshot } from '../../../domain/evidence/conversation.js';
import type { ConversationArrangement } from '../../../domain/scenario/conversation-arrangement.js';
import { type BackendId, LANE_TRAITS, type Lane } from '../../../domain/vocabulary.js';
import { makeFolder } from '../../../exec/files/make-folder.js';
import { removeTree } from '../../../exec/files/remove-tree.js';
import { laneEnvironment } from '../../../lane/environment.js';
import type { OfferedCommand } from '../session/commands.js';
import { Conversation, openInForm } from '../session/conversation.js';
import { layOutAgent, type PreparedAgent, prepareSession, sessionMarker } from '../session/prepare.js';
import type { SessionOptions } from '../session/session.js';
import { type FileAfterTurn, findFileAfter, WorkspaceWatch } from '../stages/workspace.js';
import { type Closable, closable, findFolder, inNewFolder } from './closable.js';
import type { InstalledPlugin } from './install-plugin.js';

/** The options of `openSession`. */
export interface SessionRequest
  extends Pick<ConversationArrangement, 'form' | 'permissionMode' | 'allowedTools' | 'args'> {
  /** The agent CLI; `claude` by default. */
  readonly backend?: BackendId;
  /** The lane; `sim` by default, so that a test must ask for what costs money. */
  readonly lane?: Lane;
  /** The program to use instead of the one on PATH. The sim lane always uses the stand-in. */
  readonly executable?: string;
  /** What the agent says and does in the offline lanes. */
  readonly agent?: readonly { readonly rule: AgentScript['rules'][number] }[];
  /** The folder in which the conversation takes place: a created project, or any path. */
  readonly project: string | { readonly path: string };
  /** Installed plugins, or plugin folders. */
  readonly plugins?: readonly (string | InstalledPlugin)[];
  /** The default time limit for a turn, in seconds; 120 if left out. */
  readonly turnSeconds?: number;
  /** The time limit for the whole session, in seconds; 900 by default. */
  readonly seconds?: number;
  /** Files of the project whose content is kept for every turn; see `snapshots`. */
  readonly reads?: readonly string[];
}

/** An open conversation. Closing it ends the agent CLI and everything that it started. */
export interface OpenSession extends Closable {
  /** The CLI's own session id, once it is known. */
  readonly id: string;
  /** The turns so far. */
  readonly turns: readonly Turn[];
  /** The slash commands that the session offers. Empty if the CLI cannot list them. */
  readonly commands: readonly OfferedCommand[];
  /** What the CLI reported about itself, or null. */
  readonly about: ConversationRecord['init'];
  /** The files before the first turn and after each one. Empty unless the request has `reads`. */
  readonly snapshots: readonly TurnSnapshot[];
  /** Returns a file that is in `reads` as it was after a turn; turn 0 is before the first. */
  fileAfter(turn: number, path: string): FileAfterTurn;
  /** Sends a prompt and waits until the turn ends. The turn's outcome is completed, blocked, cancelled and so on. */
  say(prompt: string, options?: { readonly seconds?: number }): Promise<Turn>;
  /** Cancels the current turn. */
  interrupt(): Promise<void>;
}

/** Opens a conversation with an agent CLI. By default it is the stand-in, which plays a script. */
export function openSession(request: SessionRequest): Promise<OpenSession> {
  const { backend = 'claude', form, project, reads, turnSeconds = 120 } = request;
  return inNewFolder(async (folder) => {
    const cwd = await findFolder(typeof project === 'string' ? project : project.path, 'a project');
    const laneSetup = await layOutSession(request, folder);
    try {
      const { secrets } = laneSetup;
      const workspace = reads === undefined ? null : await WorkspaceWatch.open(cwd, { asks: reads, secrets });
      const conversation = await Conversation.open({
        open: (given) => openInForm(backend, form, given),
        options: await describeSession(request, laneSetup, { cwd, folder }),
        workspace,
      });
      await conversation.start();
      const { session } = conversation;
      return closable(
        {
          get id() {
            return session.id;
          },
          get about() {
            return session.about;
          },
          get snapshots() {
            return workspace?.snapshots ?? [];
          },
          fileAfter: (turn: number, path: string) => findFileAfter(workspace?.snapshots, turn, path, reads),
          commands: session.commands,
          turns: session.log.turns,
          say: (prompt: string, { seconds = turnSeconds }: { readonly seconds?: number } = {}) =>
            conversation.say({ prompt, seconds }, seconds),
          interrupt: () => session.interrupt(),
        },
        async () => {
          try {
            await conversation.end();
          } finally {
            await laneSetup.close().finally(() => removeTree(folder));
          }
        },
      );
    } catch (error) {
      await laneSetup.close();
      throw error;
    }
  });
}

async function describeSession(
  { plugins = [], backend = 'claude', seconds = 900, permissionMode, allowedTools, args }: SessionRequest,
  laneSetup: PreparedAgent,
  { cwd, folder }: { readonly cwd: string; readonly folder: string },
): Promise<SessionOptions> {
  const artifacts = join(folder, 'artifacts');
  await makeFolder(artifacts);
  const installed = plugins.map((plugin) =>
    typeof plugin === 'string' ? { path: resolve(plugin), configFolder: null } : plugin,
  );
  // Each marketplace plugin has its own configuration folder, and a session can use only one.
  const [configFolder, another] = installed.flatMap((plugin) => plugin.configFolder ?? []);
  if (another !== undefined) {
    throw new KnownError('Expected at most one plugin from a marketplace in a session, found several.', {
      hint: 'Install the others from their folders.',
    });
  }
  return prepareSession({
    ...{ backend, laneSetup, executable: laneSetup.executable, cwd, artifacts, configFolder },
    ...{ permissionMode, allowedTools, args },
    pluginDirs: installed.flatMap((plugin) => (plugin.configFolder === null ? [plugin.path] : [])),
    settings: {},
    sessionTimeoutSeconds: seconds,
    marker: sessionMarker(folder),
  });
}

/** Sets up everything that a session needs, in its own folder. */
function layOutSession(
  { backend = 'claude', lane = 'sim', executable, agent = [] }: SessionRequest,
  folder: string,
): Promise<PreparedAgent> {
  const base = process.env;
  const { hasScript } = LANE_TRAITS[lane];
  if (hasScript && agent.length === 0) {
    throw new KnownError(
      `The ${lane} lane needs rules for what the agent says and does, but none were given.`,
      { hint: "Add rules, such as agent: [onAnyPrompt().says('Hello.')], or use the live lane." },
    );
  }
  return layOutAgent({
    ...{ lane, backend, executable, base },
    script: hasScript ? agentScriptSchema.parse({ format: 1, rules: agent.map(({ rule }) => rule) }) : null,
    places: { home: join(folder, 'home'), artifacts: folder },
    env: laneEnvironment({ lane, base, pass: [] }),
  });
}
