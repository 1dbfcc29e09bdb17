import { BACKENDS } from '../../../backends/index.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { type BackendId, LANE_TRAITS } from '../../../domain/vocabulary.js';
import type { ProcessMarker } from '../../../exec/process/table.js';
import { type LaneSetup, type LaneSetupOptions, setUpLane } from '../../../lane/lane-setup.js';
import { findProgram } from '../../../lane/program.js';
import { listParentMemoryPatterns } from '../../../workspace/claude-isolation.js';
import { HOOK_LOG_VARIABLE, hookLogPath } from '../hook-log.js';
import type { SessionOptions } from './session.js';

/** What a session with an agent CLI needs, and the setup that it runs on. */
export interface SessionSetup
  extends Omit<SessionOptions, 'env' | 'secrets' | 'pluginDirs' | 'permissionMode' | 'allowedTools' | 'args'>,
    Partial<Pick<SessionOptions, 'pluginDirs' | 'permissionMode' | 'allowedTools' | 'args'>> {
  readonly backend: BackendId;
  readonly laneSetup: Pick<LaneSetup, 'lane' | 'env' | 'secrets'>;
  /** A separate configuration folder with installed plugins. */
  readonly configFolder?: string | undefined;
  /** The agent that answers. */
  readonly agent?: string | undefined;
  readonly model?: string | null;
  /** Settings for this session only, which also keep out instructions in parent folders. Left out if the folder has them. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Builds the options of a session, for a run, for a test of a plugin's author, or for an MCP tool. */
export function prepareSession(setup: SessionSetup): SessionOptions {
  const {
    laneSetup,
    configFolder,
    pluginDirs = [],
    permissionMode = 'acceptEdits',
    allowedTools = [],
  } = setup;
  return {
    ...setup,
    ...{ pluginDirs, permissionMode, allowedTools },
    env: {
      ...laneSetup.env,
      ...(configFolder === undefined ? {} : { CLAUDE_CONFIG_DIR: configFolder }),
      [HOOK_LOG_VARIABLE]: hookLogPath(setup.artifacts),
    },
    args: listArguments(setup),
    secrets: laneSetup.secrets,
  };
}

/** An agent CLI with everything that it needs to run. */
export interface PreparedAgent extends LaneSetup {
  readonly executable: string;
}

/** The agent CLI of a lane is not on this machine. */
export class AgentMissingError extends KnownError {}

/** Finds an agent CLI and prepares what it needs: its environment, and offline its script or its model. */
export async function layOutAgent({
  backend,
  executable,
  ...options
}: Omit<LaneSetupOptions, 'backends'> & {
  readonly backend: BackendId;
  /** The program to use instead of the one on PATH. */
  readonly executable?: string | null | undefined;
}): Promise<PreparedAgent> {
  const { lane, env } = options;
  const found = findProgram(lane, backend, { executable: executable ?? null, env });
  if (found !== null) return { ...(await setUpLane({ ...options, backends: [backend] })), executable: found };
  const { command, installHint } = BACKENDS[backend];
  throw new AgentMissingError(
    `The ${lane} lane needs ${backend}, which was not found: expected ${executable ?? `${command} on PATH`}.`,
    { hint: `${installHint}, name it with the option \`executable\`, or use the sim lane.` },
  );
}

/** Returns the process marker of a session that belongs to no attempt: its own folder. */
export function sessionMarker(folder: string): ProcessMarker {
  return { name: 'RALPH_E2E_SESSION', value: folder };
}

function listArguments(setup: SessionSetup): string[] {
  const { backend, laneSetup, cwd, agent, model = null, settings, configFolder, args = [] } = setup;
  const { modelArgs, withoutUserSettings = [] } = BACKENDS[backend];
  // A separate configuration folder has nothing of the user, and its installed plugins are user settings to the CLI.
  const asUser = LANE_TRAITS[laneSetup.lane].asUser && configFolder === undefined;
  return [
    ...(agent === undefined ? [] : ['--agent', agent]),
    ...(model === null ? [] : modelArgs(model)),
    ...(settings === undefined ? [] : (SETTINGS_ARGS[backend]?.(cwd, settings) ?? [])),
    ...(asUser ? withoutUserSettings : []),
    ...args,
  ];
}

/** How to pass settings to a CLI, including those that keep out instructions in parent folders. */
const SETTINGS_ARGS: Readonly<
  Partial<Record<BackendId, (cwd: string, settings: Readonly<Record<string, unknown>>) => readonly string[]>>
> = {
  claude: (cwd, settings) => [
    '--settings',
    JSON.stringify({
      claudeMdExcludes: listParentMemoryPatterns(cwd),
      autoMemoryEnabled: false,
      ...settings,
    }),
  ],
};
