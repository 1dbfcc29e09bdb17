import { isDeepStrictEqual } from 'node:util';
import { KnownError } from '../../domain/common/known-error.js';
import { listBroken } from '../../domain/proof/judge.js';
import type { TriedScenario, TriedVariant } from '../../domain/proof/tried.js';
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
    together: null,
    flaky: false,
  }));
}

function variantNames(): VariantName[] {
  return Object.keys(VARIANTS).filter((name): name is VariantName => name in HONEST_AGENTS);
}

function whyNotPlayed(scenario: Scenario, name: VariantName, context: ScenarioContext): TriedVariant['skip'] {
  const reason = scenario.exempt[name];
  const idle = isDeepStrictEqual(scenario.agent, HONEST_AGENTS[name](scenario.agent, scenario, context));
  if (reason === undefined) return idle ? { verdict: 'idle', reason: 'the agent would do the same' } : null;
  if (!idle) return { verdict: 'exempt', reason };
  throw new KnownError(
    `${scenario.id}: \`exempt\` names the variant "${name}", which would change nothing here.`,
    {
      hint: 'Remove it from `exempt`.',
    },
  );
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

type Play = (names: readonly VariantName[], replay?: boolean) => Promise<TriedVariant['run']>;

/**
 * Plays a bundle in one run. If that turns something red twice, plays each variant alone to name the one that does it.
 * What no variant turns red alone is put down to the first, together with the others.
 */
export async function tryBundle(
  group: readonly VariantDraft[],
  tried: Pick<TriedScenario, 'checks' | 'oracle'>,
  play: Play,
): Promise<void> {
  const names = group.map(({ name }) => name);
  const [first, ...others] = group;
  if (first === undefined) return;
  const whole = await playTwiceIfRed();
  for (const variant of group) variant.run = whole;
  if (whole === null || !isRed(whole) || group.length === 1) return;
  for (const variant of group) {
    variant.run = await play([variant.name]);
    variant.processes += variant.run?.processes ?? 0;
  }
  if (group.some(({ run }) => run === null)) return;
  const alone = new Set(group.flatMap(({ run }) => brokenIn(run)));
  const broken = brokenIn(whole).filter((name) => !alone.has(name));
  if (broken.length === 0 && group.some(({ run }) => isRed(run))) return;
  const { error, artifacts } = whole;
  first.together = { names: others.map(({ name }) => name), broken, error, artifacts };

  /** A busy machine can turn a run red once. Then the second one counts, and the proof says so. */
  async function playTwiceIfRed(): Promise<TriedVariant['run']> {
    const once = await play(names);
    if (first !== undefined) first.processes = once?.processes ?? 0;
    if (!isRed(once)) return once;
    const twice = await play(names, true);
    if (first !== undefined) first.processes += twice?.processes ?? 0;
    for (const variant of group) variant.flaky = twice !== null && !isRed(twice);
    return twice;
  }

  function isRed(run: TriedVariant['run']): boolean {
    return run !== null && (run.error !== null || brokenIn(run).length > 0);
  }

  function brokenIn(run: TriedVariant['run']): string[] {
    return run === null ? [] : listBroken(tried, run.green);
  }
}
