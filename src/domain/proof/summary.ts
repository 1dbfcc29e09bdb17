import * as z from 'zod';
import { backendIdSchema, laneSchema } from '../vocabulary.js';
import type { Proof } from './proof.js';

/** The part of a proof of the same catalog that journals keep and reports show: whether a pass of the scenarios can be trusted. */
export const proofSummarySchema = z.object({
  timestamp: z.string(),
  target: z.object({ kind: z.enum(['real', 'stand-in']), version: z.string() }),
  lane: laneSchema,
  passed: z.boolean(),
  checks: z.number(),
  proved: z.number(),
  saboteurs: z.number(),
  guards: z.number(),
  survivors: z.array(z.string()),
  scenarios: z.array(
    z.object({ scenario_id: z.string(), backend: backendIdSchema, checks: z.number(), proved: z.number() }),
  ),
});
export type ProofSummary = z.infer<typeof proofSummarySchema>;

/** Reduces a proof to the numbers that reports show. */
export function summariseProof(proof: Proof): ProofSummary {
  const { timestamp, target, lane, passed, totals, guards, survivors, scenarios } = proof;
  return {
    timestamp,
    target,
    lane,
    passed,
    checks: totals.checks,
    proved: totals.proved,
    saboteurs: totals.saboteurs,
    guards: guards.length,
    survivors: survivors.map(({ scenario, saboteur }) => `${scenario}: ${saboteur}`),
    scenarios: scenarios.map(({ id, backend, checks }) => ({
      scenario_id: id,
      backend,
      checks: checks.length,
      proved: checks.filter(({ state }) => state === 'proved').length,
    })),
  };
}
