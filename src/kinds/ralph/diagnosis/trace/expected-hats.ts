import { parse } from 'yaml';
import * as z from 'zod';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { RALPH_TOPICS } from '../../../../domain/evidence/ralph-words.js';
import { matchesTopic } from '../../../../domain/evidence/topics.js';

/** The hats of a run as far as routing goes: their triggers by their ids. */
export interface RoutingTable {
  readonly triggers: ReadonlyMap<string, readonly string[]>;
  readonly startingEvent: string | null;
}

const routedSchema = z.object({
  hats: z.record(z.string(), z.object({ triggers: z.array(z.string()) })).default({}),
  event_loop: z.object({ starting_event: z.string().nullish() }).nullish(),
  events: z.object({ starting_event: z.string().nullish() }).nullish(),
});

/**
 * Reads which events activate which hats: from the hat collection of `-H`, or else from ralph.yml. Null if that is not
 * known: a built-in collection, a file that was not kept, or a hat whose triggers come from another file.
 */
export function readRouting(evidence: Evidence): RoutingTable | null {
  const own = parseRouting(evidence.configYaml);
  const at = evidence.command.findIndex((word) => word === '-H' || word === '--hats');
  const overlay = at === -1 ? own : parseRouting(readFile(evidence, evidence.command[at + 1] ?? ''));
  if (own === null || overlay === null) return null;
  const starts = [overlay, own].map(
    ({ event_loop, events }) => event_loop?.starting_event ?? events?.starting_event,
  );
  return {
    triggers: new Map(
      Object.entries(overlay.hats)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([id, { triggers }]) => [id, triggers]),
    ),
    startingEvent: starts.find((event) => event !== undefined && event !== null) ?? null,
  };
}

function readFile({ files }: Evidence, path: string): string | null {
  const file = files.find((one) => one.path === path);
  if (file === undefined) return null;
  if (file.content !== undefined) return file.content.kind === 'whole' ? file.content.text : null;
  return file.preview;
}

function parseRouting(yaml: string | null): z.infer<typeof routedSchema> | null {
  if (yaml === null) return null;
  try {
    const read = routedSchema.safeParse(parse(yaml) ?? {});
    return read.success ? read.data : null;
  } catch {
    // Some scenarios hand over a file that is no YAML on purpose: nobody knows its hats.
    return null;
  }
}

/** The hats with a trigger that matches the topic, in the order of their ids. */
export function hatsFor(topic: string, { triggers }: RoutingTable): string[] {
  return [...triggers]
    .filter(([, wanted]) => wanted.some((trigger) => matchesTopic(trigger, topic)))
    .map(([id]) => id);
}

/**
 * The hats that pending events activate: of each event the first match by id. Events that begin or resume the work count
 * only if no other event activates a hat. This is what Ralph 2.10 does in `determine_active_hat_ids`.
 */
export function expectHats(topics: readonly string[], routing: RoutingTable): string[] {
  const chosen = topics.flatMap((topic) => {
    const [hat] = hatsFor(topic, routing);
    return hat === undefined ? [] : [{ hat, begins: beginsWork(topic, routing) }];
  });
  const onward = chosen.filter(({ begins }) => !begins);
  const hats = [...new Set((onward.length > 0 ? onward : chosen).map(({ hat }) => hat))];
  return hats.length === 0 ? ['ralph'] : hats;
}

function beginsWork(topic: string, { startingEvent }: RoutingTable): boolean {
  return topic === RALPH_TOPICS.resume || topic.endsWith('.start') || topic === startingEvent;
}
