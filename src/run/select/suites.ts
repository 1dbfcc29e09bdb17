import { nameChecks } from '../../domain/check.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { SMOKE_CALLS, type SuiteChoice } from '../../domain/suites.js';
import type { BackendId, Lane, Tier } from '../../domain/vocabulary.js';
import { tryScenario } from '../attempt/scenario-code.js';
import { countCalls } from '../money/calls.js';
import type { Listed, Selected } from '../planned.js';

const RALPH_TIERS: readonly Tier[] = [1, 2, 3, 4, 5, 6, 7];

/** Whether a test is about Ralph: tiers 1–7. The others are conversations and plugins. */
export function isAboutRalph({ scenario }: Selected<Listed>): boolean {
  return RALPH_TIERS.includes(scenario.tier);
}

/** Returns the tests that belong to a suite. `asked` depends on the filters, so it takes everything here. */
export function takeSuite<Any extends Listed>(
  candidates: readonly Selected<Any>[],
  suite: SuiteChoice,
): readonly Selected<Any>[] {
  switch (suite) {
    case 'smoke':
      return pickSmoke(candidates);
    case 'once':
      return pickOnce(candidates);
    case 'ralph':
      return candidates.filter(isAboutRalph);
    case 'plugins':
      return candidates.filter((candidate) => !isAboutRalph(candidate));
    case 'all':
    case 'asked':
      return candidates;
    default:
      return suite satisfies never;
  }
}

/** Picks the smoke suite: on each backend the cheapest test of each tier of Ralph, then what else a release must pass. */
function pickSmoke<Any extends Listed>(candidates: readonly Selected<Any>[]): readonly Selected<Any>[] {
  const backends = new Set(candidates.map(({ backend }) => backend));
  const picked = new Set(
    [...backends].flatMap((id) => pickOnBackend(candidates.filter(({ backend }) => backend === id))),
  );
  return candidates.filter((candidate) => picked.has(candidate));
}

/** Picks every scenario on the first of its backends, and the smoke suite on the others. */
function pickOnce<Any extends Listed>(candidates: readonly Selected<Any>[]): readonly Selected<Any>[] {
  const smoke = new Set(pickSmoke(candidates));
  const seen = new Set<Any>();
  return candidates.filter((candidate) => {
    const isFirst = !seen.has(candidate.scenario);
    seen.add(candidate.scenario);
    return isFirst || smoke.has(candidate);
  });
}

function pickOnBackend<Any extends Listed>(candidates: readonly Selected<Any>[]): Selected<Any>[] {
  const priced = candidates
    .filter((candidate) => isAboutRalph(candidate) && isPlain(candidate))
    .map((test) => ({ test, calls: callsOf(test, 'live') }));
  const must = ({ scenario }: Selected<Any>) => (scenario.priority === 'must' ? 0 : 1);
  const ranked = priced.toSorted((a, b) => a.calls - b.calls || must(a.test) - must(b.test));
  const picked = RALPH_TIERS.flatMap((tier) => ranked.find(({ test }) => test.scenario.tier === tier) ?? []);
  let left = SMOKE_CALLS - picked.reduce((sum, { calls }) => sum + calls, 0);
  for (const entry of priced) {
    if (picked.includes(entry) || must(entry.test) > 0 || entry.calls > left) continue;
    picked.push(entry);
    left -= entry.calls;
  }
  return picked.map(({ test }) => test);
}

/** Counts the agent calls of a good run of a test. */
export function callsOf({ scenario, backend }: Selected<Listed>, lane: Lane): number {
  return 'calls' in scenario ? scenario.calls : countCalls(scenario, backend, lane);
}

/** Whether a test says at once whether Ralph works: no known issue, no second backend, nothing that waits for a limit. */
export function isPlain({ scenario, backend }: Selected<Listed>): boolean {
  if ('plainOn' in scenario) return scenario.plainOn.includes(backend);
  return (
    scenario.knownIssue === null &&
    scenario.unplayable.live === undefined &&
    scenario.companions(sampleContext(backend, 'live')).length === 0 &&
    !waitsForLimit(scenario, backend)
  );
}

function waitsForLimit(scenario: Scenario, backend: BackendId): boolean {
  if (scenario.agent.rules.some(({ respond }) => respond.steps.some((step) => step.do === 'hang')))
    return true;
  const checks = tryScenario(() => nameChecks(scenario.expect(sampleContext(backend, 'live'))), []);
  return checks.some(({ kind }) => kind === 'iterationLasted');
}
