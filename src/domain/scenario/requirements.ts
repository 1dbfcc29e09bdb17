import { nameChecks } from '../check.js';
import { placesOf } from '../proof/judge.js';
import { sampleContext } from './sample-context.js';
import type { Scenario } from './scenario.js';

/** What Ralph must be shown to do; scenarios name these ids in `covers`. */
export const FUNCTIONAL_REQUIREMENTS = {
  FR1: 'ralph runs with Claude Code',
  FR2: 'ralph runs with Kiro',
  FR3: 'ralph runs with OpenCode',
  FR4: 'a prompt goes out and its answer comes back',
  FR5: 'a whole loop of several iterations',
  FR6: 'events of the agent are read',
  FR7: 'tools are used from end to end',
  FR8: 'streamed output is read (the JSON lines of Claude Code)',
  FR9: 'errors are handled: time limits, refused credentials, broken backends',
  FR10: 'the completion promise is recognised',
  FR11: 'backpressure: build.done needs evidence',
  FR12: 'the commands of the memory system',
  FR13: 'memories are injected into prompts',
  FR14: 'memories outlive a session',
  FR15: 'a single hat',
  FR16: 'workflows of several hats (planner, builder)',
  FR17: 'events are routed between hats',
  FR18: 'a hat with a backend of its own',
  FR19: 'the instructions of a hat are followed',
} as const satisfies Readonly<Record<string, string>>;

/** The checks of a scenario that none of its own saboteurs promises to turn red, guards aside. */
export function listUnclaimed(scenario: Scenario): string[] {
  const [backend = 'claude'] = scenario.backends;
  const checks = nameChecks(scenario.expect(sampleContext(backend, 'sim')));
  const kills = Object.values(scenario.saboteurs).flatMap((saboteur) => saboteur.kills);
  const claimed = new Set(kills.flatMap((entry) => placesOf(entry, checks)));
  return checks.flatMap(({ name, guard }, place) =>
    claimed.has(place) || guard !== undefined ? [] : [name],
  );
}

/** Requirements that no scenario covers for which `isProved` holds. */
export function listUncovered(
  catalogue: readonly Pick<Scenario, 'id' | 'covers'>[],
  isProved: (id: string) => boolean,
): string[] {
  const covered = new Set(catalogue.filter(({ id }) => isProved(id)).flatMap(({ covers }) => covers));
  return Object.keys(FUNCTIONAL_REQUIREMENTS).filter((id) => !covered.has(id));
}

/** How many requirements there are of each letter: the plugin harness, conversations, and the interface for agents. */
const PLUGIN_REQUIREMENTS: Readonly<Record<string, number>> = { H: 88, C: 67, A: 15 };

/** Whether a requirement is one of those that conversations and plugins are held to: `H38`, `C17`, `A6`. */
export function isPluginRequirement(id: string): boolean {
  const [, letter = '', number = ''] = /^([HCA])([1-9]\d?)$/.exec(id) ?? [];
  return Number(number) > 0 && Number(number) <= (PLUGIN_REQUIREMENTS[letter] ?? 0);
}
