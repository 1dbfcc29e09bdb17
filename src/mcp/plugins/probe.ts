import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { SessionInit } from '../../backends/claude/stream.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { HookRun } from '../../domain/evidence/conversation.js';
import type { Cell } from '../../isolation/launch.js';
import { ClaudeSession } from '../../kinds/conversation/claude/session.js';
import { prepareSession, sessionMarker } from '../../kinds/conversation/session/prepare.js';
import { type ClaudeBench, PROBE_TOOLS } from '../bench.js';

/** What Claude Code itself reports after it has loaded a plugin. */
export interface ProbedPlugin {
  readonly init: SessionInit | null;
  /** Every name that a command answers to, by the name in Claude Code's list. */
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly servers: readonly ProbedServer[];
  readonly hooks: readonly HookRun[];
  /** Why Claude Code could not be asked, or null. */
  readonly failure: string | null;
}

const serverSchema = z.object({ name: z.string(), status: z.string(), error: z.string().optional() });
export type ProbedServer = z.infer<typeof serverSchema>;
const statusSchema = z.object({ mcpServers: z.array(serverSchema).default([]) });

const SESSION_SECONDS = 120;
const TURN_SECONDS = 30;
/** How long a server may take to start. */
export const SERVERS_SECONDS = 15;
const LOOK_AGAIN_MS = 100;

/** Loads plugins in a separate conversation and asks Claude Code about them. Uses no model. */
export async function probePlugin(
  bench: ClaudeBench,
  place: { readonly cwd: string; readonly artifacts: string; readonly cell: Cell | undefined },
  pluginDirs: readonly string[],
): Promise<ProbedPlugin> {
  let session: ClaudeSession | null = null;
  try {
    const options = prepareSession({
      ...place,
      backend: 'claude',
      bench,
      executable: bench.executable,
      pluginDirs,
      permissionMode: 'acceptEdits',
      allowedTools: PROBE_TOOLS,
      sessionTimeoutSeconds: SESSION_SECONDS,
      marker: sessionMarker(place.artifacts),
    });
    session = await ClaudeSession.start(options);
    // The first turn reports what was loaded and what was not.
    const turn = await session.send('Are you ready?', TURN_SECONDS);
    if (turn.outcome.kind === 'timed-out') {
      const running = turn.hooks.map(({ name }) => name).join(', ') || 'none';
      const failure = `the first turn did not end within ${TURN_SECONDS} s, so we ended it. Hooks that ended: ${running}. Look for one that hangs`;
      return { init: session.init, aliases: new Map(), servers: [], hooks: turn.hooks, failure };
    }
    return {
      init: session.init,
      aliases: listAliases(session),
      servers: await askServers(session),
      hooks: turn.hooks,
      failure: session.init === null ? `it did not report its plugins: ${turn.outcome.kind}` : null,
    };
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    return { init: null, aliases: new Map(), servers: [], hooks: [], failure: error.message };
  } finally {
    await session?.end();
  }
}

/** Lists the other names of commands: those that their files declare. */
function listAliases({ commands }: ClaudeSession): ReadonlyMap<string, readonly string[]> {
  return new Map(commands.map(({ name, aliases = [] }) => [name, aliases]));
}

/** Asks for the MCP servers until none is starting: a new server is `pending` at first. */
async function askServers(session: ClaudeSession): Promise<readonly ProbedServer[]> {
  for (let looked = 0; ; looked += LOOK_AGAIN_MS) {
    const { mcpServers } = statusSchema.parse(
      await session.control({ subtype: 'mcp_status' }, SERVERS_SECONDS),
    );
    const starting = mcpServers.some(({ status }) => status === 'pending');
    if (!starting || looked >= SERVERS_SECONDS * 1000) return mcpServers;
    await sleep(LOOK_AGAIN_MS);
  }
}
