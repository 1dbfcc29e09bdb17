import { catalogue } from '../../../scenarios/index.js';
import type { ListedScenario } from '../../run/planned.js';
import { listScenario } from '../../run/select/listed.js';

/** The index of the catalogue. The build puts its value here in place of the scenarios (scripts/program.mjs). */
export const LISTED: readonly ListedScenario[] = catalogue.map(listScenario);
