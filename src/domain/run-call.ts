import * as z from 'zod';
import { explainValue } from './common/issues.js';
import { KnownError } from './common/known-error.js';
import { CONTAINER_SCOPES, ISOLATIONS, isolationSchema } from './evidence/isolation.js';
import { readAmount, readListOf, readOneOf, readTime, readWhole } from './options/option-values.js';
import { MOST_REPEATS, repeatPlanSchema } from './options/repeat-plan.js';
import { listOptions, OPTION_WORDS } from './options/run-option.js';
import { REPORT_CHOICES } from './report/formats.js';
import { SMOKE_CALLS, SUITES } from './suites.js';
import { backendIdSchema, LANES, laneSchema } from './vocabulary.js';

/** What fails a run only if the user asks for it. A fixed issue is a known one that no longer occurs. */
const FAIL_ON = ['skipped', 'flaky', 'fixed-issue'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** What does not take the verdict away if the user accepts it. */
const ALLOW = ['inconclusive'] as const;
export type Allow = (typeof ALLOW)[number];

const noModules = z.array(z.string()).readonly().nullable().default(null);
const noContainer = z.enum(CONTAINER_SCOPES).nullable().default(null);
const noRepeats = repeatPlanSchema.nullable().default(null);
const noShard = z.object({ index: z.number(), total: z.number() }).nullable().default(null);
const usualReports = z.array(z.enum(REPORT_CHOICES)).readonly().default(['markdown', 'json']);
const allowNothing = z.array(z.enum(ALLOW)).readonly().default([]);
const failOnNothingElse = z.array(z.enum(FAIL_ON)).readonly().default([]);
export const DEFAULT_OUTPUT = '.e2e-tests';

/** What `--shuffle` means without a seed: a text that nobody can type. */
export const RANDOM_ORDER = '\0';

// Fresh ones each time: the words of an option belong to one schema.
const switchedOff = () => z.boolean().default(false);
const noText = () => z.string().nullable().default(null);
const noTexts = () => z.array(z.string()).readonly().default([]);
const noNumber = () => z.number().nullable().default(null);

/**
 * The options of a run, each declared once: the type in the journal and its default, and the words of the command line.
 * What commander reads, the flags that reports repeat, and what the shards of a run must agree on follow from this table.
 * Those that leave no trace in the call are in src/cli/input/run-flags.ts.
 */
const CALL_OPTIONS = {
  lane: laneSchema.register(OPTION_WORDS, {
    flags: '--lane <lane>',
    group: 'Which Ralph and agents:',
    help: 'how real the backend is: live, scripted, sim',
    read: readOneOf(LANES),
    usual: 'live',
    brief: 'live (default), scripted, sim',
    inCommands: true,
  }),
  scenarios: noModules.register(OPTION_WORDS, {
    flags: '--scenarios <file>',
    group: 'Which tests:',
    help: 'run the scenarios in this module instead of the built-in ones (repeatable)',
    repeatable: true,
    inCommands: true,
    ownPerShard: true,
  }),
  addScenarios: noTexts().register(OPTION_WORDS, {
    flags: '--add-scenarios <file>',
    group: 'Which tests:',
    help: 'also run the scenarios in this module, with the built-in ones (repeatable)',
    repeatable: true,
    inCommands: true,
    ownPerShard: true,
  }),
  knownIssues: noText().register(OPTION_WORDS, {
    flags: '--known-issues <file>',
    group: 'Which tests:',
    help: 'known issues of this Ralph, by scenario, in YAML or JSON',
    page: 'reports.md#known-issues-of-your-own',
    inCommands: true,
    ownPerShard: true,
  }),
  /** As the user named it, or null for the default. The record of the run has the path that was found. */
  ralph: noText().register(OPTION_WORDS, {
    flags: '--ralph <path>',
    group: 'Which Ralph and agents:',
    help: 'the Ralph to test: a path, or "embedded" for the stand-in (default: $RALPH_BIN, then ralph on PATH, then in the sim lane the stand-in); named twice, both run and are compared',
    page: 'reports.md#comparing-two-runs',
    repeatable: true,
    brief: 'the Ralph to test: a path, or "embedded"',
    inCommands: true,
    ownPerShard: true,
  }),
  model: noText().register(OPTION_WORDS, {
    flags: '--model <name>',
    group: 'Which Ralph and agents:',
    help: 'the model that the backend should use',
    inCommands: true,
  }),
  /** Names of variables, never their values. */
  passEnv: noTexts().register(OPTION_WORDS, {
    flags: '--env <name>',
    group: 'Which Ralph and agents:',
    help: 'pass this environment variable through (repeatable). Others are dropped, except basics such as PATH and, in the live lane, the credentials of the backends',
    repeatable: true,
    inCommands: true,
  }),
  isolation: isolationSchema.default('host').register(OPTION_WORDS, {
    flags: '--isolation <kind>',
    group: 'How they run:',
    help: 'what isolates the agent: host, bwrap, docker',
    page: 'isolation.md',
    read: readOneOf(ISOLATIONS),
    inCommands: true,
  }),
  container: noContainer.register(OPTION_WORDS, {
    flags: '--container <scope>',
    group: 'How they run:',
    help: 'with --isolation docker: one container per-test (default) or per-suite',
    read: readOneOf(CONTAINER_SCOPES),
    inCommands: true,
  }),
  excludes: noTexts().register(OPTION_WORDS, {
    flags: '--exclude <pattern>',
    group: 'Which tests:',
    help: 'leave out the tests that this pattern matches, in the same forms as --filter (repeatable). It wins over --filter and --test',
    repeatable: true,
    inCommands: true,
  }),
  /** An absolute path, except on the command line. */
  output: z.string().default(DEFAULT_OUTPUT).register(OPTION_WORDS, {
    flags: '--output <dir>',
    group: 'Output and reports:',
    help: 'where workspaces, runs and reports go',
    inCommands: true,
    ownPerShard: true,
  }),
  filters: noTexts().register(OPTION_WORDS, {
    flags: '--filter <pattern>',
    group: 'Which tests:',
    help: 'run the scenarios whose id or tier contains this text; a glob is matched against the id, a /regex/ against id and description (repeatable)',
    repeatable: true,
    brief: 'tests whose id or tier contains this text',
  }),
  tests: noTexts().register(OPTION_WORDS, {
    flags: '--test <id>',
    group: 'Which tests:',
    help: 'run exactly this test: its id, or "id [backend]" (repeatable)',
    repeatable: true,
    brief: 'exactly this test: an id, or "id [backend]"',
  }),
  suite: z.enum([...SUITES, 'asked']).register(OPTION_WORDS, {
    flags: '--suite <suite>',
    group: 'Which tests:',
    help: `which scenarios: smoke (every tier of Ralph, at most ${SMOKE_CALLS} agent calls on a backend), once (every scenario on its first backend, and smoke on the others), ralph (tiers 1-7), plugins (tiers 8-9: conversations and plugins) or all. Default: all offline, ralph live. --filter chooses within it, --test whatever it is. A live run also takes tests of tiers 8-9 that --test or --scenarios names`,
    read: readOneOf(SUITES),
    brief: 'smoke, once, ralph, plugins or all',
  }),
  lastFailed: switchedOff().register(OPTION_WORDS, {
    flags: '--last-failed',
    group: 'Which tests:',
    help: 'run the tests that failed or did not run the last time, in this lane on this Ralph',
    page: 'reports.md#what-failed-last',
    brief: 'the tests that failed or did not run last time',
  }),
  jobs: noNumber().register(OPTION_WORDS, {
    flags: '-j, --jobs <n>',
    group: 'How they run:',
    help: 'how many tests to run at the same time. Default: four for each backend, fewer after a rate limit (live); one for each core (scripted); one more than cores (sim)',
    read: readWhole(1),
    brief: 'how many tests to run at the same time',
    ownPerShard: true,
  }),
  retries: z
    .number()
    .default(0)
    .register(OPTION_WORDS, {
      flags: '--retries <n>',
      group: 'How they run:',
      help: 'run a failed test again up to n times; if it then passes, it is flaky',
      read: readWhole(0),
    }),
  /** How often each test is repeated. Null: once. */
  repeat: noRepeats.register(OPTION_WORDS, {
    flags: '--repeat <n>',
    group: 'How they run:',
    help: 'run every test n times, all once and then all again, without retries, and report how often each passes',
    page: 'reports.md#repeats-how-often-a-test-passes',
    read: (text, flag) => ({ times: readWhole(1, MOST_REPEATS)(text, flag), threshold: null }),
    conflicts: { retries: 'a retry would hide a failure' },
  }),
  bail: switchedOff().register(OPTION_WORDS, {
    flags: '--bail',
    group: 'How they run:',
    help: 'stop at the first failure',
  }),
  maxFailures: noNumber().register(OPTION_WORDS, {
    flags: '--max-failures <n>',
    group: 'How they run:',
    help: 'start no test after n failures; --bail is the same as 1',
    read: readWhole(1),
    conflicts: { bail: 'choose one' },
  }),
  shuffleSeed: noNumber().register(OPTION_WORDS, {
    flags: '--shuffle [seed]',
    group: 'How they run:',
    help: 'run in random order; pass the printed seed to repeat the order',
    preset: RANDOM_ORDER,
    ownPerShard: true,
  }),
  timeoutSeconds: noNumber().register(OPTION_WORDS, {
    flags: '--timeout <time>',
    group: 'How they run:',
    help: 'time limit for each test: 90, 90s, 2m',
    read: readTime,
  }),
  withoutPlugin: switchedOff().register(OPTION_WORDS, {
    flags: '--without-plugin',
    group: 'How they run:',
    help: 'run every test of a plugin once more without the plugin, and report what holds then too; the verdict stays that with the plugin',
    page: 'plugins.md#without-the-plugin',
    conflicts: { shard: 'compare in a run without --shard' },
  }),
  keepWorkspace: switchedOff().register(OPTION_WORDS, {
    flags: '--keep-workspace',
    group: 'Output and reports:',
    help: 'also keep the workspaces of tests that passed, and keep them all during later runs',
    ownPerShard: true,
  }),
  maxUsd: noNumber().register(OPTION_WORDS, {
    flags: '--max-cost <usd>',
    group: 'Money:',
    help: 'start no test once this much is spent, counting the estimate of what runs; what is left is listed as not run',
    page: 'live.md#budgets',
    read: readAmount,
    brief: 'start no test once this much is spent',
  }),
  reports: usualReports.register(OPTION_WORDS, {
    flags: '--report <formats>',
    group: 'Output and reports:',
    help: `reports to write, comma-separated: ${REPORT_CHOICES.join(', ')}; merge-reports makes all of them from blobs`,
    page: 'reports.md',
    read: readListOf(REPORT_CHOICES),
    brief: 'reports to write (default: markdown,json)',
    ownPerShard: true,
  }),
  keepReports: switchedOff().register(OPTION_WORDS, {
    flags: '--keep-reports',
    group: 'Output and reports:',
    help: "do not replace the reports of the previous run: write this run's reports to its own folder only",
    ownPerShard: true,
  }),
  /** The part of the tests to run. Null: all. */
  shard: noShard.register(OPTION_WORDS, {
    flags: '--shard <part>',
    group: 'CI:',
    help: 'run one part of the tests, such as 2/4; auto asks the CI system. merge-reports makes one report of all parts',
    page: 'ci.md#shards-one-run-on-many-machines',
    ownPerShard: true,
  }),
  allow: allowNothing.register(OPTION_WORDS, {
    flags: '--allow <results>',
    group: 'CI:',
    help: 'pass although there are such results: inconclusive (they say nothing about Ralph)',
    page: 'reports.md#whose-fault',
    read: readListOf(ALLOW),
  }),
  failOn: failOnNothingElse.register(OPTION_WORDS, {
    flags: '--fail-on <results>',
    group: 'CI:',
    help: 'fail if there are such results, comma-separated: skipped, flaky, fixed-issue (a known issue that no longer occurs)',
    read: readListOf(FAIL_ON),
  }),
};

/** The options that are part of the call. */
export const LISTED_CALL_OPTIONS = listOptions(CALL_OPTIONS);

/** Everything that the user chose for a run and that can change its verdict. All paths are absolute. */
export const runCallSchema = z.object({
  backends: z.array(backendIdSchema).readonly(),
  named: z.array(backendIdSchema).readonly().default([]),
  ...CALL_OPTIONS,
  /** Whether Ralph analyzes the results, and with which ralph.yml (null: the built-in one). */
  analysis: z.object({ analyzer: z.string().nullable() }).nullable().default(null),
  /** Whether a failed test of each cause runs again with Ralph's debug log. */
  examination: z.boolean().default(true),
});
export type RunCall = Readonly<z.infer<typeof runCallSchema>>;

/** Completes what a program chose by what a call without options means. */
export function completeCall(chosen: z.input<typeof runCallSchema>): RunCall {
  const read = runCallSchema.safeParse(chosen);
  if (read.success) return read.data;
  throw new KnownError(`The options of a run: ${explainValue(read.error.issues, chosen)}`);
}

/** A file that the run was started with, and the SHA-256 of its content. */
export const inputFileSchema = z.object({ path: z.string(), sha256: z.string() });
export type InputFile = z.infer<typeof inputFileSchema>;

/** Lists the files that a call names and that decide what runs. */
export function listInputFiles({ scenarios, addScenarios, knownIssues, analysis }: RunCall): string[] {
  const single = [knownIssues, analysis?.analyzer ?? null].filter((path) => path !== null);
  return [...(scenarios ?? []), ...addScenarios, ...single];
}
