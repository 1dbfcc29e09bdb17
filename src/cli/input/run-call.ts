import { resolve } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { DEFAULT_OUTPUT, type RunCall, runCallSchema } from '../../domain/run-call.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import type { Verbosity } from '../../report/terminal/terminal.js';
import { isCalledByAgent } from '../screen.js';
import { readBackends } from './read-backends.js';
import { type RunFlags, refuseConflicts } from './run-flags.js';
import { withoutFaults } from './values.js';

/** Makes the call of a run from what the command line says. Which Ralph runs is for the caller to say. */
export function readRunCall(
  backends: readonly string[],
  flags: RunFlags,
  /** The names of all other commands, to recognize one that was given as a backend. */
  commands: readonly string[],
): RunCall {
  const lane = decideLane(flags);
  const repeat = decideRepeat(flags);
  refuseConflicts({ ...flags, repeat });
  return runCallSchema.parse({
    ...flags,
    ...readBackends(backends, { commands }),
    ...{ lane, repeat, suite: flags.suite ?? decideSuite(flags, lane), ralph: null },
    passEnv: flags.passEnv && withoutFaults(flags.passEnv),
    container: decideContainer(flags),
    output: resolve(flags.output ?? DEFAULT_OUTPUT),
    scenarios: flags.scenarios?.map((path) => resolve(path)),
    addScenarios: flags.addScenarios?.map((path) => resolve(path)),
    knownIssues: flags.knownIssues == null ? null : resolve(flags.knownIssues),
    ...decideAnalysis(flags, lane),
  });
}

/** Prints less for an agent, which reads every word: a line for each tier, unless it asks for more or less. */
export function chooseVerbosity({
  quiet,
  verbose,
  fold,
  follow,
  repeat,
}: Pick<RunFlags, 'quiet' | 'verbose' | 'fold' | 'follow' | 'repeat'>): Verbosity {
  // Only these: the others have been decided, and one time is no repetition.
  refuseConflicts({ quiet, verbose, fold, follow, repeat });
  if (quiet) return 'quiet';
  // What `npm start` folds, `npm start -- -v` shows.
  if (verbose) return 'verbose';
  return fold || isCalledByAgent(process.env) ? 'folded' : 'normal';
}

/** Decides the lane from `--lane` and `--mock`. */
function decideLane({ mock, lane }: RunFlags): Lane {
  if (lane === undefined) return mock ? 'sim' : 'live';
  if (mock && lane !== 'sim')
    throw new KnownError(`--mock means --lane sim, but --lane is ${lane}: choose one.`);
  return lane;
}

/**
 * Chooses the tests of a call without `--suite`. Conversations and plugins cost as much as all of Ralph, so in the live
 * lane somebody has to ask for them: with a filter or name, with their own file, or by having run them before.
 */
function decideSuite({ scenarios, lastFailed }: RunFlags, lane: Lane): RunCall['suite'] {
  const asked = scenarios !== undefined || lastFailed === true;
  return LANE_TRAITS[lane].costsMoney && !asked ? 'asked' : 'all';
}

/** Decides how often tests are repeated. One time is no repetition. */
function decideRepeat({ repeat, threshold }: RunFlags): RunCall['repeat'] {
  if (repeat != null && repeat.times > 1) return { ...repeat, threshold: threshold ?? null };
  if (threshold === undefined) return null;
  throw new KnownError('--threshold needs repeats to find a rate: expected --repeat with at least 2.', {
    hint: 'Add --repeat <n>, or leave out --threshold.',
  });
}

function decideContainer({ isolation = 'host', container = null }: RunFlags): RunCall['container'] {
  if (container === null || isolation === 'docker') return container;
  throw new KnownError(`--container needs --isolation docker, but --isolation is ${isolation}.`);
}

/** Decides whether Ralph analyzes the results: live by default, offline only if somebody asks. */
function decideAnalysis(
  { skipAnalysis = false, analyze, analyzer, shard = null }: RunFlags,
  lane: Lane,
): Pick<RunCall, 'analysis' | 'examination'> {
  const when = analyze ?? (skipAnalysis ? 'never' : 'auto');
  if (skipAnalysis && when !== 'never')
    throw new KnownError(`--skip-analysis means --analysis never, but --analysis is ${when}: choose one.`);
  if (when === 'never') {
    if (analyzer === undefined) return { analysis: null, examination: false };
    throw new KnownError('--analysis never and --analyzer cannot be combined: choose one.');
  }
  const isAsked = when === 'always' || analyzer !== undefined;
  if (shard !== null && isAsked)
    throw new KnownError(
      '--shard cannot be combined with an analysis by Ralph: a shard has only some results.',
      { hint: 'Leave out --analysis and --analyzer.' },
    );
  const isWanted = shard === null && (isAsked || LANE_TRAITS[lane].costsMoney);
  const analysis = isWanted ? { analyzer: analyzer === undefined ? null : resolve(analyzer) } : null;
  return { analysis, examination: true };
}
