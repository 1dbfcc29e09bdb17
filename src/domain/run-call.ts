import * as z from 'zod';
import { CONTAINER_SCOPES, isolationSchema } from './evidence/isolation.js';
import { repeatPlanSchema } from './repeats.js';
import { REPORT_CHOICES } from './report/formats.js';
import { SUITES } from './suites.js';
import { backendIdSchema, laneSchema } from './vocabulary.js';

/** What fails a run only if the user asks for it. A fixed issue is a known one that no longer occurs. */
export const FAIL_ON = ['skipped', 'flaky', 'fixed-issue'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** What does not take the verdict away if the user accepts it. */
export const ALLOW = ['inconclusive'] as const;
export type Allow = (typeof ALLOW)[number];

/** Everything that the user chose for a run and that can change its verdict. All paths are absolute. */
export const runCallSchema = z.object({
  lane: laneSchema,
  backends: z.array(backendIdSchema).readonly(),
  named: z.array(backendIdSchema).readonly(),
  suite: z.enum([...SUITES, 'asked']),
  filters: z.array(z.string()).readonly(),
  tests: z.array(z.string()).readonly(),
  excludes: z.array(z.string()).readonly(),
  lastFailed: z.boolean(),
  shuffleSeed: z.number().nullable(),
  /** Modules with scenarios instead of the catalog. */
  scenarios: z.array(z.string()).readonly().nullable(),
  addScenarios: z.array(z.string()).readonly(),
  knownIssues: z.string().nullable(),
  /** As the user named it, or null for the default. The record of the run has the path that was found. */
  ralph: z.string().nullable(),
  jobs: z.number().nullable(),
  retries: z.number(),
  /** How often each test is repeated. Null: once. Journals before format 1.7 have none. */
  repeat: repeatPlanSchema.nullable().default(null),
  /** The part of the tests to run. Null: all. Journals before format 1.8 have none. */
  shard: z.object({ index: z.number(), total: z.number() }).nullable().default(null),
  bail: z.boolean(),
  timeoutSeconds: z.number().nullable(),
  model: z.string().nullable(),
  /** Names of variables, never their values. */
  passEnv: z.array(z.string()).readonly(),
  output: z.string(),
  keepWorkspace: z.boolean(),
  keepReports: z.boolean(),
  /** Journals before format 1.9 have none. */
  withoutPlugin: z.boolean().default(false),
  isolation: isolationSchema,
  container: z.enum(CONTAINER_SCOPES).nullable(),
  maxUsd: z.number().nullable(),
  /** Whether Ralph analyzes the results, and with which ralph.yml (null: the built-in one). */
  analysis: z.object({ analyzer: z.string().nullable() }).nullable(),
  /** Whether a failed test of each cause runs again with Ralph's debug log. */
  examination: z.boolean(),
  reports: z.array(z.enum(REPORT_CHOICES)).readonly(),
  allow: z.array(z.enum(ALLOW)).readonly(),
  failOn: z.array(z.enum(FAIL_ON)).readonly(),
});
export type RunCall = Readonly<z.infer<typeof runCallSchema>>;

/** What a call without options means. Which tests, in which lane and folder, is for the caller to say. */
export const DEFAULT_CALL = {
  named: [],
  suite: 'all',
  filters: [],
  tests: [],
  excludes: [],
  lastFailed: false,
  shuffleSeed: null,
  scenarios: null,
  addScenarios: [],
  knownIssues: null,
  ralph: null,
  jobs: null,
  retries: 0,
  repeat: null,
  shard: null,
  bail: false,
  timeoutSeconds: null,
  model: null,
  passEnv: [],
  keepWorkspace: false,
  keepReports: false,
  withoutPlugin: false,
  isolation: 'host',
  container: null,
  maxUsd: null,
  analysis: null,
  examination: true,
  reports: ['markdown', 'json'],
  allow: [],
  failOn: [],
} as const satisfies Omit<RunCall, 'lane' | 'backends' | 'output'>;

/** A file that the run was started with, and the SHA-256 of its content. */
export const inputFileSchema = z.object({ path: z.string(), sha256: z.string() });
export type InputFile = z.infer<typeof inputFileSchema>;

/** Lists the files that a call names and that decide what runs. */
export function listInputFiles({ scenarios, addScenarios, knownIssues, analysis }: RunCall): string[] {
  const single = [knownIssues, analysis?.analyzer ?? null].filter((path) => path !== null);
  return [...(scenarios ?? []), ...addScenarios, ...single];
}
