import { nameChecks } from '../../src/domain/check.js';
import { placesOf } from '../../src/domain/proof/judge.js';
import { sampleContext } from '../../src/domain/scenario/sample-context.js';
import type { Scenario } from '../../src/domain/scenario/scenario.js';

/** The requirements for Ralph. Scenarios name their ids in `covers`. */
export const FUNCTIONAL_REQUIREMENTS = {
  FR1: 'Ralph runs with Claude Code',
  FR2: 'Ralph runs with Kiro',
  FR3: 'Ralph runs with OpenCode',
  FR4: 'Ralph sends a prompt and gets an answer',
  FR5: 'Ralph runs a loop of several iterations',
  FR6: 'Ralph reads the events of the agent',
  FR7: 'the agent uses tools from end to end',
  FR8: 'Ralph reads streamed output (the JSON lines of Claude Code)',
  FR9: 'Ralph handles errors: time limits, rejected credentials, broken backends',
  FR10: 'Ralph recognizes the completion promise',
  FR11: 'Ralph applies backpressure: build.done needs evidence',
  FR12: 'the commands of the memory system work',
  FR13: 'Ralph injects memories into prompts',
  FR14: 'memories outlive a session',
  FR15: 'a single hat works',
  FR16: 'several hats work together (planner, builder)',
  FR17: 'Ralph routes events between hats',
  FR18: 'a hat can have its own backend',
  FR19: 'a hat follows its instructions',
} as const satisfies Readonly<Record<string, string>>;

/** Lists the checks that none of the scenario's own saboteurs claims to make fail, except guards. */
export function listUnclaimed(scenario: Scenario): string[] {
  const [backend = 'claude'] = scenario.backends;
  const checks = nameChecks(scenario.expect(sampleContext(backend, 'sim')));
  const kills = Object.values(scenario.saboteurs).flatMap((saboteur) => saboteur.kills);
  const claimed = new Set(kills.flatMap((entry) => placesOf(entry, checks)));
  return checks.flatMap(({ name, guard }, place) =>
    claimed.has(place) || guard !== undefined ? [] : [`${name}`],
  );
}

/** Lists the requirements that no proved scenario covers. */
export function listUncovered(
  catalogue: readonly Pick<Scenario, 'id' | 'covers'>[],
  isProved: (id: string) => boolean,
): string[] {
  const covered = new Set(catalogue.filter(({ id }) => isProved(id)).flatMap(({ covers }) => covers));
  return Object.keys(FUNCTIONAL_REQUIREMENTS).filter((id) => !covered.has(id));
}

/** The number of requirements for each letter: H for the plugin harness, C for conversations, A for the agent interface. */
const PLUGIN_REQUIREMENTS: Readonly<Record<string, number>> = { H: 88, C: 67, A: 15 };

/** Whether an id such as `H38`, `C17` or `A6` is a requirement for conversations and plugins. */
export function isPluginRequirement(id: string): boolean {
  const [, letter = '', number = ''] = /^([HCA])([1-9]\d?)$/.exec(id) ?? [];
  return Number(number) > 0 && Number(number) <= (PLUGIN_REQUIREMENTS[letter] ?? 0);
}
