import * as z from 'zod';
import { failureTypeSchema } from '../report/analysis.js';
import { backendIdSchema, laneSchema } from '../vocabulary.js';

/** What `prove` found, as programs read it: snake_case, durations in seconds. Written to prove.json. */

/** The files of the latest proof, beside the reports. */
export const PROOF_FILES = { json: 'prove.json', markdown: 'prove.md' } as const;

/** What a saboteur breaks. */
export const SABOTEUR_SORTS = ['agent', 'config', 'target'] as const;
const saboteurSortSchema = z.enum(SABOTEUR_SORTS);
export type SaboteurSort = z.infer<typeof saboteurSortSchema>;

/**
 * What is known of a check. `proved`: a saboteur of the scenario turned it red while another check stayed green;
 * `known-issue`: the target breaks it already, so nothing can be shown; `open`: what could show it was not tried.
 */
const checkStateSchema = z.enum(['proved', 'unkilled', 'guard', 'known-issue', 'open']);

const proofCheckSchema = z.object({
  kind: z.string(),
  /** Unique within the scenario. Random words stand for the ones of a run. */
  name: z.string(),
  state: checkStateSchema,
  /** Why it is a guard, open or a known issue. */
  reason: z.string().nullable(),
  /** The scenario's own saboteurs that turned it red while another check stayed green. */
  killed_by: z.array(z.string()),
});
export type ProofCheck = z.infer<typeof proofCheckSchema>;

/**
 * What became of a saboteur. `missed`: noticed, but not by all the checks that it names; `ineffective`: it broke nothing
 * or could not be carried out; `masked`: all it names is broken by a known issue already.
 */
const saboteurVerdictSchema = z.enum([
  'noticed',
  'survived',
  'missed',
  'ineffective',
  'masked',
  'not-applicable',
  'left-out',
  'not-tried',
]);

const proofSaboteurSchema = z.object({
  name: z.string(),
  origin: z.enum(['built-in', 'own']),
  breaks: saboteurSortSchema,
  verdict: saboteurVerdictSchema,
  reason: z.string().nullable(),
  /** The checks that it must turn red, by their names in the scenario. */
  kills: z.array(z.string()),
  /** What of `kills` stayed green, or matches no check. */
  missed: z.array(z.string()),
  /** Names of the checks that it turned red, common ones included. */
  killed: z.array(z.string()),
  /** Where these stand among the checks of the scenario, which the common ones follow. */
  killed_places: z.array(z.int()).default([]),
  /** What a good diagnosis calls it, and what ours called it. */
  failure: failureTypeSchema.nullable(),
  diagnosed: failureTypeSchema.nullable(),
  seconds: z.number(),
  processes: z.number(),
  /** Output and evidence of the run, kept where something is wrong with it. */
  artifacts: z.string().nullable(),
});
export type ProofSaboteur = z.infer<typeof proofSaboteurSchema>;

const oracleSchema = z.object({
  outcome: z.enum(['passed', 'known-issue', 'failed', 'error', 'skipped', 'not-tried']),
  reason: z.string().nullable(),
  /** Checks that are red although nothing is sabotaged. */
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
});
export type ScenarioProof = z.infer<typeof scenarioProofSchema>;

const place = { scenario: z.string(), backend: backendIdSchema };
const checkReasonSchema = z.object({ ...place, check: z.string(), reason: z.string() });
const saboteurReasonSchema = z.object({ ...place, saboteur: z.string(), reason: z.string() });

export const proofSchema = z.object({
  schema_version: z.literal(1),
  timestamp: z.string(),
  harness_version: z.string(),
  /** A fingerprint of the whole catalogue; another catalogue needs another proof. */
  catalogue: z.string(),
  /** Whether every scenario of the catalogue was asked for. */
  complete: z.boolean(),
  target: z.object({ kind: z.enum(['real', 'stand-in']), version: z.string() }),
  lane: laneSchema,
  interrupted: z.boolean(),
  passed: z.boolean(),
  scenarios: z.array(scenarioProofSchema),
  /** What every scenario is held to: proved once for all. `killed_by` names scenario and saboteur. */
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
  totals: z.object({
    scenarios: z.number(),
    /** Checks of the scenarios' own; those of every scenario are counted once. */
    checks: z.number(),
    proved: z.number(),
    /** Saboteurs that were tried. */
    saboteurs: z.number(),
    noticed: z.number(),
    /** Of the noticed ones of the scenarios' own: how many our diagnosis named as their author does. */
    diagnosed: z.number(),
    diagnosable: z.number(),
    guard_share: z.number(),
    processes_started: z.number(),
    seconds: z.number(),
  }),
});
export type Proof = z.infer<typeof proofSchema>;
