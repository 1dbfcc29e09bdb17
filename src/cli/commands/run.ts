import { refuseIdleBackends } from '../../run/select/select.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { loadNamed } from '../input/load-scenarios.js';
import { readRunCall } from '../input/run-call.js';
import type { RunFlags } from '../input/run-flags.js';
import { openScreen } from '../screen.js';

/** Runs `ralph-e2e [backends…]`: runs scenarios, or lists them. Each loads only what it needs. */
export async function defaultCommand(
  backends: readonly string[],
  flags: RunFlags,
  /** The names of all other commands, to recognize one that was given as a backend. */
  commands: readonly string[],
): Promise<ExitCode> {
  const { json = false, verbose = false } = flags;
  // Refuses options that contradict each other, for a list too.
  const call = readRunCall(backends, flags, commands);
  const catalogue = await loadNamed(flags);
  refuseIdleBackends(catalogue, call);
  if (!flags.list) return (await import('./run-tests.js')).runTests(catalogue, call, flags);
  const { listScenarios } = await import('./list.js');
  const list = listScenarios(catalogue, call, { json, verbose });
  const screen = openScreen({ json });
  if (json || verbose) screen.print(list);
  else screen.tell(list);
  return EXIT.passed;
}
