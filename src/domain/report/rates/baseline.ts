import * as z from 'zod';
import type { AttemptFinished } from '../../attempt.js';
import type { CheckResult } from '../../check.js';
import type { Evidence } from '../../evidence/evidence.js';

/** What a conversation took, with its plugins or without them. */
const figuresSchema = z.object({
  turns: z.number(),
  tool_calls: z.number(),
  /** With tokens from a cache. Null if the CLI reported none. */
  tokens: z.number().nullable(),
  /** Null if the CLI reported none, and offline, where nothing costs anything. */
  cost_usd: z.number().nullable(),
  duration_seconds: z.number(),
});
export type ArmFigures = z.infer<typeof figuresSchema>;

/** A test without its plugins, next to the same test with them. */
export const baselineSchema = z.object({
  /** How it ended without the plugins. It does not count for the verdict. */
  outcome: z.enum(['passed', 'failed', 'error']),
  /** Why it could not be carried out. */
  error: z.string().nullable(),
  /** The names of the checks that also hold without the plugins: they show nothing about them. */
  also_without: z.array(z.string()),
  only_with: z.array(z.string()),
  only_without: z.array(z.string()),
  with_plugin: figuresSchema,
  without_plugin: figuresSchema,
  artifacts: z.string(),
});
export type Baseline = z.infer<typeof baselineSchema>;

/** The record of the arm without plugins. */
export const armSchema = z.object({
  outcome: z.enum(['passed', 'failed', 'error']),
  error: z.string().nullable(),
  checks: z.array(z.object({ key: z.string(), name: z.string(), passed: z.boolean() })),
  figures: figuresSchema,
  artifacts: z.string(),
});
type Arm = z.infer<typeof armSchema>;

/** Checks that the harness adds. They hold for every honest agent, whatever plugins there are. */
const ADDED = new Set(['endedByItself', 'nothingLeftBehind', 'recordsAgree', 'scriptAnswered', 'statesKept']);

/** Records what an attempt without plugins showed. */
export function recordArm(finished: AttemptFinished, { costsMoney }: { readonly costsMoney: boolean }): Arm {
  const { outcome, error, checks, evidence, durationSeconds, artifacts } = finished;
  return {
    outcome: outcome === 'known-issue' ? 'failed' : outcome,
    error,
    checks: ownChecks(checks).map(({ key, name, passed }) => ({ key, name: `${name}`, passed })),
    figures: measure(evidence, { durationSeconds, costsMoney }),
    artifacts,
  };
}

/** Compares the attempt that decided about a test with the arm without plugins. */
export function compareArms(
  decisive: AttemptFinished,
  arm: Arm,
  { costsMoney }: { readonly costsMoney: boolean },
): Baseline {
  const { durationSeconds, evidence } = decisive;
  // A check that was not judged without the plugins shows nothing: the arm may have ended before it.
  const pairs = ownChecks(decisive.checks).flatMap(({ key, name, passed }) => {
    const other = arm.checks.find((check) => check.key === key);
    return other === undefined ? [] : [{ name: `${name}`, passed, without: other.passed }];
  });
  const namesOf = (fits: (pair: (typeof pairs)[number]) => boolean) =>
    pairs.filter(fits).map(({ name }) => name);
  const { outcome, error, figures: without_plugin, artifacts } = arm;
  return {
    ...{ outcome, error },
    also_without: namesOf(({ passed, without }) => passed && without),
    only_with: namesOf(({ passed, without }) => passed && !without),
    only_without: namesOf(({ passed, without }) => !passed && without),
    with_plugin: measure(evidence, { durationSeconds, costsMoney }),
    ...{ without_plugin, artifacts },
  };
}

/** Returns the scenario's own checks. Those of a list have the name of their kind: several may have the same. */
function ownChecks(checks: readonly CheckResult[]) {
  const counts = new Map<string, number>();
  return checks
    .filter(({ kind }) => !ADDED.has(kind))
    .map(({ key, kind, name, passed }) => {
      const base = key ?? kind;
      const count = (counts.get(base) ?? 0) + 1;
      counts.set(base, count);
      return { key: count === 1 ? base : `${base} ${count}`, name, passed };
    });
}

function measure(
  evidence: Evidence | null,
  { durationSeconds, costsMoney }: { readonly durationSeconds: number; readonly costsMoney: boolean },
): ArmFigures {
  const { iterations = [], usage = null } = evidence ?? {};
  return {
    turns: iterations.length,
    tool_calls: iterations.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0),
    tokens: usage && usage.inputTokens + usage.outputTokens + (usage.cacheTokens ?? 0),
    cost_usd: costsMoney && usage ? usage.costUsd : null,
    duration_seconds: durationSeconds,
  };
}
