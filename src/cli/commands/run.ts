import type { RunCall } from '../../domain/run-call.js';
import type { Listed } from '../../run/planned.js';
import { refuseIdleBackends } from '../../run/select/select.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { readRunCall } from '../input/run-call.js';
import type { RunFlags } from '../input/run-flags.js';
import { openScreen } from '../screen.js';
import { listPages, listTests } from './list.js';

/** Runs `ralph-e2e [backends…]`: runs scenarios, or lists them. Each loads only what it needs. */
export async function defaultCommand(
  backends: readonly string[],
  flags: RunFlags,
  /** The names of all other commands, to recognize one that was given as a backend. */
  commands: readonly string[],
): Promise<ExitCode> {
  // Refuses options that contradict each other, for a list too.
  const call = readRunCall(backends, flags, commands);
  if (flags.list) return await list(call, flags);
  const catalogue = await loadScenarios(flags);
  refuseIdleBackends(catalogue, call);
  return (await import('./run-tests.js')).runTests(catalogue, call, flags);
}

async function loadScenarios(flags: RunFlags) {
  return (await import('../input/load-scenarios.js')).loadNamed(flags);
}

async function list(call: RunCall, flags: RunFlags): Promise<ExitCode> {
  const { json = false, verbose = false } = flags;
  const screen = openScreen({ json });
  if (verbose && !json) screen.print(await listPages(await loadScenarios(flags), call));
  else {
    const isOurs = call.scenarios === null && call.addScenarios.length === 0 && call.knownIssues === null;
    const catalogue: readonly Listed[] = isOurs
      ? (await import('../input/listed-catalogue.js')).LISTED
      : await loadScenarios(flags);
    const text = await listTests(catalogue, call, { json });
    if (json) screen.print(text);
    else screen.tell(text);
  }
  return EXIT.passed;
}
