import { checkScript } from '../../agent/script/check-script.js';
import { describePath } from '../../domain/common/issues.js';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import {
  requireArrangement,
  requireChecks,
  requireCompanions,
  requireScript,
} from '../../domain/scenario/schema.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import type { Selected } from '../planned.js';
import { callScenario } from './scenario-code.js';

/**
 * Asks each scenario what it arranges and expects before anything runs, so that a misspelled field, a wrong argument or an
 * empty expectation is refused before it costs time or money. A scenario that throws gets its error in its attempt.
 */
export function rehearse(selected: readonly Selected[], lane: Lane): void {
  for (const scenario of new Set(selected.map((job) => job.scenario))) {
    requireScript(scenario);
    if (LANE_TRAITS[lane].hasScript) requirePlayable(scenario);
  }
  for (const { scenario, backend } of selected) {
    const context = sampleContext(backend, lane);
    const arranged = tryScenario(scenario, () => scenario.arrange(context));
    if (arranged !== null) requireArrangement(scenario, arranged);
    const checks = tryScenario(scenario, () => scenario.expect(context));
    if (checks !== null) requireChecks(scenario, checks);
    requireCompanions(scenario, askCompanions(scenario, context));
  }
}

/** Refuses a script that fails whatever Ralph sends, such as one with a capture that no pattern has. Only a lane with a script plays it. */
function requirePlayable({ id, agent }: Selected['scenario']): void {
  const [problem] = agent.rules.length === 0 ? [] : checkScript(agent, 'rules');
  if (problem === undefined) return;
  throw new KnownError(`scenario "${id}": agent: ${describePath(problem.path)}: ${problem.message}`, {
    hint: 'Double braces that are no placeholder are written with an equals sign: {{=name}}.',
  });
}

/** Asks for the companions. The run needs them before the first attempt, so an error ends the run. */
function askCompanions({ id, companions }: Selected['scenario'], run: ScenarioContext): unknown {
  try {
    return callScenario(() => companions(run));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new KnownError(`scenario "${id}": companions failed: ${reason}.`, { cause });
  }
}

function tryScenario<Result>({ id }: Selected['scenario'], call: () => Result): Result | null {
  try {
    return callScenario(call);
  } catch (error) {
    // What our own functions refuse is wrong in every attempt. They name the author's line, and the reason is the cause.
    if (!isKnownError(error) || !isKnownError(error.cause)) return null;
    throw new KnownError(`scenario "${id}": ${error.message}`, {
      cause: error,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
  }
}
