import { DEFAULT_OUTPUT, type RunCall } from '../../domain/run-call.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { renderJson } from '../../report/json.js';
import { repeatFlags } from '../../run/repeat-flags.js';
import { createConductor, ownProgram } from '../conduct-run.js';
import type { ExitCode } from '../exit-codes.js';
import { readRalphs } from '../input/read-ralphs.js';
import { chooseVerbosity } from '../input/run-call.js';
import type { RunFlags } from '../input/run-flags.js';
import { warnOfShort } from '../input/short-credentials.js';
import { requireVariables } from '../input/values.js';
import type { Screen } from '../screen.js';
import { refuseTwoOf } from './shards/plan-shard.js';
import { runSideBySide } from './side-by-side.js';

/** Runs the selected tests on one Ralph, or on two and compares them. */
export async function runTests(
  catalogue: readonly Scenario[],
  call: RunCall,
  { flags, screen }: { readonly flags: RunFlags; readonly screen: Screen },
): Promise<ExitCode> {
  const { json = false, follow = false, yes = false } = flags;
  requireVariables(flags.passEnv ?? []);
  const [first, other] = readRalphs(flags.ralph);
  refuseTwoOf(other, call);
  const warning = warnOfShort(call.lane, call.passEnv, process.env);
  if (warning !== null) process.stderr.write(`${warning}\n`);
  const verbosity = chooseVerbosity(flags);
  const conductor = createConductor({ screen, verbosity, follow, yes }, flags.output ?? DEFAULT_OUTPUT);
  const run = (ralph: string | undefined) =>
    conductor.conduct({
      call: { ...call, ralph: ralph ?? null },
      catalogue,
      program: ownProgram(),
      // As the user named them: commands are for the folder of this call.
      repeatWith: repeatFlags({ ...flags, lane: call.lane, ralph, passEnv: call.passEnv }),
    });
  try {
    if (other !== undefined) return await runSideBySide([first, other], run, { json, screen });
    const { report, code } = await run(first);
    if (json && report !== null) screen.printAll(renderJson(report));
    return code;
  } finally {
    conductor.stop();
  }
}
