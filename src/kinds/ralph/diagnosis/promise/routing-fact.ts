import type { CheckResult } from '../../../../domain/check.js';
import { list } from '../../../../domain/checks/text.js';
import { firstDifference } from '../../../../domain/diagnosis/divergence.js';
import type { Evidence, Iteration } from '../../../../domain/evidence/evidence.js';
import { hatsWorn, pendingIn, wornIn } from '../../../../domain/evidence/facts.js';
import { readConfig } from '../config-clues.js';
import { expectHats, hatsFor, readRouting } from '../trace/expected-hats.js';

/**
 * Says which pending event should have activated which hat, if the iteration that the check looks at has another hat. It
 * is computed from the prompt and the configuration alone. Empty if nothing is wrong, or not enough is known.
 */
export function describeRouting(check: CheckResult, evidence: Evidence): string {
  const iteration = findTurn(check, evidence);
  const routing = readRouting(evidence);
  const pending = iteration === undefined ? null : pendingIn(evidence, iteration.number);
  // A hat that has used up its activations gets no more: then other hats than the triggers say are right.
  if (!iteration || !routing || !pending || /max_activations/.test(evidence.configYaml)) return '';
  const topics = [...new Set(pending.map(({ topic }) => topic))];
  const expected = expectHats(topics, routing);
  const idle = expected.filter((hat) => hat !== 'ralph' && !isActive(hat, iteration, evidence));
  const worn = wornIn(iteration);
  const [hat] = idle;
  if (hat !== undefined) {
    const topic = topics.find((one) => hatsFor(one, routing)[0] === hat) ?? '';
    return ` ${topic} is pending and triggers ${hat} (${list(routing.triggers.get(hat) ?? [])}), but ${hat} is not active.`;
  }
  if (expected.includes(worn) || !routing.triggers.has(worn) || topics.length === 0) return '';
  return ` None of the pending events (${list(topics.slice(0, 4))}) triggers ${worn}, which is active.`;
}

/** Whether a hat has the iteration, or its instructions are in the prompt beside those of others. */
function isActive(hat: string, iteration: Iteration, evidence: Evidence): boolean {
  if (wornIn(iteration) === hat) return true;
  const instructions = squeeze(readConfig(evidence).hats[hat]?.instructions ?? '');
  return instructions === '' || squeeze(iteration.prompt ?? '').includes(instructions);
}

function findTurn({ about = {}, category }: CheckResult, evidence: Evidence): Iteration | undefined {
  if (category !== 'PromptContent' && category !== 'EventEmitted') return undefined;
  const at = about.hats === undefined ? null : firstDifference(about.hats, hatsWorn(evidence));
  if (at !== null) return evidence.iterations[at];
  return evidence.iterations.find(({ number }) => number === about.iteration);
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
