import { KnownError } from '../../domain/common/known-error.js';
import type { SuiteChoice } from '../../domain/suites.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import type { Verbosity } from '../../report/terminal/terminal.js';
import { drawSeed } from '../../run/select/shuffle.js';
import { isCalledByAgent } from '../agent-caller.js';
import { readLane, readSeed, readSuite } from './values.js';

/** The flags of a run as commander passes them. */
export interface RunFlags {
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly fold?: boolean;
  readonly follow?: boolean;
  readonly report: string;
  readonly keepWorkspace?: boolean;
  readonly keepReports?: boolean;
  readonly list?: boolean;
  readonly filter?: string[];
  readonly test?: string[];
  readonly exclude?: string[];
  readonly suite?: string;
  readonly scenarios?: string[];
  readonly addScenarios?: string[];
  readonly knownIssues?: string;
  readonly lane?: string;
  readonly mock?: boolean;
  readonly ralph?: string[];
  readonly jobs?: string;
  readonly retries: string;
  readonly repeat?: string;
  readonly threshold?: string;
  readonly shard?: string;
  readonly lastFailed?: boolean;
  readonly withoutPlugin?: boolean;
  readonly bail?: boolean;
  readonly allow?: string;
  readonly failOn?: string;
  readonly shuffle?: string | true;
  readonly timeout?: string;
  readonly model?: string;
  readonly env?: string[];
  readonly output: string;
  readonly json?: boolean;
  readonly analysis?: string;
  readonly skipAnalysis?: boolean;
  readonly analyzer?: string;
  readonly maxCost?: string;
  readonly yes?: boolean;
  readonly isolation: string;
  readonly container?: string;
}

/** Prints less for an agent, which reads every word: only what failed, unless it asks for more or less. */
export function chooseVerbosity({
  quiet = false,
  verbose = false,
  fold = false,
  follow = false,
  repeat,
}: Pick<RunFlags, 'quiet' | 'verbose' | 'fold' | 'follow' | 'repeat'>): Verbosity {
  if (quiet && verbose) throw new KnownError('--quiet and --verbose cannot be combined: choose one.');
  if (quiet && follow) throw new KnownError('--quiet and --follow cannot be combined: choose one.');
  if (fold && repeat !== undefined)
    throw new KnownError('--fold and --repeat cannot be combined: choose one.');
  if (quiet) return 'quiet';
  // What `npm start` folds, `npm start -- -v` shows.
  if (verbose) return 'verbose';
  if (fold) return 'folded';
  return isCalledByAgent(process.env) ? 'agent' : 'normal';
}

/** Reads the seed of a shuffled run, or draws one. */
export function readShuffle({ shuffle }: RunFlags): number | undefined {
  if (shuffle === undefined) return undefined;
  return shuffle === true ? drawSeed() : readSeed(shuffle);
}

/**
 * Chooses the tests of a call without `--suite`. Conversations and plugins cost as much as all of Ralph, so in the live
 * lane somebody has to ask for them: with a filter or name, with their own file, or by having run them before.
 */
export function chooseSuite({ suite, scenarios, lastFailed }: RunFlags, lane: Lane): SuiteChoice {
  if (suite !== undefined) return readSuite(suite);
  const asked = scenarios !== undefined || lastFailed === true;
  return LANE_TRAITS[lane].costsMoney && !asked ? 'asked' : 'all';
}

/** Reads the lane from `--lane` and `--mock`. */
export function readLaneOf({ mock, lane }: RunFlags): Lane {
  if (lane === undefined) return mock ? 'sim' : 'live';
  const read = readLane(lane);
  if (mock && read !== 'sim')
    throw new KnownError(`--mock means --lane sim, but --lane is ${read}: choose one.`);
  return read;
}
