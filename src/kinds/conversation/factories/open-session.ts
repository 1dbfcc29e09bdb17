import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import type { ConversationRecord, Turn } from '../../../domain/evidence/conversation.js';
import type { ConversationArrangement } from '../../../domain/scenario/conversation-arrangement.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { makeFolder } from '../../../exec/files/make-folder.js';
import { removeTree } from '../../../workspace/remove-tree.js';
import type { OfferedCommand } from '../session/commands.js';
import { openInForm } from '../session/forms.js';
import type { SessionOptions } from '../session/options.js';
import { prepareSession, sessionMarker } from '../session/prepare.js';
import type { Session } from '../session/session.js';
import { sayTurn } from '../turns/say.js';
import { type Closable, closable, inNewFolder } from './closable.js';
import type { InstalledPlugin } from './install-plugin.js';
import { layOutSession, type SessionAgent, type SessionBench } from './session-bench.js';

export interface SessionRequest
  extends SessionAgent,
    Pick<ConversationArrangement, 'form' | 'permissionMode' | 'allowedTools' | 'args'> {
  /** What the conversation is about: a project that was created, or any folder. */
  readonly project: string | { readonly path: string };
  /** Plugins that were installed, or folders of plugins as they are. */
  readonly plugins?: readonly (string | InstalledPlugin)[];
  /** How long a turn may take, unless it says otherwise. Default 120. */
  readonly turnSeconds?: number;
  /** How long the whole may take. Default 900. */
  readonly seconds?: number;
}

/** A conversation under way. Closing it ends the agent CLI and everything that it started. */
export interface OpenSession extends Closable {
  /** The CLI's own name for it, once that is known. */
  readonly id: string;
  readonly turns: readonly Turn[];
  /** The slash commands that it has; empty where the CLI cannot be asked. */
  readonly commands: readonly OfferedCommand[];
  /** What the CLI said of itself; null where it says nothing. */
  readonly about: ConversationRecord['init'];
  /** Says something and waits for the end of the turn: completed, blocked, cancelled, …; it tells which. */
  say(prompt: string, options?: { readonly seconds?: number }): Promise<Turn>;
  /** Breaks off the turn that is under way. */
  interrupt(): Promise<void>;
}

/** Opens a conversation with an agent CLI: the stand-in that plays a script, unless another lane is asked for. */
export function openSession(request: SessionRequest): Promise<OpenSession> {
  return inNewFolder(async (folder) => {
    const bench = await layOutSession(request, folder);
    try {
      const options = await describeRequest(request, bench, folder);
      const session = await openInForm(request.backend ?? 'claude', request.form, options);
      await begin(session);
      return present(session, request, async () => {
        try {
          await session.end();
        } finally {
          await bench.close().finally(() => removeTree(folder));
        }
      });
    } catch (error) {
      await bench.close();
      throw error;
    }
  });
}

async function describeRequest(
  request: SessionRequest,
  bench: SessionBench,
  folder: string,
): Promise<SessionOptions> {
  const { project, plugins = [], backend = 'claude', seconds = 900 } = request;
  const { permissionMode, allowedTools, args } = request;
  // Programs compare real paths: a link, or a path from here, would be another folder to them.
  const cwd = await findFolder(typeof project === 'string' ? project : project.path);
  const artifacts = join(folder, 'artifacts');
  await makeFolder(artifacts);
  return prepareSession({
    backend,
    bench,
    executable: bench.executable,
    cwd,
    artifacts,
    pluginDirs: plugins.flatMap((plugin) =>
      typeof plugin === 'string' ? [resolve(plugin)] : loadedFrom(plugin),
    ),
    configFolder: configFolderOf(plugins),
    settings: {},
    permissionMode,
    allowedTools,
    args,
    sessionTimeoutSeconds: seconds,
    marker: sessionMarker(folder),
  });
}

async function findFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) throw new KnownError(`There is no project at ${resolve(path)}.`);
    throw error;
  }
}

function loadedFrom({ path, configFolder }: InstalledPlugin): string[] {
  return configFolder === null ? [path] : [];
}

/** Each plugin of a marketplace is installed in a configuration folder of its own, and a session has one. */
function configFolderOf(plugins: readonly (string | InstalledPlugin)[]): string | undefined {
  const folders = plugins.flatMap((plugin) =>
    typeof plugin === 'string' || plugin.configFolder === null ? [] : [plugin.configFolder],
  );
  const [only, another] = folders;
  if (another !== undefined) {
    throw new KnownError('A session takes one plugin that was installed from a marketplace, found several.', {
      hint: 'Install the others from their folders.',
    });
  }
  return only;
}

/** A CLI that does not get ready is ended. */
async function begin(session: Session): Promise<void> {
  try {
    await session.begin();
    await session.awaitServers();
  } catch (error) {
    await session.end();
    throw error;
  }
}

function present(
  session: Session,
  { turnSeconds = 120 }: SessionRequest,
  giveBack: () => Promise<void>,
): OpenSession {
  return closable(
    {
      get id() {
        return session.id;
      },
      get about() {
        return session.about;
      },
      commands: session.commands,
      turns: session.turns,
      say: (prompt: string, { seconds = turnSeconds }: { readonly seconds?: number } = {}) =>
        sayTurn(session, { prompt, seconds }, seconds),
      interrupt: () => session.interrupt(),
    },
    giveBack,
  );
}
