import { isAbsolute, relative, resolve } from 'node:path';
import * as z from 'zod';
import { KnownError } from '../../domain/common/known-error.js';
import type { SuiteChoice } from '../../domain/suites.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { type AnalystOptions, type HarnessOptions, runHarness, UnwrittenReportError } from '../../harness.js';
import { harnessVersion } from '../../harness-version.js';
import { renderJson } from '../../report/json.js';
import {
  createTerminalReporter,
  type TerminalReporter,
  type Verbosity,
} from '../../report/terminal/terminal.js';
import { Declined } from '../../run/money/plan.js';
import { repeatFlags } from '../../run/repeat-flags.js';
import { countUnasked, refuseIdleBackends } from '../../run/select/select.js';
import { drawSeed } from '../../run/select/shuffle.js';
import { isCalledByAgent } from '../agent-caller.js';
import { createApproval } from '../approve.js';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.js';
import { publishToGithub } from '../github-actions.js';
import { addKnownIssues } from '../input/known-issues.js';
import { loadCatalogue } from '../input/load-scenarios.js';
import { readBackends } from '../input/read-backends.js';
import { readRalphs } from '../input/read-ralphs.js';
import {
  readAnalysis,
  readCount,
  readFailOn,
  readIsolation,
  readLane,
  readReportFormats,
  readSeconds,
  readSeed,
  readSuite,
  readUsd,
  readVariableName,
} from '../input/values.js';
import { type Interrupt, listenForInterrupt } from '../interrupt.js';
import { describeProgram } from '../program-name.js';
import { openScreen } from '../screen.js';
import { describeUnasked, listScenarios } from './list.js';
import { type Ran, runSideBySide } from './side-by-side.js';

