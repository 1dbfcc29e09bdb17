import { isDeepStrictEqual } from 'node:util';
import { listBroken, type TriedScenario, type TriedVariant } from '../../domain/proof/judge.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { BUNDLES, VARIANTS, type VariantName } from '../../domain/scenario/variants.js';
import { HONEST_AGENTS } from './honest-agents.js';

/** A variant of a scenario while it is being proved. */
export type VariantDraft = { -readonly [Field in keyof TriedVariant]: TriedVariant[Field] } & {
  readonly name: VariantName;
};

/** Lists all variants, with the reason for each that is not played. */
export function planVariants(scenario: Scenario, context: ScenarioContext): VariantDraft[] {
  return variantNames().map((name) => ({
    name,
    skip: whyNotPlayed(scenario, name, context),
    run: null,
    processes: 0,
    together: [],
  }));
}

function variantNames(): VariantName[] {
  return Object.keys(VARIANTS).filter((name): name is VariantName => name in HONEST_AGENTS);
}

function whyNotPlayed(scenario: Scenario, name: VariantName, context: ScenarioContext): TriedVariant['skip'] {
  const reason = scenario.exempt[name];
  if (reason !== undefined) return { verdict: 'exempt', reason };
  const same = isDeepStrictEqual(scenario.agent, HONEST_AGENTS[name](scenario.agent, scenario, context));
  return same ? { verdict: 'idle', reason: 'the agent would do the same' } : null;
}

/** Groups the variants that are played together. */
export function bundle(variants: readonly VariantDraft[]): VariantDraft[][] {
  return BUNDLES.map((names: readonly VariantName[]) =>
    variants.filter(({ name, skip }) => skip === null && names.includes(name)),
  ).filter((group) => group.length > 0);
}

/** A scenario whose agent has the manners of all these variants. */
export function playAs(
  names: readonly VariantName[],
  scenario: Scenario,
  context: ScenarioContext,
): Scenario {
  const agent = names.reduce(
    (script, name) => HONEST_AGENTS[name](script, scenario, context),
    scenario.agent,
  );
  return { ...scenario, knownIssue: null, agent };
}

type Play = (names: readonly VariantName[]) => Promise<TriedVariant['run']>;

/** Plays a bundle in one run. If that turns something red, plays each variant alone to name the one that does it. */
export async function tryBundle(
  group: readonly VariantDraft[],
  tried: Pick<TriedScenario, 'checks' | 'oracle'>,
  play: Play,
): Promise<void> {
  const whole = await play(group.map(({ name }) => name));
  const [first, ...others] = group;
  for (const variant of group) variant.run = whole;
  if (first !== undefined) first.processes = whole?.processes ?? 0;
  if (whole === null || !isRed(whole) || group.length === 1) return;
  for (const variant of group) {
    variant.run = await play([variant.name]);
    variant.processes += variant.run?.processes ?? 0;
  }
  if (first === undefined || group.some(({ run }) => run === null || isRed(run))) return;
  first.run = whole;
  first.together = others.map(({ name }) => name);

  function isRed(run: NonNullable<TriedVariant['run']>): boolean {
    return run.error !== null || listBroken(tried, run.green).length > 0;
  }
}
