import { onAnyPrompt } from '../agent/builder.js';
import { loadScriptFile } from '../agent/script/load.js';
import { BACKENDS, type Environment, probeBackend } from '../backends/index.js';
import type { AgentScript } from '../domain/agent-script.js';
import { LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import { layOutAgent, type PreparedAgent } from '../kinds/conversation/session/prepare.js';
import { laneEnvironment, privateEnvironment } from '../lane/environment.js';
import type { Places } from '../lane/lane-setup.js';
import { ToolError } from './errors.js';

/** How real the agent in conversations is. */
export interface LaneSettings {
  readonly lane: Lane;
  /** The program to use instead of `claude` on PATH. The sim lane always uses the stand-in. */
  readonly executable: string | null;
  /** The agent script for the offline lanes, unless a conversation names its own. */
  readonly script: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly passEnv: readonly string[];
  /** Variables that mark everything that this server starts. */
  readonly marks?: Readonly<Record<string, string>>;
}

/** A model that uses the common tools once, and one in vain: enough to see what a plugin does around them. */
const PROBE_SCRIPT: AgentScript = {
  format: 1,
  rules: [
    onAnyPrompt()
      .writes('probe.txt', 'one')
      .readsFile('probe.txt')
      .edits('probe.txt', 'one', 'two')
      .runs('true')
      .readsFile('not-there.txt')
      .says('ready').rule,
  ],
};

/** The tools of the probe's model that need a permission. */
export const PROBE_TOOLS: readonly string[] = ['Bash(true)'];

/** Prepares Claude Code for a conversation, in the lane of the server. */
export async function layOutConversation(
  settings: LaneSettings,
  places: Places,
  ownScript: string | null,
): Promise<PreparedAgent> {
  const { hasScript } = LANE_TRAITS[settings.lane];
  return layOutClaude(settings, places, hasScript ? await readScript(settings, ownScript) : null);
}

/** Prepares Claude Code for questions about itself. This is always offline, so it costs nothing. */
export function layOutProbe(settings: LaneSettings, places: Places): Promise<PreparedAgent> {
  const lane = LANE_TRAITS[settings.lane].costsMoney ? 'scripted' : settings.lane;
  return layOutClaude({ ...settings, lane }, places, PROBE_SCRIPT);
}

/** Builds the environment of what this server starts. */
function serverEnvironment({ lane, env, passEnv, marks }: LaneSettings): Environment {
  return { ...laneEnvironment({ lane, base: env, pass: passEnv }), ...marks };
}

/** Builds the environment of a program that runs as Claude Code would start it. Offline it has a private home. */
export function homeEnvironment(settings: LaneSettings, home: string): Environment {
  const env = serverEnvironment(settings);
  return LANE_TRAITS[settings.lane].asUser ? env : privateEnvironment(env, home);
}

async function layOutClaude(
  settings: LaneSettings,
  places: Places,
  script: AgentScript | null,
): Promise<PreparedAgent> {
  const { lane, executable, env: base, passEnv: passed } = settings;
  const env = serverEnvironment(settings);
  if (LANE_TRAITS[lane].asUser) await requireLogin(settings, env);
  return layOutAgent({ lane, backend: 'claude', executable, script, places, env, base, passed });
}

/** Reads the script of a conversation before anything starts, so that mistakes are reported first. */
async function readScript({ lane, script }: LaneSettings, own: string | null): Promise<AgentScript> {
  const file = own ?? script;
  if (file !== null) return (await loadScriptFile(file)).script;
  throw new ToolError(
    'UsageError',
    `The ${lane} lane needs an agent script, but none was given.`,
    'Start the server with --script <file>, or pass a file inside the root as config.script. docs/agent-script.md describes the format.',
  );
}

/** Requires a login, unless the user named the program: then it is used as it is. */
async function requireLogin({ executable }: LaneSettings, env: Environment): Promise<void> {
  if (executable !== null) return;
  const known = await probeBackend(BACKENDS.claude, { env });
  if (known.ready) return;
  throw new ToolError(
    known.available ? 'BackendAuthError' : 'BackendUnavailableError',
    `Claude Code is not ready: ${known.reason ?? 'unknown'}.`,
    known.fix ?? undefined,
  );
}