/** The flags of a run as commander passes them. */
export interface RunFlags {
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly report: string;
  readonly keepWorkspace?: boolean;
  readonly keepReports?: boolean;
  readonly list?: boolean;
  readonly filter?: string[];
  readonly test?: string[];
  readonly suite?: string;
  readonly scenarios?: string[];
  readonly addScenarios?: string[];
  readonly knownIssues?: string;
  readonly lane?: string;
  readonly mock?: boolean;
  readonly ralph?: string[];
  readonly jobs?: string;
  readonly retries: string;
  readonly lastFailed?: boolean;
  readonly strictKnownIssues?: boolean;
  readonly bail?: boolean;
  readonly allowInconclusive?: boolean;
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

/** Runs `ralph-e2e [backends…]`: runs scenarios, or lists them. */
export async function defaultCommand(
  backends: readonly string[],
  flags: RunFlags,
  /** The names of all other commands, to recognize one that was given as a backend. */
  commands: readonly string[],
): Promise<ExitCode> {
  const { json = false, quiet = false, verbose = false } = flags;
  if (quiet && verbose) throw new KnownError('--quiet and --verbose cannot be combined: choose one.');
  const lane = readLaneOf(flags);
  const selection = {
    ...readBackends(backends, { commands }),
    lane,
    suite: chooseSuite(flags, lane),
    filters: flags.filter ?? [],
    tests: flags.test ?? [],
  };
  // A run parses each shape only a few times: compiling the parsers would cost more than it saves.
  z.config({ jitless: true });
  const catalogue = await addKnownIssues(
    await loadCatalogue(flags.scenarios, flags.addScenarios),
    flags.knownIssues,
  );
  refuseIdleBackends(catalogue, selection);
  const screen = openScreen({ json });
  if (flags.list) {
    screen.print(listScenarios(catalogue, selection, { json }));
    return EXIT.passed;
  }
  const formats = readReportFormats(flags.report);
  const [ralph, other] = readRalphs(flags.ralph);
  const rules = { allowInconclusive: flags.allowInconclusive ?? false, failOn: readFailOn(flags.failOn) };
  const verbosity = chooseVerbosity({ quiet, verbose });
  const maxUsd = flags.maxCost === undefined ? undefined : readUsd(flags.maxCost);
  let current: TerminalReporter | null = null;
  const interrupt = listenForInterrupt({
    onInterrupt: () => current?.interrupt(),
    onClosed: () =>
      process.stderr.write(
        `stdout was closed: ending the run. Reports go to ${fromHere(resolve(flags.output))}.\n`,
      ),
  });
  const shuffleSeed = readShuffle(flags);
  const run = async (ralph: string | undefined): Promise<Ran> => {
    const reporter = createTerminalReporter({
      stream: screen.people,
      verbosity,
      color: screen.color,
      now: () => performance.now(),
    });
    current = reporter;
    const options: HarnessOptions = {
      ...selection,
      catalogue,
      lastFailed: flags.lastFailed ?? false,
      ralph,
      jobs: flags.jobs === undefined ? undefined : readCount('--jobs', 1)(flags.jobs),
      retries: readCount('--retries', 0)(flags.retries),
      bail: flags.bail ?? false,
      shuffleSeed,
      timeoutSeconds: flags.timeout === undefined ? null : readSeconds(flags.timeout),
      model: flags.model ?? null,
      passEnv: (flags.env ?? []).map(readVariableName),
      output: resolve(flags.output),
      keepWorkspace: flags.keepWorkspace ?? false,
      keepReports: flags.keepReports ?? false,
      strictKnownIssues: flags.strictKnownIssues ?? false,
      ...readIsolation(flags),
      program: describeProgram(process.argv[1] ?? '', process.env.PATH),
      repeatWith: repeatFlags({
        ...{ lane: selection.lane, scenarios: flags.scenarios, ralph, model: flags.model },
        ...{ passEnv: flags.env, ...readIsolation(flags), output: flags.output },
        ...{ addScenarios: flags.addScenarios, knownIssues: flags.knownIssues },
        strictKnownIssues: flags.strictKnownIssues,
      }),
      harnessVersion: harnessVersion(),
      maxUsd,
      approve: createApproval({
        input: process.stdin,
        // What is not a result must not be in the way of an agent, or of somebody who wants only the verdict.
        output: verbosity === 'quiet' || verbosity === 'agent' || isPiped() ? process.stderr : screen.people,
        maxUsd,
        yes: flags.yes === true || isCalledByAgent(process.env) || (process.env.CI ?? '') !== '',
        notes: describeUnasked(countUnasked(catalogue, selection)),
        signal: interrupt.signal,
      }),
      env: process.env,
      signal: interrupt.signal,
      onEvent: reporter.onEvent,
    };
    try {
      const skipExamination = flags.skipAnalysis === true || flags.analysis === 'never';
      const { report, paths, folder } = await runHarness(
        { ...options, skipExamination },
        formats,
        readAnalyst(flags, lane, interrupt),
      );
      reporter.finish(report, paths.map(fromHere), fromHere(folder));
      if (formats.includes('github'))
        await publishToGithub(report, {
          env: process.env,
          print: (line) => screen.people.write(`${line}\n`),
        });
      return { report, code: exitCodeOf(report, rules) };
    } catch (error) {
      // Interrupted before there was anything to report: the user ended it, so the error does not matter.
      if (interrupt.signal.aborted) return { report: null, code: EXIT.interrupted };
      if (error instanceof Declined) {
        process.stderr.write(`${error.message}\n`);
        return { report: null, code: EXIT.untested };
      }
      if (!(error instanceof UnwrittenReportError)) throw error;
      reporter.finish(error.report, []);
      process.stderr.write(`error: ${error.message}\n${error.hint}\n`);
      const failed = exitCodeOf(error.report, rules) === EXIT.failed;
      return { report: null, code: failed ? EXIT.failed : EXIT.untested };
    } finally {
      reporter.stop();
    }
  };
  try {
    if (other !== undefined) return await runSideBySide([ralph, other], run, { json, screen });
    const { report, code } = await run(ralph);
    if (json && report !== null) screen.printAll(renderJson(report));
    return code;
  } finally {
    interrupt.stop();
  }
}

/** Names a path as the user would type it here. */
function fromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** Decides whether Ralph analyzes the results: live by default, offline only if somebody asks. */
function readAnalyst(flags: RunFlags, lane: Lane, { skippable }: Interrupt): AnalystOptions {
  const { skipAnalysis = false, analysis, analyzer } = flags;
  const mode = readAnalysis(analysis ?? (skipAnalysis ? 'never' : 'auto'));
  if (skipAnalysis && mode !== 'never')
    throw new KnownError(`--skip-analysis means --analysis never, but --analysis is ${mode}: choose one.`);
  if (mode === 'never' && analyzer !== undefined)
    throw new KnownError(
      `${skipAnalysis ? '--skip-analysis' : '--analysis never'} and --analyzer cannot be combined: choose one.`,
    );
  const wanted =
    mode === 'always' || (mode === 'auto' && (LANE_TRAITS[lane].costsMoney || analyzer !== undefined));
  return wanted ? { config: analyzer === undefined ? null : resolve(analyzer), skippable } : { skip: true };
}

/** Prints less for an agent, which reads every word: only what failed, unless it asks for more or less. */
function chooseVerbosity({ quiet, verbose }: { quiet: boolean; verbose: boolean }): Verbosity {
  if (quiet) return 'quiet';
  if (verbose) return 'verbose';
  return isCalledByAgent(process.env) ? 'agent' : 'normal';
}

/** Whether somebody sits at the terminal although stdout goes elsewhere: a question there would not be seen. */
function isPiped(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !process.stdout.isTTY;
}

function readShuffle({ shuffle }: RunFlags): number | undefined {
  if (shuffle === undefined) return undefined;
  return shuffle === true ? drawSeed() : readSeed(shuffle);
}

/**
 * Chooses the tests of a call without `--suite`. Conversations and plugins cost as much as all of Ralph, so in the live
 * lane somebody has to ask for them: with a filter or name, with their own file, or by having run them before.
 */
function chooseSuite({ suite, scenarios, lastFailed }: RunFlags, lane: Lane): SuiteChoice {
  if (suite !== undefined) return readSuite(suite);
  const asked = scenarios !== undefined || lastFailed === true;
  return LANE_TRAITS[lane].costsMoney && !asked ? 'asked' : 'all';
}

function readLaneOf({ mock, lane }: RunFlags): Lane {
  if (lane === undefined) return mock ? 'sim' : 'live';
  const read = readLane(lane);
  if (mock && read !== 'sim')
    throw new KnownError(`--mock means --lane sim, but --lane is ${read}: choose one.`);
  return read;
}
