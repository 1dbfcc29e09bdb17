import { parse } from 'yaml';
import * as z from 'zod';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { BACKEND_IDS, type BackendId } from '../../domain/vocabulary.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import { type FoundConfig, LIMITS } from './facts.js';

export const CONFIG_FILES = ['ralph.yml', 'ralph.yaml'];

const mapSchema = z.record(z.string(), z.unknown());
const loopSchema = z.object({
  completion_promise: z.string().catch('LOOP_COMPLETE'),
  max_consecutive_failures: z.number().catch(5),
  prompt: z.string().nullable().catch(null),
  prompt_file: z.string().nullable().catch(null),
});

/** Reads ralph.yml. Drops the backend, which the harness chooses, and what looks like a credential. */
export async function readFoundConfig(reader: WorkspaceReader): Promise<FoundConfig> {
  const found = await findConfig(reader);
  const { cli, ...kept } = mapSchema.parse(found.config);
  const gaps = found.name === null ? [NO_CONFIG] : [];
  if (cli !== undefined)
    gaps.push(
      `The draft drops \`cli: ${shortJson(cli)}\` of ralph.yml: the harness starts the backend itself.`,
    );
  const hats = leaveOutBackends(kept.hats);
  const scrubbed = scrub(hats.hats === undefined ? kept : { ...kept, hats: hats.hats }, []);
  const hasHooks = mapSchema.safeParse(kept.hooks).data?.enabled === true;
  const { completion_promise, max_consecutive_failures, prompt, prompt_file } = loopSchema.parse({
    ...kept,
    ...mapSchema.safeParse(kept.event_loop).data,
  });
  return {
    config: mapSchema.parse(scrubbed.value),
    backend: BACKEND_IDS.find((id) => id === mapSchema.safeParse(cli).data?.backend) ?? 'claude',
    promise: completion_promise,
    patience: max_consecutive_failures,
    prompt,
    promptFile: prompt_file,
    companions: hats.companions,
    gaps: [
      ...gaps,
      ...hats.gaps,
      ...scrubbed.removed.map(
        (path) => `The draft drops ${path} of ralph.yml, which looks like a credential.`,
      ),
      ...(hasHooks
        ? [
            'ralph.yml has hooks, which run commands. Read them before you run this draft, and add the files that they name.',
          ]
        : []),
    ],
  };
}

const NO_CONFIG = 'The folder has no ralph.yml: Ralph runs with its defaults.';

async function findConfig(
  reader: WorkspaceReader,
): Promise<{ readonly name: string | null; readonly config: unknown }> {
  for (const name of CONFIG_FILES) {
    const text = await reader.read(name, LIMITS.sourceBytes);
    if (text === null) continue;
    if (reader.cut.has(name))
      throw new KnownError(`${name}: expected at most ${LIMITS.sourceBytes} bytes, found more.`, {
        hint: "Shorten it (for example, the hats' instructions) and try again.",
      });
    return { name, config: parseYaml(name, text) };
  }
  return { name: null, config: {} };
}

function parseYaml(name: string, text: string): unknown {
  try {
    const value: unknown = parse(text) ?? {};
    if (mapSchema.safeParse(value).success) return value;
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    throw new KnownError(`${name}: expected YAML, but it cannot be parsed: ${reason}`, { hint: FIX_CONFIG });
  }
  throw new KnownError(`${name}: expected a mapping of settings, found other YAML.`, {
    hint: FIX_CONFIG,
  });
}

const FIX_CONFIG = 'Ralph cannot read it either. Fix it, or remove it to draft without it.';

/** Hats keep a known backend; any other would start a program of the reporter's choice. */
function leaveOutBackends(hats: unknown): {
  readonly hats?: Record<string, unknown>;
  readonly companions: readonly BackendId[];
  readonly gaps: readonly string[];
} {
  const parsed = mapSchema.safeParse(hats);
  if (!parsed.success) return { companions: [], gaps: [] };
  const companions = new Set<BackendId>();
  const gaps: string[] = [];
  const kept = Object.entries(parsed.data).map(([id, hat]) => {
    const settings = mapSchema.safeParse(hat);
    if (!settings.success || settings.data.backend === undefined) return [id, hat] as const;
    const { backend, ...rest } = settings.data;
    const known = BACKEND_IDS.find((name) => name === backend);
    if (known !== undefined) {
      companions.add(known);
      return [id, hat] as const;
    }
    gaps.push(`The draft drops the backend of hat ${id}: ${shortJson(backend)}.`);
    return [id, rest] as const;
  });
  return { hats: Object.fromEntries(kept), companions: [...companions], gaps };
}

const CREDENTIAL_KEY = /token$|secret|password|api[-_]?key|credential/i;

/** Drops values whose keys name a credential: the form of a value does not always show it. */
function scrub(value: unknown, path: readonly string[]): { value: unknown; removed: string[] } {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => scrub(item, [...path, `${index}`]));
    return { value: items.map((item) => item.value), removed: items.flatMap(({ removed }) => removed) };
  }
  const map = mapSchema.safeParse(value);
  if (!map.success) return { value, removed: [] };
  const removed: string[] = [];
  const kept = Object.entries(map.data).flatMap(([key, item]) => {
    const place = [...path, key];
    if (typeof item === 'string' && CREDENTIAL_KEY.test(key)) {
      removed.push(place.join('.'));
      return [];
    }
    const inner = scrub(item, place);
    removed.push(...inner.removed);
    return [[key, inner.value] as const];
  });
  return { value: Object.fromEntries(kept), removed };
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 120 ? text : `${text.slice(0, 120)}…`;
}
