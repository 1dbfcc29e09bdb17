import type { Scenario } from '../../src/authoring.js';
import { backendCalls } from './backends/arguments.js';
import { backendDelivery } from './backends/delivery.js';
import { completionRules } from './completion.js';
import { customSingleIteration } from './custom-backend.js';
import { hooksBlockEverywhere } from './hooks/blocking.js';
import { hooksMetadata } from './hooks/metadata.js';
import { hookMoments } from './hooks/moments.js';
import { hooks } from './hooks/order.js';
import { hookSuspension } from './hooks/suspension.js';
import { hooksTimeOut } from './hooks/timeouts.js';
import { hooksValidate } from './hooks/validation.js';
import { hooksWarn } from './hooks/warning.js';
import { issue47 } from './issue-47.js';
import { iterations } from './iterations.js';
import { landing } from './landing.js';
import { leftBehind } from './left-behind.js';
import { loopFeatures } from './loop-features.js';
import { loopsAtOnce } from './loops/at-once.js';
import { continuations } from './loops/continuation.js';
import { continuationStates } from './loops/continuation-state.js';
import { locks } from './loops/locks.js';
import { mergeQueues } from './loops/merge-queue.js';
import { merging } from './loops/merging.js';
import { reviews } from './loops/reviews.js';
import { rpcLoops } from './loops/rpc.js';
import { rpcStreams } from './loops/rpc-streams.js';
import { screens } from './loops/screen.js';
import { shownLoops } from './loops/shown.js';
import { loopStops } from './loops/stopping.js';
import { terminals } from './loops/terminals.js';
import { oneOfEach } from './one-of-each.js';
import { opencodeLongPrompt } from './opencode-long-prompt.js';
import { guidanceWithHats } from './people/guidance.js';
import { questions } from './people/questions.js';
import { urgentSteer } from './people/urgent-steer.js';
import { promptContent } from './prompts/content.js';
import { promptLength } from './prompts/length.js';
import { promptSwitches } from './prompts/switches.js';
import { textAcrossLimits } from './prompts/text.js';
import { secondLoopsInside } from './second-loop/inside.js';
import { loopsLogs } from './second-loop/logs.js';
import { secondLoop } from './second-loop/worktree.js';
import { botWithoutToken } from './settings/bot.js';
import { configuration } from './settings/configuration.js';
import { diagnosing } from './settings/diagnostics.js';
import { doctor } from './settings/doctor.js';
import { flags } from './settings/flags.js';
import { initAndClean } from './settings/init-and-clean.js';
import { modes } from './settings/modes.js';
import { preflight } from './settings/preflight.js';
import { waves } from './waves/waves.js';
import { waveWorking } from './waves/workers.js';

/** Loops: their iterations, settings and hooks, and how they end. */
export const orchestration: readonly Scenario[] = [
  ...iterations,
  ...completionRules,
  ...loopFeatures,
  ...continuations,
  ...continuationStates,
  ...locks,
  textAcrossLimits,
  loopsAtOnce,
  ...screens,
  secondLoop,
  ...secondLoopsInside,
  loopsLogs,
  ...loopStops,
  ...mergeQueues,
  ...reviews,
  ...merging,
  ...hooks,
  ...hookMoments,
  hooksMetadata,
  hooksWarn,
  hooksBlockEverywhere,
  hooksTimeOut,
  hooksValidate,
  ...hookSuspension,
  ...terminals,
  ...shownLoops,
  botWithoutToken,
  ...rpcLoops,
  rpcStreams,
  ...waves,
  ...waveWorking,
  customSingleIteration,
  ...backendCalls,
  preflight,
  initAndClean,
  doctor,
  ...diagnosing,
  ...flags,
  ...modes,
  ...backendDelivery,
  ...configuration,
  ...opencodeLongPrompt,
  ...promptContent,
  ...promptLength,
  promptSwitches,
  ...leftBehind,
  oneOfEach,
  ...landing,
  guidanceWithHats,
  urgentSteer,
  ...questions,
];

/** Bugs that Ralph once had, by issue number. */
export const orchestrationRegressions: readonly Scenario[] = [issue47];
