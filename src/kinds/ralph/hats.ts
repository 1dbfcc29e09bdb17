import { type LoopSettings, loop, type RalphConfig, withoutUndefined } from './config.js';

/** A hat as a scenario writes it; its id is the key. */
export interface HatSettings {
  readonly triggers: readonly string[];
  readonly publishes: readonly string[];
  /** Never empty: ralph tells a starting hat without instructions to publish the starting event at once. */
  readonly instructions: string;
  /** What prompts call it; the id with a capital letter unless given. */
  readonly name?: string;
  readonly description?: string;
  /** A backend of its own: a name, or one of ralph's longer forms. */
  readonly backend?: string | RalphConfig;
  readonly defaultPublishes?: string;
  readonly maxActivations?: number;
  readonly disallowedTools?: readonly string[];
  readonly scratchpad?: string;
}

/** A collection of hats on its way to becoming a ralph.yml. */
export interface Hats {
  /** The loop begins with the hat that waits for this event. */
  readonly startingWith: (event: string) => RalphConfig;
  /** The loop begins with Ralph, who reads the prompt and delegates. */
  readonly coordinated: () => RalphConfig;
}

/** Hats in a loop: `hats({ builder: {…} }).startingWith('build.task')`. */
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
    backend: hat.backend,
    default_publishes: hat.defaultPublishes,
    max_activations: hat.maxActivations,
    disallowed_tools: hat.disallowedTools,
    scratchpad: hat.scratchpad,
  });
}
