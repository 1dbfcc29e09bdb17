import { basename, join } from 'node:path';
import * as z from 'zod';
import { asMapping } from '../../../agent/stand-in/json.js';
import { readJsonFile } from './files.js';

/** One or several of something, as a list; undefined if there is none. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (value === undefined || Array.isArray(value) ? value : [value]),
    z.array(item).optional(),
  );
}

const path = z.string().refine((text) => text.startsWith('./') && !text.split('/').includes('..'), {
  error: 'expected a path that begins with "./" and stays in the plugin',
});
const object = z.record(z.string(), z.unknown());
const text = z.string().optional();
/** A command in the manifest: a file, or its text. */
const declaredCommand = z
  .object({
    ...{ source: path.optional(), content: text, description: text, argumentHint: text, model: text },
    allowedTools: z.array(z.string()).optional(),
  })
  .refine(({ source, content }) => !source !== !content, { error: 'expected either "source" or "content"' });

/** The parts that a manifest, or the entry of a marketplace, names besides the usual folders. */
const partsSchema = z.object({
  commands: z.union([listOf(path), z.record(z.string(), declaredCommand)]),
  agents: listOf(path.endsWith('.md')),
  skills: listOf(path),
  hooks: listOf(z.union([path.endsWith('.json'), object])),
  mcpServers: listOf(z.union([path.regex(/\.(?:json|mcpb|dxt)$/), object])),
});
export type DeclaredParts = z.infer<typeof partsSchema>;

const manifestSchema = partsSchema.extend({
  name: z.string().regex(/^[^@:/\\\s\p{C}]+$/u, 'expected a name without spaces, "@", ":" and slashes'),
  version: z
    .string()
    .optional()
    .transform((version) => version ?? null),
  description: z.string().default(''),
  // Nothing is read of these, but Claude Code loads no plugin in which one of them is wrong.
  author: z.object({ name: z.string().min(1), email: text, url: text }).optional(),
  homepage: z.url().optional(),
  ...{ repository: text, license: text, $schema: text, displayName: text },
  defaultEnabled: z.boolean().optional(),
  keywords: z.array(z.string()).optional(),
});

/** The manifest of a plugin. */
export type PluginManifest = DeclaredParts & {
  readonly name: string;
  readonly version: string | null;
  readonly description: string;
  /** Every key of the file. */
  readonly keys: readonly string[];
  /** False if the folder has none, and its name is that of the plugin. */
  readonly isWritten: boolean;
};

/** What an entry of a marketplace declares itself, beside the plugin's own parts. */
export interface EntryParts {
  readonly name: string;
  /** Whether the folder of the plugin is that of the marketplace. */
  readonly isWholeMarketplace?: boolean;
  /** False if the entry, and not the manifest, says what the plugin has. */
  readonly strict?: boolean | undefined;
  readonly commands?: unknown;
  readonly agents?: unknown;
  readonly skills?: unknown;
  readonly hooks?: unknown;
  readonly mcpServers?: unknown;
}

/** Why a plugin or a part of it is not read. */
export interface PluginFault {
  readonly type: string;
  readonly message: string;
}

/** Reads the manifest. A folder without one is also a plugin, with the name of the folder. */
export function readManifest(folder: string): PluginManifest | PluginFault {
  const file = join(folder, '.claude-plugin', 'plugin.json');
  const json = readJsonFile(file);
  const name = basename(folder);
  if (json === null) return { name, version: null, description: '', keys: [], isWritten: false };
  const refuse = (mistake: string) => ({
    type: 'generic-error',
    message: `Plugin ${name} has an invalid manifest file at ${file}: ${mistake}`,
  });
  if ('mistake' in json) return refuse(json.mistake);
  const read = parseBy(manifestSchema, json.value);
  if ('mistake' in read) return refuse(read.mistake);
  return { ...read.value, keys: Object.keys(asMapping(json.value)), isWritten: true };
}

/** Reads the parts that an entry of a marketplace declares. */
export function readEntryParts(entry: EntryParts | null): DeclaredParts | PluginFault {
  const read = parseBy(partsSchema, entry ?? {});
  return 'mistake' in read
    ? { type: 'generic-error', message: `the entry of the marketplace cannot be read: ${read.mistake}` }
    : read.value;
}

/** Parses a value. Returns the mistakes as one sentence if it cannot be read. */
export function parseBy<Value>(
  schema: z.ZodType<Value>,
  value: unknown,
): { readonly value: Value } | { readonly mistake: string } {
  const read = schema.safeParse(value);
  if (read.success) return { value: read.data };
  const mistakes = read.error.issues.map(({ path: [first = '', ...below], message }) => {
    const place = below.length > 1 ? [first, ...below].join('.') : String(first);
    return place === '' ? message : `${place}: ${message}`;
  });
  return { mistake: mistakes.join('; ') };
}
