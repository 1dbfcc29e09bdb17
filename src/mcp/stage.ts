import { join } from 'node:path';
import { outputFile } from 'fs-extra/esm';
import { loadScriptFile } from '../agent/script/load.js';
import { BACKENDS, type Environment, probeBackend, standInFolder } from '../backends/index.js';
import type { RequestRecord } from '../domain/evidence/request-record.js';
import type { Lane } from '../domain/vocabulary.js';
import { credentialValues } from '../exec/environment.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { findExecutable } from '../exec/find-executable.js';
import { laneEnvironment, scriptedAttempt, simAttempt } from '../lane/environment.js';
import { serveScriptFile } from '../lane/script-server.js';
import { ToolError } from './errors.js';

/** How real the agent is with which conversations are held. */
export interface LaneSettings {
  readonly lane: Lane;
  /** The program to talk to instead of the `claude` on PATH; in the sim lane it is always the stand-in. */
  readonly executable: string | null;
  /** What the agent says in the offline lanes, unless a conversation names its own. */
  readonly script: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly passEnv: readonly string[];
}

/** Where one conversation takes place: a program, its environment, and the model behind it. */
export interface Stage {
  readonly executable: string;
  readonly env: Environment;
  readonly secrets: readonly string[];
  /** What the model was sent so far; only the scripted lane knows. */
  readonly requests: () => readonly RequestRecord[];
  readonly close: () => Promise<void>;
}

export interface StageFolders {
  readonly home: string;
  readonly artifacts: string;
}

/** A model that has one word: enough to learn what Claude Code says of itself and its plugins. */
const PROBE_SCRIPT = 'rules:\n  - on: any\n    say: ready\n';

/** Sets up a conversation in the lane of the server. */
export async function setStage(
  settings: LaneSettings,
  folders: StageFolders,
  ownScript: string | null,
): Promise<Stage> {
  await makeFolder(folders.home);
  if (settings.lane === 'live') return setLiveStage(settings);
  const script = ownScript ?? settings.script;
  if (script !== null) return setOfflineStage(settings, folders, script);
  throw new ToolError(
    'UsageError',
    `The ${settings.lane} lane needs a script: what the agent says and does.`,
    'Start the server with --script <file>, or name a file inside the root in config.script. docs/agent-script.md tells how to write one.',
  );
}

/** Sets up a program that is only asked about itself: offline in every lane, so that it costs nothing. */
export async function setProbeStage(settings: LaneSettings, folders: StageFolders): Promise<Stage> {
  const script = join(folders.artifacts, 'probe.yaml');
  await makeFolder(folders.home);
  await outputFile(script, PROBE_SCRIPT);
  const lane = settings.lane === 'live' ? 'scripted' : settings.lane;
  return setOfflineStage({ ...settings, lane }, folders, script);
}

async function setLiveStage(settings: LaneSettings): Promise<Stage> {
  const env = laneEnvironment({ lane: 'live', base: settings.env, pass: settings.passEnv });
  const executable = findClaude(settings, env);
  const known = await probeBackend(BACKENDS.claude, { env });
  if (!known.ready && settings.executable === null) {
    const name = known.available ? 'BackendAuthError' : 'BackendUnavailableError';
    throw new ToolError(
      name,
      `Claude Code is not ready: ${known.reason ?? 'unknown'}.`,
      known.fix ?? undefined,
    );
  }
  return {
    executable,
    env,
    secrets: credentialValues({ ...settings.env, ...env }),
    requests: () => [],
    close: async () => {},
  };
}

async function setOfflineStage(
  settings: LaneSettings,
  { home, artifacts }: StageFolders,
  script: string,
): Promise<Stage> {
  const env = laneEnvironment({ lane: settings.lane, base: settings.env, pass: settings.passEnv });
  const secrets = credentialValues(settings.env);
  if (settings.lane === 'sim') {
    // A mistake in the script should be told now, in its own words.
    await loadScriptFile(script);
    const log = join(artifacts, 'agent-calls.jsonl');
    return {
      executable: join(standInFolder(), BACKENDS.claude.command),
      env: simAttempt(env, home, { script, log }),
      secrets,
      requests: () => [],
      close: async () => {},
    };
  }
  const executable = findClaude(settings, env);
  const { server } = await serveScriptFile(script, {
    recordTo: join(artifacts, 'model-requests.jsonl'),
    secrets,
  });
  return {
    executable,
    env: scriptedAttempt([BACKENDS.claude], env, home, server.url),
    secrets,
    requests: () => server.requests,
    close: () => server.close(),
  };
}

function findClaude({ executable, lane }: LaneSettings, env: Environment): string {
  const found = findExecutable(executable ?? BACKENDS.claude.command, env.PATH);
  if (found !== null) return found;
  throw new ToolError(
    'BackendUnavailableError',
    `The ${lane} lane needs Claude Code: expected ${executable ?? 'claude on PATH'}, found none.`,
    `${BACKENDS.claude.installHint}, name it with --executable <path>, or start the server with --lane sim.`,
  );
}
