import { isKickoff } from '../../domain/evidence/ralph-words.js';
import { matchesTopic } from '../../domain/evidence/topics.js';
import type { HatConfig, RalphConfig } from '../config/config.js';
import { faulty } from '../faults.js';

/** An event inside the loop. Only the loop's own recovery events have a target. */
export interface BusEvent {
  readonly topic: string;
  readonly payload: string;
  readonly source?: string;
  readonly target?: string;
}

/** The executor of every iteration; it also receives events without a subscriber. */
export const COORDINATOR = 'ralph';

/** Routes events to hats. */
export class EventBus {
  readonly #hats: readonly HatConfig[];
  readonly #ids: readonly string[];
  readonly #pending = new Map<string, BusEvent[]>();
  #human: BusEvent[] = [];
  #observe: (event: BusEvent) => void = () => {};

  constructor(hats: readonly HatConfig[]) {
    this.#hats = hats;
    this.#ids = [...hats.map(({ id }) => id), COORDINATOR].sort();
  }

  /** Calls an observer for every later event. */
  observe(observer: (event: BusEvent) => void): void {
    this.#observe = observer;
  }

  publish(event: BusEvent): void {
    this.#observe(event);
    if (event.topic.startsWith('human.')) this.#human.push(event);
    else for (const id of this.#route(event)) this.#queue(id).push(event);
  }

  hasPending(): boolean {
    return this.#human.length > 0 || [...this.#pending.values()].some((queue) => queue.length > 0);
  }

  hasHumanPending(): boolean {
    return this.#human.length > 0;
  }

  /** Returns all pending events, in alphabetical order of hat ids. */
  peek(): readonly BusEvent[] {
    return this.#ids.flatMap((id) => this.#pending.get(id) ?? []);
  }

  /** Removes and returns all pending events per hat, in alphabetical order of hat ids. */
  take(): readonly { readonly hat: string; readonly events: readonly BusEvent[] }[] {
    const taken = this.#ids.flatMap((hat) => {
      const events = this.#pending.get(hat) ?? [];
      return events.length === 0 ? [] : [{ hat, events }];
    });
    this.#pending.clear();
    return taken;
  }

  takeHuman(): readonly BusEvent[] {
    const taken = this.#human;
    this.#human = [];
    return taken;
  }

  #route(event: BusEvent): readonly string[] {
    if (event.target !== undefined) return this.#ids.includes(event.target) ? [event.target] : [];
    const specific = this.#hats.filter((hat) => subscribesSpecifically(hat, event.topic));
    if (specific.length > 0) return specific.map(({ id }) => id);
    if (this.#hats.length > 0 && !beginsWork(event.topic) && faulty('drop-orphans')) return [];
    // A single `*` is a fallback, on the same level as the coordinator.
    return [...this.#hats.filter((hat) => hat.triggers.includes('*')).map(({ id }) => id), COORDINATOR];
  }

  #queue(id: string): BusEvent[] {
    const queue = this.#pending.get(id) ?? [];
    this.#pending.set(id, queue);
    return queue;
  }
}

/** Whether a pattern matches a topic. */
export function matchTopic(pattern: string, topic: string): boolean {
  return (
    pattern === '*' || pattern === topic || (matchesTopic(pattern, topic) && !faulty('literal-triggers'))
  );
}

/** Finds the first hat, by id, that a topic activates. */
export function findSubscriber(hats: readonly HatConfig[], topic: string): HatConfig | undefined {
  return hats.find((hat) => hat.triggers.some((trigger) => matchTopic(trigger, topic)));
}

/** Finds the hats that pending events activate; events that only start or resume work count only if they are alone. */
export function findActiveHats(
  hats: readonly HatConfig[],
  events: readonly BusEvent[],
  startingEvent: string | undefined,
): readonly HatConfig[] {
  const entry = new Set<HatConfig>();
  const progressed = new Set<HatConfig>();
  for (const event of events) {
    const hat =
      hats.find(({ id }) => id === event.target) ?? findCatchAll(hats) ?? findSubscriber(hats, event.topic);
    if (hat === undefined) continue;
    const woken = faulty('route-to-wrong-hat') ? findAnother(hats, hat) : hat;
    if (woken === undefined) continue;
    const group = beginsWork(event.topic) || event.topic === startingEvent ? entry : progressed;
    group.add(woken);
  }
  return [...(progressed.size > 0 ? progressed : entry)];
}

/** Returns the hat that would be active if an iteration began now. */
export function previewActiveHat({ hats, eventLoop }: RalphConfig, bus: EventBus): string {
  return findActiveHats(hats, bus.peek(), eventLoop.startingEvent)[0]?.id ?? COORDINATOR;
}

/** Drops kickoff and recovery events from the prompt if another event is pending; they are lost. */
export function hideKickoffs(events: readonly BusEvent[]): readonly BusEvent[] {
  const downstream = events.filter(({ topic }) => !beginsWork(topic));
  return downstream.length > 0 ? downstream : events;
}

function beginsWork(topic: string): boolean {
  return isKickoff(topic) || topic.endsWith('.start');
}

function subscribesSpecifically(hat: HatConfig, topic: string): boolean {
  return hat.triggers.some((trigger) => trigger !== '*' && matchTopic(trigger, topic));
}

/** Only a fault lets the hat that takes everything come first. */
function findCatchAll(hats: readonly HatConfig[]): HatConfig | undefined {
  const catchAll = hats.find(({ triggers }) => triggers.includes('*'));
  return catchAll !== undefined && faulty('catch-all-first') ? catchAll : undefined;
}

function findAnother(hats: readonly HatConfig[], hat: HatConfig): HatConfig | undefined {
  return hats.find((other) => other !== hat);
}
