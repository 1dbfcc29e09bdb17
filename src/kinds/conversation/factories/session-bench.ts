import { join } from 'node:path';
import { BACKENDS, type Environment } from '../../../backends/index.js';
import { type AgentScript, agentScriptSchema } from '../../../domain/agent-script.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { type BackendId, LANE_TRAITS, type Lane } from '../../../domain/vocabulary.js';
import { type Bench, layOutBench } from '../../../lane/bench.js';
import { laneEnvironment } from '../../../lane/environment.js';
import { findProgram } from '../../../lane/program.js';

/** The agent CLI of a conversation. */
export interface SessionAgent {
  /** The agent CLI; `claude` by default. */
  readonly backend?: BackendId;
  /** The lane; `sim` by default, so that a test must ask for what costs money. */
  readonly lane?: Lane;
  /** The program to use instead of the one on PATH. The sim lane always uses the stand-in. */
  readonly executable?: string;
  /** What the agent says and does in the offline lanes. */
  readonly agent?: readonly { readonly rule: AgentScript['rules'][number] }[];
}

/** The bench of a session, with the program that it talks to. */
export interface SessionBench extends Bench {
  readonly executable: string;
}

/** Sets up everything that a session needs, in its own folder. */
export async function layOutSession(asked: SessionAgent, folder: string): Promise<SessionBench> {
  const { backend = 'claude', lane = 'sim' } = asked;
  const base = process.env;
  const env = laneEnvironment({ lane, base, pass: [] });
  const executable = requireProgram(asked, env);
  const bench = await layOutBench({
    lane,
    backends: [backend],
    script: LANE_TRAITS[lane].hasScript ? readScript(asked) : null,
    places: { home: join(folder, 'home'), artifacts: folder },
    env,
    base,
  });
  return { ...bench, executable };
}

function readScript({ agent = [], lane = 'sim' }: SessionAgent): AgentScript {
  if (agent.length > 0) return agentScriptSchema.parse({ version: 1, rules: agent.map(({ rule }) => rule) });
  throw new KnownError(
    `The ${lane} lane needs rules for what the agent says and does, but none were given.`,
    {
      hint: "Add rules, such as agent: [onAnyPrompt().says('Hello.')], or use the live lane.",
    },
  );
}

function requireProgram(
  { backend = 'claude', lane = 'sim', executable }: SessionAgent,
  env: Environment,
): string {
  const found = findProgram(lane, backend, { executable, env });
  if (found !== null) return found;
  const { command, installHint } = BACKENDS[backend];
  throw new KnownError(
    `The ${lane} lane needs ${backend}, which was not found: expected ${executable ?? `${command} on PATH`}.`,
    { hint: `${installHint}, or pass its path as executable.` },
  );
}
