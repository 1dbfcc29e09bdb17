import { parse } from 'yaml';
import * as z from 'zod';
import type { Evidence } from './evidence.js';
import { RALPH_TOPICS } from './ralph-words.js';
import { matchesTopic } from './topics.js';

/** What a run arranged, as far as Ralph must act on it: ralph.yml and a hat collection, read once for each attempt. */
export interface RunView {
  readonly maxIterations: number;
  /** The word that ends the loop. */
  readonly promise: string;
  readonly requiredEvents: readonly string[];
  /** The event that starts the work of the hats; null if the coordinator starts it. */
  readonly startingEvent: string | null;
  readonly persistent: boolean;
  /** In the order of their ids, as Ralph looks for a trigger. */
  readonly hats: readonly HatView[];
  /** False for a built-in collection, a file that was not kept, or a hat whose triggers come from another file. */
  readonly knowsRouting: boolean;
  /** The topics that Ralph publishes itself, so that no agent can be blamed for them. */
  readonly ownTopics: readonly string[];
  readonly memories: z.infer<typeof configSchema>['memories'];
  readonly tasks: boolean;
  readonly skills: boolean;
}

export interface HatView {
  readonly id: string;
  readonly name: string;
  readonly instructions: string;
  readonly triggers: readonly string[];
  readonly publishes: readonly string[];
}

/** The word that ends a loop, unless somebody sets another. */
export const DEFAULT_PROMISE = 'LOOP_COMPLETE';

const hatSchema = z.object({
  name: z.string().default(''),
  instructions: z.string().default(''),
  triggers: z.array(z.string()).optional(),
  publishes: z.array(z.string()).default([]),
  default_publishes: z.string().nullish(),
});

const configSchema = z.object({
  event_loop: z
    .object({
      max_iterations: z.number().default(100),
      completion_promise: z.string().default(DEFAULT_PROMISE),
      required_events: z.array(z.string()).default([]),
      starting_event: z.string().nullish(),
      persistent: z.boolean().default(false),
    })
    .prefault({}),
  events: z.object({ starting_event: z.string().nullish() }).nullish(),
  hats: z.record(z.string(), hatSchema).default({}),
  memories: z
    .object({
      enabled: z.boolean().default(true),
      inject: z.string().default('auto'),
      budget: z.number().default(0),
      filter: z.unknown().optional(),
    })
    .prefault({})
    // What an agent or a person left empty hides nothing else.
    .catch({ enabled: true, inject: 'auto', budget: 0 }),
  tasks: z
    .object({ enabled: z.boolean().default(true) })
    .prefault({})
    .catch({ enabled: true }),
  skills: z
    .object({ enabled: z.boolean().default(true) })
    .prefault({})
    .catch({ enabled: true }),
});
type Config = z.infer<typeof configSchema>;

const views = new WeakMap<Evidence, RunView | null>();

/** Returns what the run arranged; null if its configuration is not one that we understand. */
export function viewRun(evidence: Evidence): RunView | null {
  const known = views.get(evidence);
  if (known !== undefined) return known;
  const view = readView(evidence);
  views.set(evidence, view);
  return view;
}

function readView(evidence: Evidence): RunView | null {
  const own = parseConfig(evidence.configYaml);
  if (own === null) return null;
  const at = evidence.command.findIndex((word) => word === '-H' || word === '--hats');
  const overlay = at === -1 ? own : parseConfig(readFile(evidence, evidence.command[at + 1] ?? ''));
  const { event_loop, memories, tasks, skills } = own;
  const hats = Object.entries((overlay ?? own).hats).sort(([a], [b]) => (a < b ? -1 : 1));
  const startingEvent = startOf(overlay) ?? startOf(own);
  return {
    maxIterations: event_loop.max_iterations,
    promise: evidence.promise ?? event_loop.completion_promise,
    requiredEvents: event_loop.required_events,
    startingEvent,
    persistent: event_loop.persistent,
    hats: hats.map(([id, { name, instructions, triggers = [], publishes }]) => {
      return { id, name, instructions, triggers, publishes };
    }),
    knowsRouting: overlay !== null && hats.every(([, { triggers }]) => triggers !== undefined),
    ownTopics: [startingEvent, ...hats.map(([, hat]) => hat.default_publishes)].filter(
      (topic) => topic !== null && topic !== undefined,
    ),
    memories,
    tasks: tasks.enabled,
    skills: skills.enabled,
  };
}

function startOf(config: Config | null): string | null {
  return config?.event_loop.starting_event ?? config?.events?.starting_event ?? null;
}

function readFile({ files }: Evidence, path: string): string | null {
  const file = files.find((one) => one.path === path);
  if (file?.content === undefined) return file?.preview ?? null;
  return file.content.kind === 'whole' ? file.content.text : null;
}

function parseConfig(yaml: string | null): Config | null {
  if (yaml === null) return null;
  try {
    return configSchema.safeParse(parse(yaml) ?? {}).data ?? null;
  } catch {
    // Some scenarios hand over a file that is no YAML on purpose.
    return null;
  }
}

/** Returns the word that ends the loop, also of a run whose configuration we do not understand. */
export function promiseOf(evidence: Evidence): string {
  return evidence.promise ?? viewRun(evidence)?.promise ?? DEFAULT_PROMISE;
}

/** Whether an event triggers a hat. */
export function triggersHat({ triggers }: HatView, topic: string): boolean {
  return triggers.some((trigger) => matchesTopic(trigger, topic));
}

/** The ids of the hats with a trigger that matches the topic. */
export function hatsFor(topic: string, { hats }: RunView): string[] {
  return hats.filter((hat) => triggersHat(hat, topic)).map(({ id }) => id);
}

/**
 * The hats that pending events activate: of each event the first match by id. Events that begin or resume the work count
 * only if no other event activates a hat. This is what Ralph 2.10 does in `determine_active_hat_ids`.
 */
export function expectHats(topics: readonly string[], view: RunView): string[] {
  const chosen = topics.flatMap((topic) => {
    const [hat] = hatsFor(topic, view);
    return hat === undefined ? [] : [{ hat, begins: beginsWork(topic, view) }];
  });
  const onward = chosen.filter(({ begins }) => !begins);
  const hats = [...new Set((onward.length > 0 ? onward : chosen).map(({ hat }) => hat))];
  return hats.length === 0 ? ['ralph'] : hats;
}

function beginsWork(topic: string, { startingEvent }: RunView): boolean {
  return topic === RALPH_TOPICS.resume || topic.endsWith('.start') || topic === startingEvent;
}
