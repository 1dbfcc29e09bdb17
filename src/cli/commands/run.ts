import { isAbsolute, relative, resolve } from 'node:path';
import * as z from 'zod';
import { type HarnessOptions, runHarness, UnwrittenReportError } from '../../harness.js';
import { harnessVersion } from '../../harness-version.js';
import { renderJson } from '../../report/json.js';
import { createTerminalReporter, type TerminalReporter } from '../../report/terminal/terminal.js';
import { Declined } from '../../run/money/plan.js';
import { repeatFlags } from '../../run/repeat-flags.js';
import { NothingFailed } from '../../run/select/last-failed.js';
import { countUnasked, refuseIdleBackends } from '../../run/select/select.js';
import { isCalledByAgent } from '../agent-caller.js';
import { createApproval } from '../approve.js';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-codes.js';
import { publishToGithub } from '../github-actions.js';
import { addKnownIssues } from '../input/known-issues.js';
import { loadCatalogue } from '../input/load-scenarios.js';
import { readBackends } from '../input/read-backends.js';
import { readRalphs } from '../input/read-ralphs.js';
import {
  chooseSuite,
  chooseVerbosity,
  type RunFlags,
  readAnalyst,
  readLaneOf,
  readShuffle,
} from '../input/run-choices.js';
import { warnOfShort } from '../input/short-credentials.js';
import {
  readCount,
  readFailOn,
  readIsolation,
  readPriorities,
  readReportFormats,
  readSeconds,
  readUsd,
  readVariableName,
} from '../input/values.js';
import { listenForInterrupt } from '../interrupt.js';
import { describeProgram } from '../program-name.js';
import { openScreen } from '../screen.js';
import { describeUnasked, listScenarios } from './list.js';
import { type Ran, runSideBySide } from './side-by-side.js';

/** Runs `ralph-e2e [backends…]`: runs scenarios, or lists them. */
export async function defaultCommand(
  backends: readonly string[],
  flags: RunFlags,
  /** The names of all other commands, to recognize one that was given as a backend. */
  commands: readonly string[],
): Promise<ExitCode> {
  const { json = false } = flags;
  const verbosity = chooseVerbosity(flags);
  const lane = readLaneOf(flags);
  const selection = {
    ...readBackends(backends, { commands }),
    lane,
    suite: chooseSuite(flags, lane),
    filters: flags.filter ?? [],
    tests: flags.test ?? [],
    excludes: flags.exclude ?? [],
    priorities: flags.priority === undefined ? undefined : readPriorities(flags.priority),
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
  const passEnv = (flags.env ?? []).map(readVariableName);
  const warning = warnOfShort(lane, passEnv, process.env);
  if (warning !== null) process.stderr.write(`${warning}\n`);
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
      passEnv,
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
        ...{ strictKnownIssues: flags.strictKnownIssues },
        ...{ excludes: selection.excludes, priorities: selection.priorities },
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
      ...(flags.follow === true ? { onOutput: reporter.onOutput } : {}),
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
      if (error instanceof NothingFailed) {
        screen.people.write(`${error.message}\n`);
        return { report: null, code: EXIT.passed };
      }
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

/** Whether somebody sits at the terminal although stdout goes elsewhere: a question there would not be seen. */
function isPiped(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !process.stdout.isTTY;
}
