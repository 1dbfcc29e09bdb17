import type { AgentScript } from '../agent-script.js';
import type { CommonCheck, Expectation } from '../check.js';
import { KnownError } from '../common/known-error.js';
import type { HeldPromise } from '../contract.js';
import {
  type BackendId,
  LANES,
  type Lane,
  type Phase,
  PRIMARY_BACKENDS,
  type Priority,
  type Tier,
} from '../vocabulary.js';
import type { Arrangement, ScenarioContext } from './arrangement.js';
import type { ConversationArrangement } from './conversation-arrangement.js';
import { type KnownIssue, type KnownIssueDefinition, recordKnownIssue } from './known-issue.js';
import type { PressureFactor, QualityCriterion } from './pressure.js';
import type { BuiltInSaboteur, Cheat, Saboteur } from './saboteur.js';
import { PLAIN_NAME, requireKnownFields } from './schema.js';
import type { VariantName } from './variants.js';

/** What an author writes. Optional fields have defaults, and `kills` and `breaks` name checks that `expect` returns. */
export interface DefinitionOf<Plan, Key extends string = string> {
  /** A unique name of lowercase words, digits and single hyphens. It becomes a folder name. */
  readonly id: string;
  /** One sentence about the behavior that the scenario tests. */
  readonly description: string;
  /** Returns the workspace and the prompt. */
  readonly arrange: (context: ScenarioContext) => Plan;
  /** Returns the checks on the evidence, under names of your choice. */
  readonly expect: (context: ScenarioContext) => Expectation<Key>;
  /** What a good agent does in the offline lanes: rules that are tried in order, such as `onObjective(/…/).says('…')`. */
  readonly agent: readonly { readonly rule: AgentScript['rules'][number] }[];
  /** What the target promises its users, by the names of the checks that hold it to that. Diagnoses quote it. */
  readonly promises?: Readonly<Record<string, readonly HeldPromise[]>>;
  /** The scenario's only backend, if the id names it (`claude-connect`). */
  readonly backend?: BackendId;
  /** The backends to run on; the primary ones by default, and Claude Code for a conversation. */
  readonly backends?: readonly BackendId[];
  /** The lanes to run in; all by default. */
  readonly lanes?: readonly Lane[];
  /** The lanes that cannot play the scenario, with the reason. The scenario is skipped there. */
  readonly unplayable?: Readonly<Partial<Record<Lane, string>>>;
  /** What the stand-in for Ralph cannot do, such as `waves`. The scenario then needs a real `ralph`. */
  readonly beyondStandIn?: string;
  /** The programs that the project in the workspace needs. If one is not on PATH, the scenario is skipped. */
  readonly programs?: readonly string[];
  /**
   * Returns the other backends that take part: certain ones, or any other (`second`). If one of them is not ready, the
   * scenario is skipped.
   */
  readonly companions?: (run: Pick<ScenarioContext, 'backend' | 'lane' | 'second'>) => readonly BackendId[];
  /** Marks the first contact with a backend. If it fails in the live lane, the backend's other scenarios are skipped. */
  readonly gate?: boolean;
  /** The time limit for the target, in seconds; 300 by default. */
  readonly timeoutSeconds?: number;
  /** About how many seconds pass while everything waits, if it is 2 or more. Offline, the test then starts early. */
  readonly waitsSeconds?: number;
  /** The number of iterations that a good run takes. Reports compare the actual number with it. */
  readonly expectedIterations?: number;
  /** A promise that certain known versions of the target break. */
  readonly knownIssue?: KnownIssueDefinition<NoInfer<Key | CommonCheck>>;
  /** What makes the scenario hard on purpose. */
  readonly pressure?: readonly PressureFactor[];
  /** The criteria for how well the scenario passed. */
  readonly quality?: readonly QualityCriterion[];
  /** The ways to break the scenario, by name. `prove` tries each and expects the checks in `kills` to fail. */
  readonly saboteurs?: Readonly<Record<string, Saboteur<Plan, NoInfer<Key | CommonCheck>>>>;
  /** The built-in saboteurs and cheats that make no sense here, with the reason. */
  readonly notApplicable?: Readonly<Partial<Record<BuiltInSaboteur | Cheat, string>>>;
  /** Honest variants that the scenario rightly refuses, with the reason. */
  readonly exempt?: Readonly<Partial<Record<VariantName, string>>>;
  /** The tier, from 1 to 9; for a loop, 2 by default. The catalogue's own scenarios have the tier of their list. */
  readonly tier?: Tier;
  /** Whether a release must pass it, or should; by default a conversation must and a loop should. */
  readonly priority?: Priority;
  /** `green` by default; `pressure` for a hard situation, `red` for one in which something goes wrong. */
  readonly phase?: Phase;
  /** The requirements that the scenario covers (FR1 … FR19). */
  readonly covers?: readonly string[];
}

