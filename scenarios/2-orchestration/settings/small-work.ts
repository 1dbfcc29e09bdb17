import { agentSaid, completed, onObjective, type ScenarioContext, without } from '../../../src/authoring.js';
import { NEVER_COMPLETES } from '../../support/saboteurs.js';

/*
 * For the commands around a run: `preflight`, `init`, `clean`, `doctor` and `completions`. No agent takes part in them;
 * the judged run only shows that a loop still works afterwards.
 */

/** The prompt of the judged run. */
export const sayIt = ({ nonce }: ScenarioContext) =>
  `Say ${nonce} in uppercase, then declare the objective complete.`;

/** Does what `sayIt` asks for. */
export const SAYER = onObjective(/Say (\w+) in uppercase/)
  .says('{{upper 1}}')
  .completes();

/** Checks that the agent said it and the loop is complete. */
export const saidIt = ({ nonce }: ScenarioContext) => ({
  ends: completed(),
  said: agentSaid(nonce.toUpperCase()),
});

/** Saboteurs for the checks of `saidIt`. */
export const SILENT_SAYERS = {
  'says nothing': { agent: without('says'), kills: ['said'] },
  'never completes': NEVER_COMPLETES,
} as const;
