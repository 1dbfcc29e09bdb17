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
import { BUILT_IN_AGENTS } from './built-in-agents.js';
import { type PlannedCheat, planCheats } from './cheats.js';
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
  { sorts }: PlanOptions,
): PlannedTrial {
  const reason = scenario.notApplicable[name];
  const spoilt = { ...scenario, knownIssue: null, agent: BUILT_IN_AGENTS[name](scenario.agent) };
  return {
    name,
    origin: 'built-in',
    breaks: 'agent',
    kills: [],
    failure: null,
    folder: `built-in-${name}`,
    scenario: spoilt,
    builtIn: name,
    fault: null,
    excuse: null,
    skip:
      reason !== undefined
        ? { verdict: 'not-applicable', reason }
        : sorts.includes('agent')
          ? changesAgent(scenario, spoilt)
            ? null
            : { verdict: 'ineffective', reason: UNCHANGED_SCRIPT }
          : NOT_WANTED,
  };
}

/** A Ralph that does nothing must turn every scenario red, as an agent that does nothing must. */
function planSilentRalph(scenario: Scenario, { sorts }: PlanOptions): PlannedTrial {
  const reason = scenario.notApplicable['silent-ralph'];
  return {
    name: 'silent-ralph',
    origin: 'built-in',
    breaks: 'target',
    kills: [],
    failure: null,
    folder: 'built-in-silent-ralph',
    scenario: { ...scenario, knownIssue: null },
    builtIn: 'silent-ralph',
    fault: null,
    excuse: null,
    skip:
      reason !== undefined
        ? { verdict: 'not-applicable', reason }
        : sorts.includes('target')
          ? null
          : NOT_WANTED,
  };
}

function planCheat(
  scenario: Scenario,
  { name, agent, excuse }: PlannedCheat,
  { sorts }: PlanOptions,
): PlannedTrial {
  const reason = scenario.notApplicable[name];
  const skip = sorts.includes('agent') ? null : NOT_WANTED;
  return {
    name,
    origin: 'cheat',
    breaks: 'agent',
    kills: [],
    failure: null,
    folder: `cheat-${name}`,
    scenario: { ...scenario, knownIssue: null, agent },
    builtIn: null,
    fault: null,
    excuse,
    skip: reason === undefined ? skip : { verdict: 'not-applicable', reason },
  };
}

/** The program that cheats use instead of the Ralph under test. */
const STAND_IN_RALPH = join(packageRoot(), 'dist', 'standin', 'bin', 'ralph');

const UNCHANGED_SCRIPT =
  'it does not change the agent script (if it makes no sense here, add it to notApplicable)';
const NOT_WANTED = { verdict: 'left-out', reason: '--saboteurs leaves out its kind' } as const;

function planOwn(
  scenario: Scenario,
  { name, breaks, kills, failure, fault, spoilt: broken, index }: Sabotaged & { readonly index: number },
  context: ScenarioContext,
  options: PlanOptions,
): PlannedTrial {
  const spoilt: Scenario = { ...broken, knownIssue: null };
  return {
    name,
    origin: 'own',
    breaks,
    kills,
    failure,
    folder: `own-${index + 1}-${plainName(name)}`,
    scenario: spoilt,
    builtIn: null,
    fault,
    excuse: null,
    skip: options.sorts.includes(breaks)
      ? whyUseless(scenario, spoilt, breaks, context, options)
      : NOT_WANTED,
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
      return changesAgent(scenario, spoilt) ? null : { verdict: 'ineffective', reason: UNCHANGED_SCRIPT };
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
