import { resolve } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { type Proof, SABOTEUR_SORTS, type SaboteurSort } from '../../domain/proof/proof.js';
import { BACKEND_IDS, type Lane } from '../../domain/vocabulary.js';
import { harnessVersion } from '../../exec/files/package-root.js';
import { runProve } from '../../harness/prove.js';
import { printableJson } from '../../report/json.js';
import { createProofReporter } from '../../report/proof/terminal.js';
import { refuseIdleBackends } from '../../run/select/select.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { loadNamed } from '../input/load-scenarios.js';
import { readBackends } from '../input/read-backends.js';
import type { SharedFlags } from '../input/run-flags.js';
import { listenForInterrupt } from '../interrupt.js';
import { openScreen } from '../screen.js';

/** The flags of `prove` as commander passes them. */
export interface ProveFlags
  extends SharedFlags<'quiet' | 'filters' | 'scenarios' | 'lane' | 'ralph' | 'jobs' | 'json'> {
  readonly saboteurs: string;
  readonly variants: boolean;
}

/** Runs `ralph-e2e prove`: breaks every scenario on purpose and shows that its checks notice. */
export async function proveCommand(backends: readonly string[], flags: ProveFlags): Promise<ExitCode> {
  const { json = false } = flags;
  const screen = openScreen({ json });
  const reporter = createProofReporter({
    stream: screen.people,
    color: screen.color,
    quiet: flags.quiet ?? false,
    now: () => performance.now(),
  });
  const interrupt = listenForInterrupt({
    onInterrupt: () => {
      reporter.stop();
      screen.tell('Interrupted: ending the proof… Press Ctrl-C again to quit at once.');
    },
    onClosed: () => process.stderr.write('stdout was closed: ending the proof.\n'),
  });
  try {
    const selection = {
      // Each scenario is proved once, on any backend. A run, to save time, takes only the primary backends by default.
      ...readBackends(backends, { all: BACKEND_IDS }),
      lane: requireOffline(flags.lane ?? 'sim'),
      filters: flags.filters ?? [],
    };
    const catalogue = await loadNamed(flags);
    refuseIdleBackends(catalogue, selection);
    const { proof, paths } = await runProve({
      catalogue,
      foreign: flags.scenarios != null,
      ...selection,
      sorts: readSorts(flags.saboteurs),
      variants: flags.variants,
      ralph: flags.ralph?.at(-1) ?? null,
      jobs: flags.jobs ?? undefined,
      passEnv: [],
      output: resolve(flags.output),
      harnessVersion: harnessVersion(),
      env: process.env,
      signal: interrupt.signal,
      onStart: reporter.start,
      onEvent: (event) =>
        event.type === 'run-finished'
          ? reporter.progress(event.done, event.total, event.what)
          : reporter.scenario(event.proof),
    });
    reporter.finish(proof, paths);
    if (json) screen.print(printableJson(proof));
    return exitCodeOf(proof);
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    reporter.stop();
    interrupt.stop();
  }
}

/** Decides the exit code of a proof. One in which nothing ran is no proof. */
function exitCodeOf({ interrupted, passed, scenarios, totals }: Proof): ExitCode {
  if (interrupted) return EXIT.interrupted;
  const failed = scenarios.some(({ oracle }) => oracle.outcome === 'failed');
  if (totals.saboteurs + totals.variants === 0 && !failed) return EXIT.untested;
  return passed ? EXIT.passed : EXIT.failed;
}

function requireOffline(lane: Lane): Exclude<Lane, 'live'> {
  if (lane !== 'live') return lane;
  throw new KnownError('--lane live: expected sim or scripted.', {
    hint: 'A proof makes hundreds of runs with broken agents. A real model cannot be broken on purpose, and costs money.',
  });
}

function readSorts(value: string): readonly SaboteurSort[] {
  if (value === 'all') return SABOTEUR_SORTS;
  if (value === 'none') return [];
  return value.split(',').map((word) => {
    const sort = SABOTEUR_SORTS.find((name) => name === word.trim());
    if (sort !== undefined) return sort;
    throw new KnownError(
      `--saboteurs ${value}: expected all, none, or a comma-separated list of kinds (${SABOTEUR_SORTS.join(', ')}), found "${word}".`,
    );
  });
}
