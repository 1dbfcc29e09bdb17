import * as z from 'zod';
import { renderJson } from '../../report/json.js';
import { repeatFlags } from '../../run/repeat-flags.js';
import { refuseIdleBackends } from '../../run/select/select.js';
import { createConductor, ownProgram } from '../conduct-run.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { addKnownIssues } from '../input/known-issues.js';
import { loadCatalogue } from '../input/load-scenarios.js';
import { readRalphs } from '../input/read-ralphs.js';
import { readRunCall, readSelection } from '../input/run-call.js';
import { chooseVerbosity, type RunFlags } from '../input/run-choices.js';
import { warnOfShort } from '../input/short-credentials.js';
import { openScreen } from '../screen.js';
import { listScenarios } from './list.js';
import { planShard, refuseTwoOf } from './shards/plan-shard.js';
import { runSideBySide } from './side-by-side.js';

/** Runs `ralph-e2e [backends…]`: runs scenarios, or lists them. */
export async function defaultCommand(
  backends: readonly string[],
  flags: RunFlags,
  /** The names of all other commands, to recognize one that was given as a backend. */
  commands: readonly string[],
): Promise<ExitCode> {
  const { json = false, follow = false, yes = false } = flags;
  const verbosity = chooseVerbosity(flags);
  const selection = readSelection(backends, flags, commands);
  // A run parses each shape only a few times: compiling the parsers would cost more than it saves.
  z.config({ jitless: true });
  const catalogue = await addKnownIssues(
    await loadCatalogue(flags.scenarios, flags.addScenarios),
    flags.knownIssues,
  );
  refuseIdleBackends(catalogue, selection);
  const screen = openScreen({ json });
  if (flags.list) {
    const shard = await planShard(catalogue, selection, flags);
    screen.print(listScenarios(catalogue, selection, { json, shard }));
    return EXIT.passed;
  }
  const [first, other] = readRalphs(flags.ralph);
  refuseTwoOf(other, flags);
  const call = readRunCall(selection, flags);
  const warning = warnOfShort(call.lane, call.passEnv, process.env);
  if (warning !== null) process.stderr.write(`${warning}\n`);
  const conductor = createConductor({ screen, verbosity, follow, yes }, flags.output);
  const run = (ralph: string | undefined) =>
    conductor.conduct({
      call: { ...call, ralph: ralph ?? null },
      catalogue,
      program: ownProgram(),
      repeatWith: repeatFlags({
        ...{ lane: call.lane, scenarios: flags.scenarios, ralph, model: flags.model },
        ...{ passEnv: flags.env, isolation: call.isolation, container: call.container ?? undefined },
        ...{ addScenarios: flags.addScenarios, knownIssues: flags.knownIssues, output: flags.output },
        ...{ strictKnownIssues: flags.strictKnownIssues },
        ...{ excludes: selection.excludes, priorities: selection.priorities },
      }),
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
