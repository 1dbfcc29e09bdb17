import { resolve } from 'node:path';
import { KnownError } from './domain/common/known-error.js';
import type { ContainerScope, Isolation } from './domain/evidence/isolation.js';
import type { Report } from './domain/report/report.js';
import type { Scenario } from './domain/scenario/scenario.js';
import { requireScenario } from './domain/scenario/schema.js';
import { BACKEND_IDS, type BackendId, type Lane, PRIMARY_BACKENDS } from './domain/vocabulary.js';
import { runHarness } from './harness.js';
import { harnessVersion } from './harness-version.js';
import { repeatFlags } from './run/repeat-flags.js';

/** What a program may choose when it runs scenarios; everything has a default. */
export interface RunScenariosOptions {
  /** The primary backends unless said otherwise. The report says which of those that are named could not be tested. */
  readonly backends?: readonly BackendId[];
  /** `sim` unless said otherwise: a program should have to ask for runs that cost money. */
  readonly lane?: Lane;
  /** A path, or `embedded`; unless said $RALPH_BIN, then PATH, and in the sim lane the stand-in where there is none. */
  readonly ralph?: string;
  readonly filters?: readonly string[];
  /** Tests by their exact ids, or as `id [backend]`, taken besides what the filters match. */
  readonly tests?: readonly string[];
  readonly jobs?: number;
  readonly retries?: number;
  readonly timeoutSeconds?: number;
  readonly output?: string;
  readonly keepWorkspace?: boolean;
  /** Leave the reports of an earlier run where they are: this run's go to its own folder only. */
  readonly keepReports?: boolean;
  /** Fail where a known issue no longer occurs, which is a notice otherwise. */
  readonly strictKnownIssues?: boolean;
  /** What keeps the agent inside; the host unless said otherwise. */
  readonly isolation?: Isolation;
  /** With docker: a container for each test, which is the default, or one for all. */
  readonly container?: ContainerScope;
  readonly signal?: AbortSignal;
}

/** Runs scenarios as the command line does, writes report.md and report.json, and returns the report. */
export async function runScenarios(
  catalogue: readonly Scenario[],
  options: RunScenariosOptions = {},
): Promise<Report> {
  // All of them, also those that no backend or lane of this call selects: a misspelt one must not vanish.
  for (const scenario of catalogue) requireScenario(scenario);
  if (options.jobs !== undefined && !(options.jobs >= 1)) {
    throw new KnownError(`jobs: expected a number of at least 1, found ${options.jobs}.`);
  }
  const { lane = 'sim', output = '.e2e-tests' } = options;
  const { report } = await runHarness(
    {
      catalogue,
      backends: options.backends ?? PRIMARY_BACKENDS,
      named: BACKEND_IDS.filter((id) => options.backends?.includes(id)),
      lane,
      filters: options.filters ?? [],
      tests: options.tests ?? [],
      lastFailed: false,
      ralph: options.ralph,
      jobs: options.jobs,
      retries: options.retries ?? 0,
      bail: false,
      timeoutSeconds: options.timeoutSeconds ?? null,
      model: null,
      passEnv: [],
      output: resolve(output),
      keepWorkspace: options.keepWorkspace ?? false,
      keepReports: options.keepReports ?? false,
      strictKnownIssues: options.strictKnownIssues ?? false,
      ...(options.isolation === undefined ? {} : { isolation: options.isolation }),
      ...(options.container === undefined ? {} : { container: options.container }),
      program: ['ralph-e2e'],
      // The scenarios are the caller's own: a command can repeat everything but them.
      repeatWith: repeatFlags({ ...options, lane, ralph: options.ralph, output }),
      harnessVersion: harnessVersion(),
      env: process.env,
      signal: options.signal ?? new AbortController().signal,
      onEvent: () => {},
    },
    ['markdown', 'json'],
  );
  return report;
}
