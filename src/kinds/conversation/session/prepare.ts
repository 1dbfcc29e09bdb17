import { BACKENDS } from '../../../backends/index.js';
import { type BackendId, LANE_TRAITS } from '../../../domain/vocabulary.js';
import type { ProcessMarker } from '../../../exec/process/table.js';
import type { Bench } from '../../../lane/bench.js';
import { listParentMemoryPatterns } from '../../../workspace/claude-isolation.js';
import { HOOK_LOG_VARIABLE, hookLogPath } from '../hook-log.js';
import type { SessionOptions } from './options.js';

/** What is asked of a session with an agent CLI, and the bench on which it is held. */
export interface SessionSetup
  extends Pick<
      SessionOptions,
      'executable' | 'cwd' | 'artifacts' | 'sessionTimeoutSeconds' | 'marker' | 'signal' | 'cell'
    >,
    Partial<Pick<SessionOptions, 'pluginDirs' | 'permissionMode' | 'allowedTools' | 'args'>> {
  readonly backend: BackendId;
  readonly bench: Pick<Bench, 'lane' | 'env' | 'secrets'>;
  /** A configuration folder of its own, in which plugins are installed. */
  readonly configFolder?: string | undefined;
  /** The agent that answers. */
  readonly agent?: string | undefined;
  readonly model?: string | null;
  /** Settings for this session alone, which also keep instructions of parent folders out; none where the folder has them. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Describes a session for those who open it: a run, a test of a plugin's author, an MCP tool. */
export function prepareSession(setup: SessionSetup): SessionOptions {
  const { bench, artifacts, configFolder } = setup;
  return {
    executable: setup.executable,
    cwd: setup.cwd,
    env: {
      ...bench.env,
      ...(configFolder === undefined ? {} : { CLAUDE_CONFIG_DIR: configFolder }),
      [HOOK_LOG_VARIABLE]: hookLogPath(artifacts),
    },
    artifacts,
    pluginDirs: setup.pluginDirs ?? [],
    permissionMode: setup.permissionMode ?? 'acceptEdits',
    allowedTools: setup.allowedTools ?? [],
    args: listArguments(setup),
    sessionTimeoutSeconds: setup.sessionTimeoutSeconds,
    marker: setup.marker,
    secrets: bench.secrets,
    signal: setup.signal,
    cell: setup.cell,
  };
}

/** The marker of a session that belongs to no attempt: its own folder. */
export function sessionMarker(folder: string): ProcessMarker {
  return { name: 'RALPH_E2E_SESSION', value: folder };
}

function listArguments(setup: SessionSetup): string[] {
  const { backend, bench, cwd, agent, model = null, settings, configFolder, args = [] } = setup;
  const { modelArgs, withoutUserSettings = [] } = BACKENDS[backend];
  // In a configuration folder of its own nothing is the user's, and the plugins that it holds are settings, too.
  const asUser = LANE_TRAITS[bench.lane].asUser && configFolder === undefined;
  return [
    ...(agent === undefined ? [] : ['--agent', agent]),
    ...(model === null ? [] : modelArgs(model)),
    ...(settings === undefined ? [] : (SETTINGS_ARGS[backend]?.(cwd, settings) ?? [])),
    ...(asUser ? withoutUserSettings : []),
    ...args,
  ];
}

/** How settings are handed to a CLI, with what keeps instructions of the folders above out. */
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
