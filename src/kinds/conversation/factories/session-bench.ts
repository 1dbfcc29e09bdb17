import { join } from 'node:path';
import { BACKENDS, type Environment } from '../../../backends/index.js';
import { type AgentScript, agentScriptSchema } from '../../../domain/agent-script.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { type BackendId, LANE_TRAITS, type Lane } from '../../../domain/vocabulary.js';
import { type Bench, layOutBench } from '../../../lane/bench.js';
import { laneEnvironment } from '../../../lane/environment.js';
import { findProgram } from '../../../lane/program.js';

/** With what a conversation is held. */
export interface SessionAgent {
  /** `claude` unless it says otherwise. */
  readonly backend?: BackendId;
  /** `sim` unless it says otherwise: a test should have to ask for what costs money. */
  readonly lane?: Lane;
  /** The program instead of the one on PATH; in the sim lane it is always the stand-in. */
  readonly executable?: string;
  /** What the agent says and does in the offline lanes. */
  readonly agent?: readonly { readonly rule: AgentScript['rules'][number] }[];
}

/** The program that a session talks to, and what it is given. */
export interface SessionBench extends Bench {
  readonly executable: string;
}

/** Lays out what a session is held with, in a folder of its own. */
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
  throw new KnownError(`The ${lane} lane needs to know what the agent says and does, found no rules.`, {
    hint: "Give some: agent: [onAnyPrompt().says('Hello.')], or ask for the live lane.",
  });
}

function requireProgram(
  { backend = 'claude', lane = 'sim', executable }: SessionAgent,
  env: Environment,
): string {
  const found = findProgram(lane, backend, { executable, env });
  if (found !== null) return found;
  const { command, installHint } = BACKENDS[backend];
  throw new KnownError(
    `The ${lane} lane needs ${backend}: expected ${executable ?? command} on PATH, found none.`,
    { hint: `${installHint}, or name it with executable.` },
  );
}