/** A scenario of one kind: what its author wrote, with defaults. `Plan` is what `arrange` returns. */
export interface ScenarioOf<Kind extends string, Plan>
  extends Required<
    Omit<
      DefinitionOf<Plan>,
      'agent' | 'backend' | 'beyondStandIn' | 'expectedIterations' | 'knownIssue' | 'saboteurs'
    >
  > {
  /** What the scenario tests: a loop of Ralph, or a conversation. */
  readonly kind: Kind;
  /** Whether the author chose the tier. Reports do not mention the tier and the phase of a test without one. */
  readonly placed: boolean;
  /** True if the id names its backend (`claude-connect`), so that the workspace needs no suffix. */
  readonly tiedToBackend: boolean;
  readonly agent: AgentScript;
  readonly beyondStandIn: string | null;
  readonly expectedIterations: number | null;
  readonly knownIssue: KnownIssue | null;
  readonly saboteurs: Readonly<Record<string, Saboteur<Plan>>>;
}

/** A scenario that tests a Ralph loop. */
export type RalphScenario = ScenarioOf<'ralph', Arrangement>;
/** A scenario that tests a conversation with an agent CLI, turn by turn and without Ralph. */
export type ConversationScenario = ScenarioOf<'conversation', ConversationArrangement>;
/** A scenario of any kind. */
export type Scenario = RalphScenario | ConversationScenario;

/** What an author of a Ralph scenario writes. */
export type ScenarioDefinition<Key extends string = string> = DefinitionOf<Arrangement, Key>;

/** What an author of a conversation writes. Its own tests of a plugin have no tier and no phase. */
export type ConversationDefinition<Key extends string = string> = DefinitionOf<ConversationArrangement, Key>;

/** Defines a scenario that tests a Ralph loop. Throws if the id is not a plain name or a field is unknown. */
export function scenario<Key extends string>(definition: ScenarioDefinition<Key>): RalphScenario {
  const defaults = { tier: 2, placed: true, priority: 'should', everywhere: PRIMARY_BACKENDS } as const;
  return define('ralph', definition, defaults);
}

/** Defines a scenario that tests a conversation with an agent CLI; Claude Code by default. */
export function conversation<Key extends string>(
  definition: ConversationDefinition<Key>,
): ConversationScenario {
  const placed = definition.tier !== undefined || definition.phase !== undefined;
  return define('conversation', definition, { tier: 9, placed, priority: 'must', everywhere: ['claude'] });
}

const DEFAULT_TIMEOUT_SECONDS = 300;

/** What differs between the kinds if the author does not say. */
interface Defaults extends Pick<ScenarioOf<string, unknown>, 'tier' | 'placed' | 'priority'> {
  readonly everywhere: readonly BackendId[];
}

function define<Kind extends string, Plan, Key extends string>(
  kind: Kind,
  definition: DefinitionOf<Plan, Key>,
  defaults: Defaults,
): ScenarioOf<Kind, Plan> {
  requireKnownFields(definition);
  const { id, agent, backend, backends = backend ? [backend] : defaults.everywhere } = definition;
  if (!PLAIN_NAME.test(id)) {
    throw new KnownError(`A scenario id must be a plain name such as "hat-single", found "${id}".`, {
      hint: 'Use lowercase letters, digits and single hyphens: the id becomes a folder name.',
    });
  }
  // Frozen, because the code of one scenario could change another one.
  return Object.freeze<ScenarioOf<Kind, Plan>>({
    kind,
    id,
    tier: definition.tier ?? defaults.tier,
    placed: defaults.placed,
    priority: definition.priority ?? defaults.priority,
    phase: definition.phase ?? 'green',
    description: definition.description,
    covers: definition.covers ?? [],
    backends,
    lanes: definition.lanes ?? LANES,
    unplayable: definition.unplayable ?? {},
    beyondStandIn: definition.beyondStandIn ?? null,
    programs: definition.programs ?? [],
    companions: definition.companions ?? (() => []),
    tiedToBackend: backend !== undefined,
    gate: definition.gate ?? false,
    timeoutSeconds: definition.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    waitsSeconds: definition.waitsSeconds ?? 0,
    expectedIterations: definition.expectedIterations ?? null,
    arrange: definition.arrange,
    expect: definition.expect,
    promises: definition.promises ?? {},
    agent: {
      format: 1,
      rules: agent.map(({ rule }) => rule),
    },
    knownIssue: definition.knownIssue ? recordKnownIssue(definition.knownIssue, `scenario "${id}"`) : null,
    pressure: definition.pressure ?? [],
    quality: definition.quality ?? [],
    saboteurs: definition.saboteurs ?? {},
    notApplicable: definition.notApplicable ?? {},
    exempt: definition.exempt ?? {},
  });
}
