import * as z from 'zod';
import { targetSchema } from '../attempt.js';
import { FORMATS } from '../common/formats.js';
import { faultSchema } from '../fault.js';
import { failureTypeSchema } from '../report/analysis.js';
import { backendIdSchema, laneSchema } from '../vocabulary.js';

/** The result of `prove` for programs, written to prove.json: snake_case, durations in seconds. */

/** The files of the latest proof, beside the reports. */
export const PROOF_FILES = { json: 'prove.json', markdown: 'prove.md' } as const;

/** What a saboteur breaks. */
export const SABOTEUR_SORTS = ['agent', 'config', 'target'] as const;
const saboteurSortSchema = z.enum(SABOTEUR_SORTS);
export type SaboteurSort = z.infer<typeof saboteurSortSchema>;

/**
 * The state of a check. `proved`: a saboteur of the scenario, or a change of the evidence, made it fail while another
 * check still passed.
 * `known-issue`: the target already breaks it, so nothing can be shown. `open`: the saboteur that could show it did not run.
 */
const checkStateSchema = z.enum(['proved', 'unkilled', 'guard', 'known-issue', 'open']);

const proofCheckSchema = z.object({
  kind: z.string(),
  /** Unique within the scenario. Sample values replace the random ones of a run. */
  name: z.string(),
  state: checkStateSchema,
  /** Why it is a guard, open or a known issue. */
  reason: z.string().nullable(),
  /** The scenario's own saboteurs that made it fail while another check still passed. */
  killed_by: z.array(z.string()),
  /** If there are none: the changes of the good run's evidence that make it fail alone, while a real run made it fail, too. */
  shown_by: z.array(z.string()),
});
export type ProofCheck = z.infer<typeof proofCheckSchema>;

/**
 * The verdict on a saboteur. `missed`: noticed, but not by all the checks in `kills`. `ineffective`: it broke nothing or
 * could not run. `masked`: a known issue already breaks all the checks in `kills`. `excused`: a cheat that passes, because
 * the harness itself runs the command that the agent avoids.
 */
const saboteurVerdictSchema = z.enum([
  'noticed',
  'survived',
  'missed',
  'ineffective',
  'masked',
  'excused',
  'not-applicable',
  'left-out',
  'not-tried',
]);

const proofSaboteurSchema = z.object({
  name: z.string(),
  origin: z.enum(['built-in', 'cheat', 'own']),
  breaks: saboteurSortSchema,
  verdict: saboteurVerdictSchema,
  reason: z.string().nullable(),
  /** The checks that must fail, by their names in the scenario. */
  kills: z.array(z.string()),
  /** The entries of `kills` that still passed or match no check. */
  missed: z.array(z.string()),
  /** The names of the checks that it made fail, including common ones. */
  killed: z.array(z.string()),
  /** The places of these checks. The common checks follow those of the scenario. */
  killed_places: z.array(z.int()),
  /** The failure type that a diagnosis should find. */
  failure: failureTypeSchema.nullable(),
  /** The failure type that our diagnosis found. */
  diagnosed: failureTypeSchema.nullable(),
  /** Whose fault the failure is, as our code assigns it; null if nothing failed. */
  fault: faultSchema.pick({ whose: true, because: true }).nullable(),
  seconds: z.number(),
  processes: z.number(),
  /** The output and evidence of the run, kept if something is wrong with it. */
  artifacts: z.string().nullable(),
});
export type ProofSaboteur = z.infer<typeof proofSaboteurSchema>;

/**
 * What became of an honest agent that differs. `refused`: it turned checks red; `exempt`: the scenario says why it must;
 * `idle`: it would do the same as the scenario's own agent.
 */
const variantVerdictSchema = z.enum(['tolerated', 'refused', 'exempt', 'idle', 'not-tried']);

const proofVariantSchema = z.object({
  name: z.string(),
  verdict: variantVerdictSchema,
  reason: z.string().nullable(),
  /** Names of the checks that it turned red. */
  broken: z.array(z.string()),
  /** Processes that were started for it. The first variant of a bundle has those of the bundle. */
  processes: z.number(),
  artifacts: z.string().nullable(),
});
export type ProofVariant = z.infer<typeof proofVariantSchema>;

