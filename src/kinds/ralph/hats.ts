import { type LoopSettings, loop, type RalphConfig, withoutUndefined } from './config.js';

/** The settings of one hat. Its id is the key in the collection. */
export interface HatSettings {
  /** The events that activate the hat. */
  readonly triggers: readonly string[];
  /** The events that the hat may publish. */
  readonly publishes: readonly string[];
  /**
   * The instructions. Never leave them empty: Ralph tells a starting hat without instructions to publish the starting
   * event at once.
   */
  readonly instructions: string;
  /** Texts that Ralph appends to the instructions (`extra_instructions`). */
  readonly extraInstructions?: readonly string[];
  /** The name in prompts; by default the id with a capital letter. */
  readonly name?: string;
  /** What the hat does, described for the other hats. If left out, a default is used. */
  readonly description?: string;
  /** The hat's own backend: its name, or one of Ralph's longer forms. */
  readonly backend?: string | RalphConfig;
  /** More arguments for the backend's CLI (`backend_args`). */
  readonly backendArgs?: readonly string[];
  /** The event that Ralph publishes if the hat publishes none (`default_publishes`). */
  readonly defaultPublishes?: string;
  /** How many times the hat may be activated (`max_activations`). */
  readonly maxActivations?: number;
  /** The tools that the hat may not use (`disallowed_tools`). */
  readonly disallowedTools?: readonly string[];
  /** The path of the hat's own scratchpad, or Ralph's longer form. */
  readonly scratchpad?: string | RalphConfig;
}

/** A collection of hats that becomes a ralph.yml. */
export interface Hats {
  /** Starts the loop with the hat that this event triggers. */
  readonly startingWith: (event: string) => RalphConfig;
  /** Starts the loop with Ralph, who reads the prompt and delegates. */
  readonly coordinated: () => RalphConfig;
}

/** Builds a ralph.yml for a loop with hats: `hats({ builder: {…} }).startingWith('build.task')`. */
export function hats(
  collection: Readonly<Record<string, HatSettings>>,
  settings: LoopSettings = { maxIterations: 5 },
): Hats {
  const plain = loop(settings);
  const config: RalphConfig = {
    ...plain,
    hats: Object.fromEntries(Object.entries(collection).map(([id, hat]) => [id, describeHat(id, hat)])),
  };
  return {
    coordinated: () => config,
    startingWith: (event) => ({
      ...config,
      event_loop: { ...Object(plain.event_loop), starting_event: event },
    }),
  };
}

function describeHat(id: string, hat: HatSettings): RalphConfig {
  const name = hat.name ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  return withoutUndefined({
    name,
    description: hat.description ?? `Does the work of the ${name.toLowerCase()}`,
    triggers: hat.triggers,
    publishes: hat.publishes,
    instructions: hat.instructions,
    extra_instructions: hat.extraInstructions,
    backend: hat.backend,
    backend_args: hat.backendArgs,
    default_publishes: hat.defaultPublishes,
    max_activations: hat.maxActivations,
    disallowed_tools: hat.disallowedTools,
    scratchpad: hat.scratchpad,
  });
}
