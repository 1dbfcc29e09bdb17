import { join } from 'node:path';
import { BACKENDS, type Environment } from '../backends/index.js';
import { agentScriptSchema } from '../domain/agent-script.js';
import type { Arrangement } from '../domain/scenario/arrangement.js';
import { credentialValues } from '../exec/environment.js';
import { replaceFile } from '../exec/files/plain-file.js';
import type { AttemptJob } from '../run/attempt/attempt.js';
import type { SuiteSettings } from '../run/attempt/settings.js';
import type { WorkspaceRoot } from '../workspace/workspace-root.js';
import { refuseCredentials, scriptedAttempt, simAttempt } from './environment.js';
import type { ModelServer } from './script-server.js';

/** Folders of an attempt that the agent does not work in. */
export interface Places {
  readonly artifacts: string;
  readonly home: string;
}

/** Where the agent plays: its environment, and what tells afterwards what it was asked. */
export interface Stage {
  readonly env: Environment;
  /** Where the stand-ins of agent CLIs record their calls; null in lanes with the real ones. */
  readonly agentLog: string | null;
  /** The model in the scripted lane. */
  readonly server: ModelServer | null;
}

/** Sets the stage of an attempt in its lane. Whoever sets it closes the server at the end. */
export async function setStage(
  { scenario, backend }: AttemptJob,
  credentials: Arrangement['credentials'],
  { artifacts, home }: Places,
  { lane, env, base }: SuiteSettings,
): Promise<Stage> {
  const script = join(artifacts, 'agent-script.json');
  const agent = agentScriptSchema.parse(scenario.agent);
  switch (lane) {
    case 'live': {
      const refused = credentials === 'refused';
      return {
        env: refused ? refuseCredentials(BACKENDS[backend], env, home) : env,
        agentLog: null,
        server: null,
      };
    }
    case 'sim': {
      await replaceFile(script, `${JSON.stringify(agent, null, 2)}\n`);
      const agentLog = join(artifacts, 'agent-calls.jsonl');
      return { env: simAttempt(env, home, { script, log: agentLog }), agentLog, server: null };
    }
    case 'scripted': {
      await replaceFile(script, `${JSON.stringify(agent, null, 2)}\n`);
      const recordTo = join(artifacts, 'model-requests.jsonl');
      // Loaded here: the other lanes need neither the server nor node:http.
      const { serveScript } = await import('./script-server.js');
      const server = await serveScript({ script: agent, recordTo, secrets: credentialValues(base) });
      const cast = [backend, ...scenario.companions({ backend, lane })].map((id) => BACKENDS[id]);
      return { env: scriptedAttempt(cast, env, home, server.url), agentLog: null, server };
    }
    default:
      return lane satisfies never;
  }
}

/** An id that names its backend needs no suffix; any other may run on several backends at once. */
export function workspaceName({ scenario, backend, variant }: AttemptJob): string {
  const plain = scenario.tiedToBackend ? scenario.id : `${scenario.id}-${backend}`;
  return variant === undefined ? plain : `${plain}-${variant.name}`;
}

/** Where the workspace of an attempt will be. */
export function workspacePath(job: AttemptJob, root: WorkspaceRoot): string {
  return join(root.path, workspaceName(job));
}
