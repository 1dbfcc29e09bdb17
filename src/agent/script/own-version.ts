import type * as z from 'zod';
import { adviseUpdate, FORMATS, requireReadable } from '../../domain/common/format-version.js';
import { parseDocumentAs, type ScriptDocument } from './document.js';
import { describePath, type KeyPath } from './problems.js';
import { isMapping } from './strict.js';

/** Parses a script of ours in any minor version. Keys that a newer one added are left out, with a note for each. */
export function parseOwnVersion<Form>(
  schema: z.ZodType<Form>,
  document: ScriptDocument,
  file: string,
): { readonly form: Form; readonly notes: readonly string[] } {
  requireReadable(document.data, FORMATS.agentScript, file);
  const advice = adviseUpdate(document.data, FORMATS.agentScript);
  if (advice === null) return { form: parseDocumentAs(schema, document, file), notes: [] };
  const { data, dropped } = dropUnknownKeys(schema, document.data);
  return {
    form: parseDocumentAs(schema, { ...document, data }, file, advice),
    notes: dropped.map((path) => `${describePath(path)} is ignored. ${advice}`),
  };
}

function dropUnknownKeys(schema: z.ZodType, data: unknown): { data: unknown; dropped: KeyPath[] } {
  const { error } = schema.safeParse(data);
  const unknown = (error?.issues ?? []).flatMap((issue) => findUnknownKeys([issue], []) ?? []);
  if (unknown.length === 0) return { data, dropped: [] };
  // Below a key that was in the way there may be others.
  const rest = dropUnknownKeys(schema, unknown.reduce(withoutKey, data));
  return { data: rest.data, dropped: [...unknown, ...rest.dropped] };
}

/** The keys that a schema does not know, where nothing else is wrong; null where something is, or it is not clear what. */
function findUnknownKeys(issues: readonly z.core.$ZodIssue[], above: KeyPath): KeyPath[] | null {
  const found = issues.map((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
    if (issue.code !== 'invalid_union') return null;
    // A step with two verbs would be either of them: that is a mistake, and no addition.
    const [only, another] = issue.errors.flatMap((branch) => {
      const keys = findUnknownKeys(branch, path);
      return keys === null ? [] : [keys];
    });
    return only === undefined || another !== undefined ? null : only;
  });
  return found.some((keys) => keys === null) ? null : found.flatMap((keys) => keys ?? []);
}

function withoutKey(data: unknown, [key, ...below]: KeyPath): unknown {
  if (Array.isArray(data)) return data.map((item, place) => (place === key ? withoutKey(item, below) : item));
  if (!isMapping(data)) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      if (name !== key) return [[name, value]];
      return below.length === 0 ? [] : [[name, withoutKey(value, below)]];
    }),
  );
}
