import { join } from 'node:path';
import { outputJson } from 'fs-extra/esm';
import { BACKENDS, type Environment } from '../../../backends/index.js';
import { type AgentScript, agentScriptSchema } from '../../../domain/agent-script.js';
import { KnownError } from '../../../domain/common/known-error.js';
import type { BackendId, Lane } from '../../../domain/vocabulary.js';
import { credentialValues } from '../../../exec/environment.js';
import { makeFolder } from '../../../exec/files/make-folder.js';
import { findExecutable } from '../../../exec/find-executable.js';
import { laneEnvironment, scriptedAttempt, simAttempt } from '../../../lane/environment.js';

/** With what a conversation is held. */
export interface StageOptions {
  /** `claude` unless it says otherwise. */
  readonly backend?: BackendId;
  /** `sim` unless it says otherwise: a test should have to ask for what costs money. */
  readonly lane?: Lane;
  /** The program instead of the one on PATH; in the sim lane it is always the stand-in. */
  readonly executable?: string;
  /** What the agent says and does in the offline lanes. */
  readonly agent?: readonly { readonly rule: AgentScript['rules'][number] }[];
}

/** The program, its environment, and the model behind it. */
export interface SessionStage {
  readonly executable: string;
  readonly env: Environment;
  readonly close: () => Promise<void>;
}

/** Sets the stage in a folder of its own, which has the home of the CLI in it. */
export async function setSessionStage(options: StageOptions, folder: string): Promise<SessionStage> {
  const { backend = 'claude', lane = 'sim' } = options;
  const env = laneEnvironment({ lane, base: process.env, pass: [] });
  const executable = findProgram(options, env);
  const home = join(folder, 'home');
  await makeFolder(home);
  switch (lane) {
    case 'live':
      return { executable, env, close: async () => {} };
    case 'sim': {
      const script = join(folder, 'agent-script.json');
      await outputJson(script, readScript(options));
      const log = join(folder, 'agent-calls.jsonl');
      return { executable, env: simAttempt(env, home, { script, log }), close: async () => {} };
    }
    case 'scripted': {
      // Loaded here: the other lanes need neither the server nor node:http.
      const { serveScript } = await import('../../../lane/script-server.js');
      const secrets = credentialValues(process.env);
      const recordTo = join(folder, 'model-requests.jsonl');
      const server = await serveScript({ script: readScript(options), recordTo, secrets });
      return {
        executable,
        env: scriptedAttempt([BACKENDS[backend]], env, home, server.url),
        close: () => server.close(),
      };
    }
    default:
      return lane satisfies never;
  }
}

function readScript({ agent = [], lane = 'sim' }: StageOptions): AgentScript {
  if (agent.length > 0) return agentScriptSchema.parse({ version: 1, rules: agent.map(({ rule }) => rule) });
  throw new KnownError(`The ${lane} lane needs to know what the agent says and does, found no rules.`, {
    hint: "Give some: agent: [onAnyPrompt().says('Hello.')], or ask for the live lane.",
  });
}

function findProgram(
  { backend = 'claude', lane = 'sim', executable }: StageOptions,
  env: Environment,
): string {
  const { command, installHint } = BACKENDS[backend];
  const wanted = lane === 'sim' ? command : (executable ?? command);
  const found = findExecutable(wanted, env.PATH);
  if (found !== null) return found;
  throw new KnownError(`The ${lane} lane needs ${backend}: expected ${wanted} on PATH, found none.`, {
    hint: `${installHint}, or name it with executable.`,
  });
}
