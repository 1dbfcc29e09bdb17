import type { AgentScript } from '../agent-script.js';
import type { CommonCheck, Expectation } from '../check.js';
import { KnownError } from '../common/known-error.js';
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
import type { KnownIssue } from './known-issue.js';
import type { PressureFactor, QualityCriterion } from './pressure.js';
import type { BuiltInSaboteur, Saboteur } from './saboteur.js';
import { PLAIN_NAME, requireKnownFields } from './schema.js';

/** A scenario of one kind: what a kind arranges is what its runner understands and its saboteurs break. */
export interface ScenarioOf<Kind extends string, Plan> {
  readonly id: string;
  readonly kind: Kind;
  readonly tier: Tier;
  readonly priority: Priority;
  readonly phase: Phase;
  readonly description: string;
  /** Requirements that this scenario gives evidence for (FR1 … FR19). */
  readonly covers: readonly string[];
  readonly backends: readonly BackendId[];
  readonly lanes: readonly Lane[];
  /** Lanes in which it is skipped because something there cannot be played, with the reason. */
  readonly unplayable: Readonly<Partial<Record<Lane, string>>>;
  /** Programs that its project is built and tested with; where one is not on PATH, the scenario is skipped. */
  readonly programs: readonly string[];
  /** Backends that take part besides the one under test; where one of them is not ready, the scenario is skipped. */
  readonly companions: (run: Pick<ScenarioContext, 'backend' | 'lane'>) => readonly BackendId[];
  /** True when the id names its backend (`claude-connect`), so that the workspace needs no suffix. */
  readonly tiedToBackend: boolean;
  /** The first contact with a backend: when it fails in the live lane, the backend's other scenarios are skipped. */
  readonly gate: boolean;
  readonly timeoutSeconds: number;
  /** How many iterations a good run takes; reports compare with it. */
  readonly expectedIterations: number | null;
  readonly arrange: (context: ScenarioContext) => Plan;
  readonly expect: (context: ScenarioContext) => Expectation;
  readonly agent: AgentScript;
  readonly knownIssue: KnownIssue | null;
  readonly pressure: readonly PressureFactor[];
  readonly quality: readonly QualityCriterion[];
  readonly saboteurs: Readonly<Record<string, Saboteur<Plan>>>;
  /** Built-in saboteurs that make no sense here, with the reason. */
  readonly notApplicable: Readonly<Partial<Record<BuiltInSaboteur, string>>>;
}

/** A loop of ralph. */
export type RalphScenario = ScenarioOf<'ralph', Arrangement>;
/** Turn after turn with an agent CLI, without ralph. */
export type ConversationScenario = ScenarioOf<'conversation', ConversationArrangement>;
export type Scenario = RalphScenario | ConversationScenario;

/** What an author writes; the rest has defaults. `kills` and `breaks` name checks that `expect` returns. */
export interface DefinitionOf<Plan, Key extends string = string>
  extends Pick<
    ScenarioOf<string, Plan>,
    'id' | 'tier' | 'priority' | 'phase' | 'description' | 'covers' | 'arrange'
  > {
  readonly expect: (context: ScenarioContext) => Expectation<Key>;
  readonly agent: readonly { readonly rule: AgentScript['rules'][number] }[];
  readonly backend?: BackendId;
  readonly backends?: readonly BackendId[];
  readonly lanes?: readonly Lane[];
  readonly unplayable?: Readonly<Partial<Record<Lane, string>>>;
  readonly programs?: readonly string[];
  readonly companions?: ScenarioOf<string, Plan>['companions'];
  readonly gate?: boolean;
  readonly timeoutSeconds?: number;
  readonly expectedIterations?: number;
  readonly knownIssue?: KnownIssue<NoInfer<Key | CommonCheck>>;
  readonly pressure?: readonly PressureFactor[];
  readonly quality?: readonly QualityCriterion[];
  readonly saboteurs?: Readonly<Record<string, Saboteur<Plan, NoInfer<Key | CommonCheck>>>>;
  readonly notApplicable?: Readonly<Partial<Record<BuiltInSaboteur, string>>>;
}

export type ScenarioDefinition<Key extends string = string> = DefinitionOf<Arrangement, Key>;

/** Defines a scenario of ralph, refusing what could not work: an id that is no plain name, or no backend to run on. */
export function scenario<Key extends string>(definition: ScenarioDefinition<Key>): RalphScenario {
  return define('ralph', definition, PRIMARY_BACKENDS);
}

/** Defines a conversation. On Claude Code unless it says: the one CLI that holds conversations with plugins. */
export function conversation<Key extends string>(
  definition: DefinitionOf<ConversationArrangement, Key>,
): ConversationScenario {
  return define('conversation', definition, ['claude']);
}

const DEFAULT_TIMEOUT_SECONDS = 300;

function define<Kind extends string, Plan, Key extends string>(
  kind: Kind,
  definition: DefinitionOf<Plan, Key>,
  everywhere: readonly BackendId[],
): ScenarioOf<Kind, Plan> {
  requireKnownFields(definition);
  const { id, agent, backend, backends = backend ? [backend] : everywhere } = definition;
  if (!PLAIN_NAME.test(id)) {
    throw new KnownError(`A scenario id must be a plain name such as "hat-single", found "${id}".`, {
      hint: 'Use lower-case letters, digits and single hyphens: the id becomes a folder name.',
    });
  }
  return {
    kind,
    id,
    tier: definition.tier,
    priority: definition.priority,
    phase: definition.phase,
    description: definition.description,
    covers: definition.covers,
    backends,
    lanes: definition.lanes ?? LANES,
    unplayable: definition.unplayable ?? {},
    programs: definition.programs ?? [],
    companions: definition.companions ?? (() => []),
    tiedToBackend: backend !== undefined,
    gate: definition.gate ?? false,
    timeoutSeconds: definition.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    expectedIterations: definition.expectedIterations ?? null,
    arrange: definition.arrange,
    expect: definition.expect,
    agent: {
      version: 1,
      rules: agent.map(({ rule }) => rule),
    },
    knownIssue: definition.knownIssue ?? null,
    pressure: definition.pressure ?? [],
    quality: definition.quality ?? [],
    saboteurs: definition.saboteurs ?? {},
    notApplicable: definition.notApplicable ?? {},
  };
}
