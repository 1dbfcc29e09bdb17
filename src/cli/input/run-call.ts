import { resolve } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { MOST_REPEATS } from '../../domain/repeats.js';
import { REPORT_CHOICES } from '../../domain/report/formats.js';
import { ALLOW, FAIL_ON, type RunCall } from '../../domain/run-call.js';
import { LANE_TRAITS, type Lane } from '../../domain/vocabulary.js';
import { readBackends } from './read-backends.js';
import { readShard } from './read-shard.js';
import { chooseSuite, type RunFlags, readLaneOf, readShuffle } from './run-choices.js';
import {
  readAnalysis,
  readCount,
  readIsolation,
  readNames,
  readRate,
  readSeconds,
  readUsd,
  readVariableNames,
} from './values.js';

/** Reads which tests the user wants. */
export function readSelection(
  backends: readonly string[],
  flags: RunFlags,
  /** The names of all other commands, to recognize one that was given as a backend. */
  commands: readonly string[],
) {
  const lane = readLaneOf(flags);
  return {
    ...readBackends(backends, { commands }),
    lane,
    suite: chooseSuite(flags, lane),
    filters: flags.filter ?? [],
    tests: flags.test ?? [],
    excludes: flags.exclude ?? [],
  };
}

/** Reads everything else that the user chose. */
export function readRunCall(
  selection: ReturnType<typeof readSelection>,
  flags: RunFlags,
): Omit<RunCall, 'ralph'> {
  const { isolation, container = null } = readIsolation(flags);
  const absent = <Value, Read>(value: Value | undefined, read: (value: Value) => Read): Read | null =>
    value === undefined ? null : read(value);
  return {
    ...selection,
    backends: [...selection.backends],
    named: [...selection.named],
    reports: readNames('--report', REPORT_CHOICES, flags.report),
    failOn: readNames('--fail-on', FAIL_ON, flags.failOn),
    allow: readNames('--allow', ALLOW, flags.allow),
    maxUsd: absent(flags.maxCost, readUsd),
    shuffleSeed: readShuffle(flags) ?? null,
    lastFailed: flags.lastFailed ?? false,
    jobs: absent(flags.jobs, readCount('--jobs', 1)),
    retries: readCount('--retries', 0)(flags.retries),
    repeat: readRepeat(flags),
    shard: flags.shard === undefined ? null : readShard(flags.shard, process.env),
    bail: flags.bail ?? false,
    timeoutSeconds: absent(flags.timeout, readSeconds),
    model: flags.model ?? null,
    passEnv: readVariableNames(flags.env),
    output: resolve(flags.output),
    keepWorkspace: flags.keepWorkspace ?? false,
    keepReports: flags.keepReports ?? false,
    withoutPlugin: readWithoutPlugin(flags),
    isolation,
    container,
    scenarios: flags.scenarios?.map((path) => resolve(path)) ?? null,
    addScenarios: flags.addScenarios?.map((path) => resolve(path)) ?? [],
    knownIssues: absent(flags.knownIssues, (path) => resolve(path)),
    analysis: readAnalyst(flags, selection.lane),
    examination: flags.skipAnalysis !== true && flags.analysis !== 'never',
  };
}

/** Reads whether tests also run without their plugins. The other shards do not have the results to compare. */
function readWithoutPlugin({ withoutPlugin = false, shard }: RunFlags): boolean {
  if (withoutPlugin && shard !== undefined)
    throw new KnownError('--without-plugin and --shard cannot be combined.', {
      hint: 'Compare in a run without --shard.',
    });
  return withoutPlugin;
}

/** Reads how often tests are repeated. One time is no repetition. */
function readRepeat({ repeat, threshold, retries, bail }: RunFlags): RunCall['repeat'] {
  const times = repeat === undefined ? 1 : readCount('--repeat', 1)(repeat);
  if (threshold !== undefined && times === 1)
    throw new KnownError('--threshold needs repeats to find a rate: expected --repeat with at least 2.', {
      hint: 'Add --repeat <n>, or leave out --threshold.',
    });
  if (times === 1) return null;
  if (times > MOST_REPEATS) throw new KnownError(`--repeat ${repeat}: expected at most ${MOST_REPEATS}.`);
  if (readCount('--retries', 0)(retries) > 0)
    throw new KnownError('--repeat and --retries cannot be combined: a retry would hide a failure.');
  if (threshold !== undefined && bail === true)
    throw new KnownError(
      '--threshold and --bail cannot be combined: one failed repeat does not decide about a rate.',
    );
  return { times, threshold: threshold === undefined ? null : readRate('--threshold', threshold) };
}

/** Decides whether Ralph analyzes the results: live by default, offline only if somebody asks. */
function readAnalyst(flags: RunFlags, lane: Lane): RunCall['analysis'] {
  const { skipAnalysis = false, analysis, analyzer } = flags;
  const mode = readAnalysis(analysis ?? (skipAnalysis ? 'never' : 'auto'));
  if (skipAnalysis && mode !== 'never')
    throw new KnownError(`--skip-analysis means --analysis never, but --analysis is ${mode}: choose one.`);
  if (mode === 'never' && analyzer !== undefined)
    throw new KnownError(
      `${skipAnalysis ? '--skip-analysis' : '--analysis never'} and --analyzer cannot be combined: choose one.`,
    );
  if (flags.shard !== undefined) {
    if (mode === 'always' || analyzer !== undefined)
      throw new KnownError(
        '--shard cannot be combined with an analysis by Ralph: a shard has only some results.',
        {
          hint: 'Leave out --analysis and --analyzer.',
        },
      );
    return null;
  }
  const wanted =
    mode === 'always' || (mode === 'auto' && (LANE_TRAITS[lane].costsMoney || analyzer !== undefined));
  return wanted ? { analyzer: analyzer === undefined ? null : resolve(analyzer) } : null;
}
