import * as z from 'zod';
import { refuseIdleBackends } from '../../run/select/select.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { addKnownIssues } from '../input/known-issues.js';
import { loadCatalogue } from '../input/load-scenarios.js';
import { readSelection } from '../input/run-call.js';
import { chooseVerbosity, type RunFlags } from '../input/run-choices.js';
import { openScreen } from '../screen.js';

/** Runs `ralph-e2e [backends…]`: runs scenarios, or lists them. Each loads only what it needs. */
export async function defaultCommand(
  backends: readonly string[],
  flags: RunFlags,
  /** The names of all other commands, to recognize one that was given as a backend. */
  commands: readonly string[],
): Promise<ExitCode> {
  const { json = false } = flags;
  // Refuses flags that contradict each other, for a list too.
  const verbose = chooseVerbosity(flags) === 'verbose';
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
    const { planShard } = await import('./shards/plan-shard.js');
    const { listScenarios } = await import('./list.js');
    const shard = planShard(catalogue, selection, flags);
    const list = listScenarios(catalogue, selection, { json, verbose, shard });
    if (json || verbose) screen.print(list);
    else screen.tell(list);
    return EXIT.passed;
  }
  const { runTests } = await import('./run-tests.js');
  return runTests(catalogue, selection, { flags, screen });
}
