import { KnownError } from '../../domain/common/known-error.js';
import { comparableReportSchema } from '../../domain/report/comparable.js';
import { compareReports, judgeComparison } from '../../domain/report/compare.js';
import { DEFAULT_OUTPUT, type RunCall } from '../../domain/run-call.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { Lane } from '../../domain/vocabulary.js';
import { findShortCredentials } from '../../exec/environment.js';
import { laneEnvironment } from '../../lane/environment.js';
import { renderComparison } from '../../report/comparison.js';
import { printableJson } from '../../report/json.js';
import { repeatFlags } from '../../run/repeat-flags.js';
import { conductOnce, createConductor, type Ran } from '../conduct-run.js';
import { COMPARED, EXIT, type ExitCode } from '../exit-codes.js';
import type { RunFlags } from '../input/run-flags.js';
import { requireVariables } from '../input/values.js';
import { ownProgram } from '../program-name.js';
import { openView, type View } from '../view.js';

/** Runs the selected tests on one Ralph, or on two and compares them. */
export async function runTests(
  catalogue: readonly Scenario[],
  call: RunCall,
  flags: RunFlags,
): Promise<ExitCode> {
  requireVariables(flags.passEnv ?? []);
  const [first, other] = readRalphs(flags.ralph);
  refuseTwoOf(other, call);
  const warning = warnOfShort(call.lane, call.passEnv, process.env);
  if (warning !== null) process.stderr.write(`${warning}\n`);
  const view = openView(flags);
  const { output = DEFAULT_OUTPUT } = flags;
  const on = (ralph: string | undefined) => ({
    call: { ...call, ralph: ralph ?? null },
    catalogue,
    program: ownProgram(),
    // As the user named them: commands are for the folder of this call.
    repeatWith: repeatFlags({ ...flags, lane: call.lane, ralph, passEnv: call.passEnv }),
  });
  if (other === undefined) return conductOnce(view, output, on(first));
  const conductor = createConductor(view, output);
  try {
    return await runSideBySide([first, other], (ralph) => conductor.conduct(on(ralph)), view);
  } finally {
    conductor.stop();
  }
}

/** Reads `--ralph`: nothing (the default), one Ralph to test, or two to compare. */
function readRalphs(named: readonly string[] = []): readonly [ralph: string | undefined, other?: string] {
  const [first, second, ...more] = named;
  if (more.length > 0) {
    throw new KnownError(`--ralph: expected one Ralph, or two to compare, found ${more.length + 2}.`, {
      hint: 'Compare more than two in pairs: ralph-e2e compare <run> <run>.',
    });
  }
  if (first !== undefined && first === second) {
    throw new KnownError(`--ralph: expected two different programs to compare, found ${first} twice.`, {
      hint: 'Name it once to test it.',
    });
  }
  return second === undefined ? [first] : [first, second];
}

/** Refuses shards of two Ralphs at once: each run would replace the blob of the other. */
function refuseTwoOf(other: string | undefined, { shard }: RunCall): void {
  if (other === undefined || shard === null) return;
  throw new KnownError('--shard and two --ralph cannot be combined: expected one Ralph.', {
    hint: 'Run and merge the shards of each Ralph, then compare: ralph-e2e compare <run> <run>.',
  });
}

/**
 * Runs the same tests on two Ralphs, one after the other, so that neither slows the other down, and compares them. Fails
 * if the second breaks a promise that the first keeps.
 */
async function runSideBySide(
  [first, second]: readonly [string | undefined, string],
  run: (ralph: string | undefined) => Promise<Ran>,
  { json, screen }: View,
): Promise<ExitCode> {
  const before = await run(first);
  if (before.report === null || before.code === EXIT.interrupted) return before.code;
  const after = await run(second);
  if (after.report === null || after.code === EXIT.interrupted) return after.code;
  const comparison = compareReports(
    comparableReportSchema.parse(before.report),
    comparableReportSchema.parse(after.report),
  );
  if (json) screen.print(printableJson(comparison));
  else
    screen.tell(`\n${renderComparison(comparison, { color: screen.color, columns: screen.people.columns })}`);
  const code = COMPARED[judgeComparison(comparison)];
  return code === EXIT.passed && [before.code, after.code].includes(EXIT.untested) ? EXIT.untested : code;
}

/** Warns of credentials that are in too many ordinary words to be removed from the output; null if there are none. */
function warnOfShort(lane: Lane, passEnv: readonly string[], base: NodeJS.ProcessEnv): string | null {
  const names = findShortCredentials(laneEnvironment({ lane, base, pass: passEnv }), passEnv);
  if (names.length === 0) return null;
  const values = names.length === 1 ? 'its value' : 'their values';
  return `warning: ${names.join(', ')}: shorter than 8 characters, so reports and output may show ${values}.`;
}
