import { resolve } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import { findNearest } from '../domain/common/nearest.js';
import type { ContainerScope, Isolation } from '../domain/evidence/isolation.js';
import { either } from '../domain/options/option-values.js';
import { MOST_REPEATS, type RepeatPlan } from '../domain/options/repeat-plan.js';
import type { Report } from '../domain/report/report.js';
import { completeCall, DEFAULT_OUTPUT } from '../domain/run-call.js';
import type { Scenario } from '../domain/scenario/scenario.js';
import { requireScenario } from '../domain/scenario/schema.js';
import { BACKEND_IDS, type BackendId, type Lane, PRIMARY_BACKENDS } from '../domain/vocabulary.js';
import { harnessVersion } from '../exec/files/package-root.js';
import { repeatFlags } from '../run/repeat-flags.js';
import { runHarness } from './harness.js';

/** Options of `runScenarios`; every option has a default. */
export interface RunScenariosOptions {
  /** Default: the primary backends. The report says which of the named backends could not be tested. */
  readonly backends?: readonly BackendId[];
  /** Default: `sim`. Runs that cost money must be requested explicitly. */
  readonly lane?: Lane;
  /**
   * A path, or `embedded` for the stand-in. Default: $RALPH_BIN, then ralph on PATH, then in the sim lane the stand-in.
   */
  readonly ralph?: string;
  readonly filters?: readonly string[];
  /** Tests to run in addition to what the filters match: exact ids, or `id [backend]`. */
  readonly tests?: readonly string[];
  readonly jobs?: number;
  readonly retries?: number;
  /** Run every test so many times and report how often each passes. Default: once. */
  readonly repeat?: number;
  /** With `repeat`: the share of repeats that must pass. Default: every repeat must pass. */
  readonly threshold?: number;
  readonly timeoutSeconds?: number;
  readonly output?: string;
  readonly keepWorkspace?: boolean;
  /** Do not replace the reports of the previous run: write this run's reports to its own folder only. */
  readonly keepReports?: boolean;
  /** Run every test of a plugin once more without its plugins, and report what holds then too. */
  readonly withoutPlugin?: boolean;
  /** What isolates the agent. Default: `host`. */
  readonly isolation?: Isolation;
  /** With `docker`: one container for each test (default), or one for all tests. */
  readonly container?: ContainerScope;
  readonly signal?: AbortSignal;
}

/** Runs scenarios as the command line does, writes report.md and report.json, and returns the report. */
export async function runScenarios(
  catalogue: readonly Scenario[],
  options: RunScenariosOptions = {},
): Promise<Report> {
  // Check all of them, even those that this call does not select: a misspelled backend or lane must not go unnoticed.
  for (const scenario of catalogue) requireScenario(scenario);
  requireKnown(options);
  const { lane = 'sim', output = DEFAULT_OUTPUT, jobs } = options;
  if (jobs !== undefined && !(Number.isInteger(jobs) && jobs >= 1))
    throw new KnownError(`jobs: expected a whole number of at least 1, found ${jobs}.`);
  const call = completeCall({
    ...options,
    ...{ lane, suite: 'all', output: resolve(output), repeat: planRepeats(options) },
    backends: options.backends ?? PRIMARY_BACKENDS,
    named: BACKEND_IDS.filter((id) => options.backends?.includes(id)),
  });
  const { report } = await runHarness({
    ...call,
    catalogue,
    program: ['ralph-e2e'],
    // The scenarios belong to the caller: a command can repeat everything except them.
    repeatWith: repeatFlags({ ...call, output }),
    harnessVersion: harnessVersion(),
    env: process.env,
    signal: options.signal ?? new AbortController().signal,
    onEvent: () => {},
  });
  return report;
}

/** Each option of `runScenarios`. */
const KNOWN: Readonly<Record<keyof RunScenariosOptions, true>> = {
  ...{ backends: true, lane: true, ralph: true, filters: true, tests: true, jobs: true, retries: true },
  ...{ repeat: true, threshold: true, timeoutSeconds: true, output: true, keepWorkspace: true },
  ...{ keepReports: true, withoutPlugin: true, isolation: true, container: true, signal: true },
};

/** Refuses an option that does not exist: a run without it would not be what the caller meant. */
function requireKnown(options: object): void {
  for (const key of Object.keys(options)) {
    if (Object.hasOwn(KNOWN, key)) continue;
    const names = Object.keys(KNOWN);
    throw new KnownError(`runScenarios: expected options such as filters, found ${JSON.stringify(key)}.`, {
      hint: `Did you mean ${findNearest(key, names) ?? either(names)}?`,
    });
  }
}

function planRepeats({ repeat = 1, retries = 0, threshold = null }: Repeating): RepeatPlan | null {
  if (!Number.isInteger(repeat) || repeat < 1 || repeat > MOST_REPEATS)
    throw new KnownError(`repeat: expected a whole number from 1 to ${MOST_REPEATS}, found ${repeat}.`);
  if (threshold !== null && !(threshold > 0 && threshold < 1 && repeat > 1))
    throw new KnownError(
      `threshold: expected a rate between 0 and 1, and a repeat of at least 2; found ${threshold} and ${repeat}.`,
    );
  if (repeat > 1 && retries > 0)
    throw new KnownError('repeat and retries cannot be combined: a retry would hide a failure.');
  return repeat === 1 ? null : { times: repeat, threshold };
}

interface Repeating {
  readonly repeat?: number;
  readonly retries?: number;
  readonly threshold?: number | null;
}
