import * as z from 'zod';
import { BACKEND_IDS, type BackendId } from './backends.js';

export { BACKEND_IDS, type BackendId, commandOf, PRIMARY_BACKENDS } from './backends.js';
export const backendIdSchema = z.enum(BACKEND_IDS);

/** The fields by which a record names its test: a scenario on a backend. */
export const testFields = { scenarioId: z.string(), backend: backendIdSchema };

/** How real the backend is: real CLI and real model; real CLI and our model server; or our executable. */
export const LANES = ['live', 'scripted', 'sim'] as const;
export const laneSchema = z.enum(LANES);
/** The name of a lane. */
export type Lane = z.infer<typeof laneSchema>;

/** The traits of a lane. Code asks for a trait, not for the name of the lane. */
export interface LaneTraits {
  /** A real model answers, which costs money and time. */
  readonly costsMoney: boolean;
  /** The CLI runs with the user's own login, settings and plugins. */
  readonly asUser: boolean;
  /** Our executables stand in for the CLIs. */
  readonly standIns: boolean;
  /** A script decides what the agent does. */
  readonly hasScript: boolean;
}

export const LANE_TRAITS: Readonly<Record<Lane, LaneTraits>> = {
  live: { costsMoney: true, asUser: true, standIns: false, hasScript: false },
  scripted: { costsMoney: false, asUser: false, standIns: false, hasScript: true },
  sim: { costsMoney: false, asUser: false, standIns: true, hasScript: true },
};

const TIERS = {
  1: 'Connectivity',
  2: 'Orchestration Loop',
  3: 'Event System',
  4: 'Capabilities',
  5: 'Hat Collections',
  6: 'Memory System',
  7: 'Error Handling',
  8: 'Conversations',
  9: 'Plugins',
} as const;
export type Tier = keyof typeof TIERS;
export const tierSchema = z.literal([1, 2, 3, 4, 5, 6, 7, 8, 9], 'expected a tier from 1 to 9');

/** Returns the title of a tier: `Tier 5: Hat Collections`. */
function tierTitle(tier: Tier): string {
  return `Tier ${tier}: ${TIERS[tier]}`;
}

/** Where a test stands among others. `placed` is false if its author gave it no tier, as plugin tests have none. */
interface TestPlace {
  readonly tier: Tier;
  readonly placed: boolean;
}

/** Orders tests by tier; those without one come last. */
export function comparePlaces(one: TestPlace, other: TestPlace): number {
  return one.tier - other.tier || Number(other.placed) - Number(one.placed);
}

/** Returns the title of the group that a test belongs to: its tier, or the conversations without one. */
export function groupTitle({ tier, placed }: TestPlace): string {
  return placed ? tierTitle(tier) : 'Conversations';
}

/** How much a release needs a scenario. */
export const prioritySchema = z.enum(['must', 'should']);
export type Priority = z.infer<typeof prioritySchema>;

export const phaseSchema = z.enum(['green', 'pressure', 'red']);
export type Phase = z.infer<typeof phaseSchema>;

/**
 * How an attempt ended. A crash of the target is `failed`. `error` means that the harness or the machine failed, not the
 * target. `flaky` means that the attempts differ. `known-issue` means that the target broke a promise in a known way.
 */
export const outcomeSchema = z.enum(['passed', 'failed', 'skipped', 'error', 'flaky', 'known-issue']);
export type Outcome = z.infer<typeof outcomeSchema>;

/** How a test came out: its outcome, and of failures those apart that are not the target's. */
export type Standing = Outcome | 'inconclusive';

export function standingOf(test: { readonly outcome: Outcome; readonly inconclusive: boolean }): Standing {
  return test.inconclusive ? 'inconclusive' : test.outcome;
}

/** Whether somebody has to look at a test: it failed, whoever caused that, or could not be carried out. */
export function isFailure({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === 'failed' || outcome === 'error';
}

/** Returns the name of a test: its id, and its backend unless the id names it. */
export function testLabel(scenarioId: string, backend: string): string {
  return scenarioId.split('-').includes(backend) ? scenarioId : `${scenarioId} [${backend}]`;
}

/** Returns the id and the backend in a name like `hat-single [kiro]`; null if it has another form. */
export function splitLabel(name: string): { readonly id: string; readonly backend: string } | null {
  const [, id, backend] = /^([\w-]+) ?\[([\w-]*)\]$/.exec(name) ?? [];
  return id === undefined || backend === undefined ? null : { id, backend };
}

/** Returns the other names of a test: as reports print it, and as its folder is named. */
export function testNames(scenarioId: string, backend: BackendId): readonly [string, string] {
  return [`${scenarioId} [${backend}]`, `${scenarioId}-${backend}`];
}

/** Whether a test has this name: its id, or one with its backend. */
export function isNamed(name: string, scenarioId: string, backend: BackendId): boolean {
  const label = splitLabel(name);
  const isLabel = label?.id === scenarioId && label.backend === backend;
  return isLabel || [scenarioId, ...testNames(scenarioId, backend)].includes(name);
}

/** Returns the key of an execution, for lists and lookups. */
export function executionKey(scenarioId: string, backend: string): string {
  return `${scenarioId} on ${backend}`;
}

/** Returns the key of the test that a record is about. */
export function keyOfTest({ scenarioId, backend }: { scenarioId: string; backend: string }): string {
  return executionKey(scenarioId, backend);
}
