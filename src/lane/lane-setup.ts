import { join } from 'node:path';
import { BACKENDS, type Environment, refuseCredentials } from '../backends/index.js';
import type { AgentScript } from '../domain/agent-script.js';
import type { RequestRecord } from '../domain/evidence/request-record.js';
import type { Arrangement } from '../domain/scenario/arrangement.js';
import type { BackendId, Lane } from '../domain/vocabulary.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { replaceFile } from '../exec/files/plain-file.js';
import { scriptedAttempt, simAttempt } from './environment.js';
import { knownSecrets, scrubFile } from './secrets.js';

/** Folders of an attempt that the agent does not work in. */
export interface Places {
  /** For scripts and captured output. */
  readonly artifacts: string;
  /** The home of the CLI in offline lanes. */
  readonly home: string;
}

export interface LaneSetupOptions {
  readonly lane: Lane;
  /** The backends that take part, the one under test first. */
  readonly backends: readonly [BackendId, ...BackendId[]];
  /** What the agent says and does; null if the lane plays no script. */
  readonly script: AgentScript | null;
  readonly places: Places;
  /** The environment of the lane. */
  readonly env: Environment;
  /** The user's own environment, which contains the credentials to scrub. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** The names of variables that the user passes with `--env`. */
  readonly passed?: readonly string[] | undefined;
  readonly credentials?: Arrangement['credentials'];
}

/** What a CLI gets in a lane, and the records of what it was asked. */
export interface LaneSetup {
  readonly lane: Lane;
  readonly env: Environment;
  /** Where the stand-ins of agent CLIs log their calls; null in lanes with real CLIs. */
  readonly agentLog: string | null;
  /** The address of the model server; null in lanes without one. */
  readonly modelUrl: string | null;
  /** Values to scrub from everything that is captured. */
  readonly secrets: readonly string[];
  /** Returns the requests to the model server so far. */
  readonly requests: () => readonly RequestRecord[];
  /** Ends the model server, and removes credentials from what the stand-ins logged. */
  readonly close: () => Promise<void>;
}

/** Prepares everything that a CLI gets in its lane. The caller closes the setup. */
export async function setUpLane(options: LaneSetupOptions): Promise<LaneSetup> {
  const { lane, backends, env } = options;
  const { artifacts, home } = options.places;
  await makeFolder(home);
  switch (lane) {
    case 'live': {
      const [tested] = backends;
      const refused = options.credentials === 'refused';
      return describeSetup(options, refused ? refuseCredentials(BACKENDS[tested], env, home) : env);
    }
    case 'sim': {
      const { path } = await writeScript(options);
      const agentLog = join(artifacts, 'agent-calls.jsonl');
      const laneSetup = await describeSetup(options, simAttempt(env, home, { script: path, log: agentLog }));
      const close = async () => {
        for (const file of [path, agentLog]) await scrubFile(file, laneSetup.secrets);
      };
      return { ...laneSetup, agentLog, close };
    }
    case 'scripted': {
      const { path, script } = await writeScript(options);
      const recordTo = join(artifacts, 'model-requests.jsonl');
      // Loaded only here: the other lanes need neither the server nor node:http.
      const { serveScript } = await import('./script-server.js');
      const secrets = await knownSecrets(options, env);
      const server = await serveScript({ script, recordTo, secrets });
      const takingPart = backends.map((id) => BACKENDS[id]);
      try {
        const laneSetup = await describeSetup(options, scriptedAttempt(takingPart, env, home, server.url));
        const close = async () => {
          await server.close();
          await scrubFile(path, laneSetup.secrets);
        };
        return { ...laneSetup, modelUrl: server.url, requests: () => server.requests, close };
      } catch (error) {
        await server.close();
        throw error;
      }
    }
    default:
      return lane satisfies never;
  }
}

async function describeSetup(options: LaneSetupOptions, env: Environment): Promise<LaneSetup> {
  return {
    lane: options.lane,
    env,
    agentLog: null,
    modelUrl: null,
    secrets: await knownSecrets(options, env),
    requests: () => [],
    close: async () => {},
  };
}

/** Writes the script to the artifacts: stand-ins play it from there, and readers can see what was played. */
async function writeScript({ lane, script, places }: LaneSetupOptions): Promise<{
  readonly path: string;
  readonly script: AgentScript;
}> {
  if (script === null) throw new Error(`the ${lane} lane needs a script, but none was given`);
  const path = join(places.artifacts, 'agent-script.json');
  await replaceFile(path, `${JSON.stringify(script, null, 2)}\n`);
  return { path, script };
}
