import { parse } from 'yaml';
import * as z from 'zod';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { matchesTopic } from '../../../domain/evidence/topics.js';

const topics = z.array(z.string()).catch([]);

/** What of ralph.yml the rules look at; whatever has another form counts as not said. */
const configSchema = z.object({
  hats: z
    .record(
      z.string(),
      z.object({ instructions: z.string().catch(''), triggers: topics, publishes: topics }).catch({
        instructions: '',
        triggers: [],
        publishes: [],
      }),
    )
    .catch({}),
  memories: z
    .object({
      enabled: z.boolean().catch(true),
      inject: z.string().catch('auto'),
      budget: z.number().nullable().catch(null),
      filter: z.unknown().optional(),
    })
    .catch({ enabled: true, inject: 'auto', budget: null }),
  skills: z.object({ enabled: z.boolean().catch(true) }).catch({ enabled: true }),
});
export type ConfigClues = z.infer<typeof configSchema>;

const NOTHING_SAID = configSchema.parse({});

/** What the configuration of a run says, as far as it can be read. */
export function readConfig({ configYaml }: Evidence): ConfigClues {
  try {
    const read = configSchema.safeParse(parse(configYaml));
    return read.success ? read.data : NOTHING_SAID;
  } catch {
    // A scenario may hand over a file that is no YAML on purpose: then it says nothing about hats and memories.
    return NOTHING_SAID;
  }
}

/** Hats that had turns and in none of them the instructions that the configuration gives them. */
export function hatsWithoutInstructions(evidence: Evidence): string[] {
  return Object.entries(readConfig(evidence).hats).flatMap(([id, { instructions }]) => {
    const turns = evidence.iterations.filter(({ hat, prompt }) => hat === id && prompt !== null);
    const wanted = squeeze(instructions);
    const told = turns.some(({ prompt }) => squeeze(prompt ?? '').includes(wanted));
    return turns.length === 0 || wanted === '' || told ? [] : [id];
  });
}

/** Whether the first prompt lacks what the target was given to do. */
export function lacksObjective({ iterations, promptText }: Evidence): boolean {
  const sent = iterations[0]?.prompt;
  const given = squeeze(promptText);
  return sent !== null && sent !== undefined && given !== '' && !squeeze(sent).includes(given);
}

/** Iterations in which a hat had its turn that waits for none of the pending events, while another hat does. */
export function misroutedTurns(evidence: Evidence): { number: number; hat: string; topic: string }[] {
  const { hats } = readConfig(evidence);
  const waits = (id: string, topic: string) =>
    hats[id]?.triggers.some((trigger) => matchesTopic(trigger, topic)) ?? false;
  return evidence.iterations.flatMap(({ number, hat, prompt }) => {
    if (hat === null || prompt === null || hats[hat] === undefined) return [];
    const pending = [...prompt.matchAll(/^Event: (\S+) - /gm)].map(([, topic = '']) => topic);
    const topic = pending.find((name) => Object.keys(hats).some((id) => waits(id, name)));
    return topic === undefined || pending.some((name) => waits(hat, name)) ? [] : [{ number, hat, topic }];
  });
}

/** Whether any hat that publishes the topic had a turn; true where nobody says who publishes it. */
export function publisherHadTurn(topic: string, evidence: Evidence): boolean {
  const { hats } = readConfig(evidence);
  const publishers = Object.entries(hats).filter(([, { publishes }]) => publishes.includes(topic));
  return (
    publishers.length === 0 || publishers.some(([id]) => evidence.iterations.some(({ hat }) => hat === id))
  );
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