const oracleSchema = z.object({
  outcome: z.enum(['passed', 'known-issue', 'failed', 'error', 'skipped', 'not-tried']),
  reason: z.string().nullable(),
  /** The checks that fail without a saboteur. */
  broken: z.array(z.string()),
  seconds: z.number(),
  processes: z.number(),
  artifacts: z.string().nullable(),
});
export type ProofOracle = z.infer<typeof oracleSchema>;

const scenarioProofSchema = z.object({
  id: z.string(),
  backend: backendIdSchema,
  covers: z.array(z.string()),
  oracle: oracleSchema,
  checks: z.array(proofCheckSchema),
  saboteurs: z.array(proofSaboteurSchema),
  variants: z.array(proofVariantSchema),
});
export type ScenarioProof = z.infer<typeof scenarioProofSchema>;

const place = { scenario: z.string(), backend: backendIdSchema };
const checkReasonSchema = z.object({ ...place, check: z.string(), reason: z.string() });
const saboteurReasonSchema = z.object({ ...place, saboteur: z.string(), reason: z.string() });

const variantReasonSchema = z.object({ ...place, variant: z.string(), reason: z.string() });

export const proofSchema = z.object({
  format: z.literal(FORMATS.proof.format),
  timestamp: z.string(),
  harness_version: z.string(),
  /** A fingerprint of the whole catalog. Another catalog needs another proof. */
  catalogue: z.string(),
  /** Whether every scenario of the catalog was selected. */
  complete: z.boolean(),
  target: targetSchema.pick({ kind: true, version: true, because: true }),
  lane: laneSchema,
  interrupted: z.boolean(),
  passed: z.boolean(),
  scenarios: z.array(scenarioProofSchema),
  /** The checks of every scenario, proved once for all. `killed_by` names scenario and saboteur. */
  every_scenario: z.array(proofCheckSchema),
  failed_oracles: z.array(z.object({ ...place, reason: z.string() })),
  survivors: z.array(z.object({ ...place, saboteur: z.string() })),
  missed_kills: z.array(z.object({ ...place, saboteur: z.string(), missed: z.array(z.string()) })),
  unkilled_checks: z.array(
    z.object({ scenario: z.string(), backend: backendIdSchema.nullable(), check: z.string() }),
  ),
  ineffective: z.array(saboteurReasonSchema),
  guards: z.array(checkReasonSchema),
  known_issue_checks: z.array(checkReasonSchema),
  open_checks: z.array(checkReasonSchema),
  not_applicable: z.array(saboteurReasonSchema),
  left_out: z.array(saboteurReasonSchema),
  excused_cheats: z.array(saboteurReasonSchema),
  refused_variants: z.array(variantReasonSchema),
  exempt_variants: z.array(variantReasonSchema),
  /** What checks want from the agent although no text that it is sent asks for it. */
  unasked: z.array(z.object({ ...place, demand: z.string() })),
  /** Saboteurs of the target or the configuration whose failure our code calls the agent's. */
  blamed_on_agent: z.array(saboteurReasonSchema),
  totals: z.object({
    scenarios: z.number(),
    /** The scenarios' own checks. Those of every scenario are not counted here. */
    checks: z.number(),
    proved: z.number(),
    /** The proved checks that only changed evidence made fail alone. */
    proved_by_change: z.number(),
    /** The saboteurs that ran. */
    saboteurs: z.number(),
    noticed: z.number(),
    /** The noticed saboteurs whose failure type our diagnosis found, of the `diagnosable` ones. */
    diagnosed: z.number(),
    diagnosable: z.number(),
    /** The noticed saboteurs of the agent whose failure our code calls the agent's, of all noticed ones of the agent. */
    blamed: z.number(),
    blamable: z.number(),
    guard_share: z.number(),
    /** Pairs of a scenario and a variant that were tried, and how many of them stayed green. */
    variants: z.number(),
    tolerated: z.number(),
    /** The share of exempt pairs among all that could be tried. */
    exempt_share: z.number(),
    processes_started: z.number(),
    seconds: z.number(),
  }),
});
export type Proof = z.infer<typeof proofSchema>;
