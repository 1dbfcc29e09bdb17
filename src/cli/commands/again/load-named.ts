import type { Scenario } from '../../../domain/scenario/scenario.js';
import { addKnownIssues } from '../../input/known-issues.js';
import { loadCatalogue } from '../../input/load-scenarios.js';

/** The flags that say which scenarios there are. */
interface CatalogueFlags {
  readonly scenarios?: readonly string[];
  readonly addScenarios?: readonly string[];
  readonly knownIssues?: string;
}

/** Loads the scenarios that the command line names. What an earlier run names is not loaded: it may be anybody's. */
export async function loadNamed(flags: CatalogueFlags): Promise<readonly Scenario[]> {
  return addKnownIssues(await loadCatalogue(flags.scenarios, flags.addScenarios), flags.knownIssues);
}

/** Writes the flags as they were given. */
export function catalogueFlags({ scenarios = [], addScenarios = [], knownIssues }: CatalogueFlags): string[] {
  return [
    ...scenarios.flatMap((file) => ['--scenarios', file]),
    ...addScenarios.flatMap((file) => ['--add-scenarios', file]),
    ...(knownIssues === undefined ? [] : ['--known-issues', knownIssues]),
  ];
}
