import type { ScenarioContext } from '../domain/scenario/arrangement.js';
import { sampleContext } from '../domain/scenario/sample-context.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import type { BackendId, Lane } from '../domain/vocabulary.js';

/** Seconds that a real model may take for one iteration of a loop, and for one turn of a conversation. */
const LIVE_SECONDS = { iteration: 120, turn: 90 } as const;

/** Returns the time limit of a test in seconds. A real model gets more time than a script. */
export function timeLimitOf(scenario: Scenario, backend: BackendId, lane: Lane): number {
  if (lane !== 'live') return scenario.timeoutSeconds;
  return Math.max(scenario.timeoutSeconds, secondsLive(scenario, sampleContext(backend, lane)));
}

function secondsLive(scenario: Scenario, context: ScenarioContext): number {
  switch (scenario.kind) {
    case 'ralph':
      return LIVE_SECONDS.iteration * countIterations(scenario.arrange(context).config, scenario);
    case 'conversation':
      return LIVE_SECONDS.turn * scenario.arrange(context).turns.length;
    default:
      return scenario satisfies never;
  }
}

/** The limit of iterations, or what a good run takes and two more. */
function countIterations(
  config: Readonly<Record<string, unknown>>,
  { expectedIterations }: Pick<Scenario, 'expectedIterations'>,
): number {
  return readMaxIterations(config) ?? (expectedIterations ?? 1) + 2;
}

/** Reads `max_iterations` from a ralph.yml; null if it has none. */
export function readMaxIterations(config: Readonly<Record<string, unknown>>): number | null {
  const loop = config.event_loop;
  const limit =
    typeof loop === 'object' && loop !== null && 'max_iterations' in loop ? loop.max_iterations : null;
  return typeof limit === 'number' ? limit : null;
}
