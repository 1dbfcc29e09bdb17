import { messageOf } from '../../domain/common/message-of.js';
import { isRecord, sortKeys } from '../record.js';

export type Metadata = Readonly<Record<string, unknown>>;

/** The key under which hooks receive the metadata of earlier hooks. */
const NAMESPACE = 'hook_metadata';

/** Adds what a hook hands on to what earlier hooks did; the newest of a name counts. */
export function addMetadata(known: Metadata, hook: string, metadata: Metadata): Metadata {
  const earlier = known[NAMESPACE];
  const all = { ...(isRecord(earlier) ? earlier : {}), [hook]: metadata };
  return { [NAMESPACE]: sortKeys(all) };
}

/** Reads the metadata that a hook printed, or what is wrong with them, in the real Ralph's words. */
export function parseMetadata(stdout: string): { readonly metadata?: Metadata; readonly problem?: string } {
  let value: unknown;
  try {
    value = JSON.parse(stdout.trim());
  } catch (error) {
    return invalid(`mutation stdout is not valid JSON: ${messageOf(error)}`);
  }
  if (!isRecord(value)) return invalid('mutation payload must be a JSON object');
  const keys = Object.keys(value).sort();
  if (keys.length !== 1 || keys[0] !== 'metadata')
    return invalid(
      `mutation payload supports only '{"metadata": {...}}'; found keys: [${keys.map((key) => JSON.stringify(key)).join(', ')}]`,
    );
  return isRecord(value.metadata)
    ? { metadata: value.metadata }
    : invalid("mutation payload key 'metadata' must contain a JSON object");
}

function invalid(what: string): { readonly problem: string } {
  return { problem: `invalid mutation output: ${what}` };
}
