import { parse } from 'yaml';
import * as z from 'zod';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { matchesTopic } from '../../domain/evidence/topics.js';

const hatSchema = z.object({
  name: z.string().default(''),
  instructions: z.string().default(''),
  triggers: z.array(z.string()).default([]),
  publishes: z.array(z.string()).default([]),
  default_publishes: z.string().nullish(),
});
export type ArrangedHat = z.infer<typeof hatSchema> & { readonly id: string };

const configSchema = z.object({
  event_loop: z
    .object({
      max_iterations: z.number().default(100),
      completion_promise: z.string().default('LOOP_COMPLETE'),
      required_events: z.array(z.string()).default([]),
      starting_event: z.string().nullish(),
      persistent: z.boolean().default(false),
    })
    .prefault({}),
  hats: z.record(z.string(), hatSchema).default({}),
  memories: z
    .object({
      enabled: z.boolean().default(true),
      inject: z.string().default('auto'),
      budget: z.number().default(0),
      filter: z.unknown().optional(),
    })
    .prefault({}),
  tasks: z.object({ enabled: z.boolean().default(true) }).prefault({}),
  skills: z.object({ enabled: z.boolean().default(true) }).prefault({}),
});

/** What the scenario arranged, as far as Ralph must act on it. */
export interface Arranged {
  readonly maxIterations: number;
  readonly promise: string;
  readonly requiredEvents: readonly string[];
  /** The event that starts the work of the hats; null if the coordinator starts it. */
  readonly startingEvent: string | null;
  /** The topics that Ralph publishes itself, so that no agent can be blamed for them. */
  readonly ownTopics: readonly string[];
  readonly persistent: boolean;
  readonly hats: readonly ArrangedHat[];
  readonly memories: z.infer<typeof configSchema>['memories'];
  readonly tasks: boolean;
  readonly skills: boolean;
}

/** Reads the configuration that Ralph was given; null if it is not one that we understand. */
export function readArranged({ configYaml, promise }: Evidence): Arranged | null {
  const parsed = configSchema.safeParse(parseYaml(configYaml));
  if (!parsed.success) return null;
  const { event_loop, hats, memories, tasks, skills } = parsed.data;
  return {
    maxIterations: event_loop.max_iterations,
    promise: promise ?? event_loop.completion_promise,
    requiredEvents: event_loop.required_events,
    persistent: event_loop.persistent,
    startingEvent: event_loop.starting_event ?? null,
    ownTopics: [event_loop.starting_event, ...Object.values(hats).map((hat) => hat.default_publishes)].filter(
      (topic) => topic !== null && topic !== undefined,
    ),
    hats: Object.entries(hats).map(([id, hat]) => ({ id, ...hat })),
    memories,
    tasks: tasks.enabled,
    skills: skills.enabled,
  };
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

/** Whether an event triggers a hat. */
export function triggersHat({ triggers }: ArrangedHat, topic: string): boolean {
  return triggers.some((trigger) => matchesTopic(trigger, topic));
}
