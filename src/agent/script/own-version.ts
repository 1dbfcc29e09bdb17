import type * as z from 'zod';
import { adviseUpdate, FORMATS, requireReadable } from '../../domain/common/format-version.js';
import { describePath, type KeyPath } from '../../domain/common/issues.js';
import { isMapping } from '../../domain/common/strict.js';
import { parseDocumentAs, type ScriptDocument } from './document.js';

/** Parses our own format in any minor version. Drops keys that a newer version added, with a note for each. */
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
  // Dropping a key can reveal others.
  const rest = dropUnknownKeys(schema, unknown.reduce(withoutKey, data));
  return { data: rest.data, dropped: [...unknown, ...rest.dropped] };
}

/** Finds the unknown keys if they are the only problem; null if there is another, or if it is ambiguous. */
function findUnknownKeys(issues: readonly z.core.$ZodIssue[], above: KeyPath): KeyPath[] | null {
  const found = issues.map((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...path, key]);
    if (issue.code !== 'invalid_union') return null;
    // A step with two verbs is ambiguous: a mistake, not an addition.
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
