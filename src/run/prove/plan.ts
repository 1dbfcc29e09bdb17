import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { KnownError } from '../../domain/common/known-error.js';
import type { SaboteurSort } from '../../domain/proof/proof.js';
import type { DeclaredCheck, Trial } from '../../domain/proof/tried.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import { BUILT_IN_SABOTEURS, type BuiltInSaboteur, CHEATS } from '../../domain/scenario/saboteur.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import type { StandInFault } from '../../domain/scenario/stand-in-faults.js';
import { packageRoot } from '../../exec/files/package-root.js';
import { allChecks, commonChecks } from '../attempt/judge.js';
import { BUILT_IN_AGENTS, type PlannedCheat, planCheats } from './dishonest-agents.js';
import { changesAgent, type Sabotaged, sabotageAll } from './sabotage.js';

/** A saboteur that is ready to run. */
export interface PlannedTrial extends Omit<Trial, 'run'> {
  /** A plain name for its folders. */
  readonly folder: string;
  /** The scenario with a broken agent or arrangement, and without its known issue. */
  readonly scenario: Scenario;
  readonly builtIn: BuiltInSaboteur | null;
  readonly fault: StandInFault | null;
}

/** Which saboteurs to run, and whether the target is the stand-in, which can be broken on purpose. */
export interface PlanOptions {
  readonly sorts: readonly SaboteurSort[];
  readonly standIn: boolean;
}

/** Lists the checks of a scenario under names that are the same in every run. */
export function declareChecks(scenario: Scenario, context: ScenarioContext): DeclaredCheck[] {
  const common = commonChecks(scenario, context).length;
  const checks = allChecks(scenario, context);
  const names = numberRepeats(checks.map(({ name }) => `${name}`));
  return checks.map(({ key, kind, guard }, place) => ({
    key,
    kind,
    name: names[place] ?? '',
    guard: guard ?? null,
    common: place >= checks.length - common,
  }));
}

/** Makes equal texts different: appends `(2)` to the second one, and so on. */
function numberRepeats(texts: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return texts.map((text) => {
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    return times === 1 ? text : `${text} (${times})`;
  });
}

/** Plans all saboteurs of a scenario, the built-in ones first. Those that will not run get a reason. */
export function planTrials(
  scenario: Scenario,
  context: ScenarioContext,
  options: PlanOptions,
): PlannedTrial[] {
  const builtIn = Object.keys(BUILT_IN_AGENTS)
    .filter((name): name is keyof typeof BUILT_IN_AGENTS => name in BUILT_IN_AGENTS)
    .map((name) => planBuiltIn(scenario, name, options));
  const silent = scenario.kind === 'ralph' ? [planSilentRalph(scenario, options)] : [];
  const own = sabotageAll(scenario).map((sabotaged, index) =>
    planOwn(scenario, { ...sabotaged, index }, context, options),
  );
  const twin = own.find(({ name }) => name in BUILT_IN_SABOTEURS || name in CHEATS);
  const cheats = planCheats(scenario, context, STAND_IN_RALPH).map((cheat) =>
    planCheat(scenario, cheat, options),
  );
  if (twin === undefined) return [...builtIn, ...silent, ...cheats, ...own];
  throw new KnownError(
    `${scenario.id}: the saboteur "${twin.name}" has the same name as a built-in saboteur.`,
    {
      hint: 'Give it another name.',
    },
  );
}

function planBuiltIn(
  scenario: Scenario,
  name: keyof typeof BUILT_IN_AGENTS,
  options: PlanOptions,
): PlannedTrial {
  const spoilt = { ...scenario, agent: BUILT_IN_AGENTS[name](scenario.agent) };
  const ran = describe(scenario, { name, origin: 'built-in', breaks: 'agent', spoilt }, options);
  const idle = changesAgent(scenario, spoilt) ? null : UNCHANGED;
  return { ...ran, builtIn: name, skip: ran.skip ?? idle };
}

/** A Ralph that does nothing must turn every scenario red, as an agent that does nothing must. */
function planSilentRalph(scenario: Scenario, options: PlanOptions): PlannedTrial {
  const name = 'silent-ralph';
  const ran = describe(scenario, { name, origin: 'built-in', breaks: 'target', spoilt: scenario }, options);
  return { ...ran, builtIn: name };
}

function planCheat(
  scenario: Scenario,
  { name, agent, excuse }: PlannedCheat,
  options: PlanOptions,
): PlannedTrial {
  const spoilt = { ...scenario, agent };
  return { ...describe(scenario, { name, origin: 'cheat', breaks: 'agent', spoilt }, options), excuse };
}

/** Describes a saboteur that the harness brings along. A scenario may say why it makes no sense there. */
function describe(
  { notApplicable }: Scenario,
  trial: Pick<PlannedTrial, 'origin' | 'breaks'> & {
    readonly name: keyof Scenario['notApplicable'];
    readonly spoilt: Scenario;
  },
  { sorts }: PlanOptions,
): PlannedTrial {
  const { name, origin, breaks, spoilt } = trial;
  const reason = notApplicable[name];
  const skip = sorts.includes(breaks) ? null : NOT_WANTED;
  return {
    ...{ name, origin, breaks, kills: [], failure: null, builtIn: null, fault: null, excuse: null },
    folder: `${origin}-${name}`,
    scenario: { ...spoilt, knownIssue: null },
    skip: reason === undefined ? skip : { verdict: 'not-applicable', reason },
  };
}

/** The program that cheats use instead of the Ralph under test. */
const STAND_IN_RALPH = join(packageRoot(), 'dist', 'standin', 'bin', 'ralph');

const UNCHANGED = {
  verdict: 'ineffective',
  reason: 'it does not change the agent script (if it makes no sense here, add it to notApplicable)',
} as const;
const NOT_WANTED = { verdict: 'left-out', reason: '--saboteurs leaves out its kind' } as const;

function planOwn(
  scenario: Scenario,
  { name, breaks, kills, failure, fault, spoilt: broken, index }: Sabotaged & { readonly index: number },
  context: ScenarioContext,
  options: PlanOptions,
): PlannedTrial {
  const spoilt: Scenario = { ...broken, knownIssue: null };
  const isWanted = options.sorts.includes(breaks);
  return {
    ...{ name, origin: 'own', breaks, kills, failure, builtIn: null, fault, excuse: null },
    folder: `own-${index + 1}-${plainName(name)}`,
    scenario: spoilt,
    skip: isWanted ? whyUseless(scenario, spoilt, breaks, context, options) : NOT_WANTED,
  };
}

/** Says why a saboteur need not run: it changes nothing, or it needs a target that can be broken. Null if it can run. */
function whyUseless(
  scenario: Scenario,
  spoilt: Scenario,
  breaks: SaboteurSort,
  context: ScenarioContext,
  { standIn }: PlanOptions,
): PlannedTrial['skip'] {
  switch (breaks) {
    case 'agent':
      return changesAgent(scenario, spoilt) ? null : UNCHANGED;
    case 'config':
      return isDeepStrictEqual(scenario.arrange(context), spoilt.arrange(context))
        ? { verdict: 'ineffective', reason: 'it does not change the arrangement' }
        : null;
    case 'target':
      return standIn ? null : { verdict: 'left-out', reason: 'only the stand-in can be broken on purpose' };
    default:
      return breaks satisfies never;
  }
}

function plainName(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
}
