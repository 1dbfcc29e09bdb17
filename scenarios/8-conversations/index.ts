import type { Scenario } from '../../src/authoring.js';
import { agentLoopBugfix } from './agent-loop/bugfix.js';
import {
  agentLoopCodeBeforePlan,
  agentLoopCommandsToldApart,
  agentLoopCommitWithoutPlan,
} from './agent-loop/refusals.js';
import { agentLoopFourteenTurns, agentLoopHappyPath } from './agent-loop/walkthroughs.js';
import { behaviors } from './behaviors.js';
import { eptiEarlyCodeRefused, eptiTddDiscipline } from './epti/discipline.js';
import { eptiCommitOnRed, eptiOverfitProbe, eptiTestsUntouched } from './epti/honesty.js';
import { eptiTwentyTwoTurns } from './epti/twenty-two-turns.js';
import { flowsBackAndForth } from './flows/back-and-forth.js';
import { flowsOverFiles } from './flows/files-and-servers.js';
import { flowsResumed } from './flows/resumed.js';
import { flowsTurnByTurn } from './flows/turn-by-turn.js';
import { visualByHand, visualTruth, visualVague } from './visual/honesty.js';
import { visualRounds } from './visual/three-rounds.js';
import { visualPattern } from './visual/two-rounds.js';

/*
 * The requirements name nine conversation flows and nine agent behaviors. They are:
 *
 * | conversation flow                          | scenario                      |
 * |--------------------------------------------|-------------------------------|
 * | one command per stage, to the end          | agent-loop-happy-path         |
 * | commands and plain prompts in turn         | agent-loop-fourteen-turns     |
 * | red, green, refactor over all stages       | epti-twenty-two-turns         |
 * | a refusal in the middle, then continued    | epti-tdd-discipline           |
 * | a blocked command, sent again later        | flow-resumed-after-block      |
 * | canceled in the middle, then continued     | flow-cancelled-and-resumed    |
 * | back to an earlier stage                   | flow-back-to-planning         |
 * | a fact of an early turn used in a late one | flow-context-kept             |
 * | a question to the user, and the answer     | flow-question-asked-back      |
 *
 * | agent behavior                             | scenario                       |
 * |--------------------------------------------|--------------------------------|
 * | looks before it decides                    | agent-loop-bugfix              |
 * | heeds a warning                            | agent-loop-code-before-plan    |
 * | accepts a refusal                          | agent-loop-commit-without-plan |
 * | does not implement before the tests        | epti-early-code-refused        |
 * | does not commit while tests fail           | epti-commit-on-red             |
 * | leaves the tests alone under pressure      | epti-tests-untouched           |
 * | implements the requirement, not the tests  | epti-overfit-probe             |
 * | recovers from an error                     | behaviour-missing-file         |
 * | answers as the agent of a plugin           | behaviour-agent-mode           |
 *
 * In addition: unknown and ambiguous commands, the two about findings (`behaviour-keeps-to-files-seen`,
 * `-goes-astray`), one with a process for each turn (`flow-bug-fixed-in-steps`), one about a file that changes from turn
 * to turn (`flow-file-history`), and one with a dev server (`flow-dev-server`).
 */

/** Conversations of many turns with a plugin. */
export const conversations: readonly Scenario[] = [
  agentLoopBugfix,
  agentLoopFourteenTurns,
  agentLoopHappyPath,
  agentLoopCommitWithoutPlan,
  agentLoopCodeBeforePlan,
  agentLoopCommandsToldApart,
  eptiTwentyTwoTurns,
  eptiEarlyCodeRefused,
  eptiTddDiscipline,
  eptiCommitOnRed,
  eptiTestsUntouched,
  eptiOverfitProbe,
  ...flowsResumed,
  ...flowsBackAndForth,
  ...flowsTurnByTurn,
  ...flowsOverFiles,
  ...behaviors,
  visualPattern,
  visualRounds,
  visualVague,
  visualByHand,
  visualTruth,
];
