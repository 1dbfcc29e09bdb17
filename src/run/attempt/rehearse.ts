import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import {
  requireArrangement,
  requireChecks,
  requireCompanions,
  requireScript,
} from '../../domain/scenario/schema.js';
import type { BackendId, Lane } from '../../domain/vocabulary.js';
import type { Selected } from '../select/selected.js';
import { callScenario } from './scenario-code.js';

/**
 * Asks each scenario for what it arranges and expects before anything runs: a misspelt field, or an expectation that
 * holds nothing, is refused before a run has cost time or money. A scenario that throws is left for its attempt, where
 * that is an error of this one scenario.
 */
export function rehearse(selected: readonly Selected[], lane: Lane): void {
  for (const scenario of new Set(selected.map((job) => job.scenario))) requireScript(scenario);
  for (const { scenario, backend } of selected) {
    const context = sampleContext(backend, lane);
    const arranged = tryScenario(() => scenario.arrange(context));
    if (arranged !== null) requireArrangement(scenario, arranged);
    const checks = tryScenario(() => scenario.expect(context));
    if (checks !== null) requireChecks(scenario, checks);
    requireCompanions(scenario, askCompanions(scenario, { backend, lane }));
  }
}

/** The run asks for them before the first attempt: there is no attempt whose error it could be. */
function askCompanions(
  { id, companions }: Selected['scenario'],
  run: { readonly backend: BackendId; readonly lane: Lane },
): unknown {
  try {
    return callScenario(() => companions(run));
  } catch (cause) {
    const reason = messageOf(cause);
    throw new KnownError(`scenario "${id}": companions failed: ${reason}.`, { cause });
  }
}

function tryScenario<Result>(call: () => Result): Result | null {
  try {
    return callScenario(call);
  } catch {
    return null;
  }
}
