import type { IncomingMessage } from 'node:http';
import { isTooDeep } from '../../domain/common/json-lines.js';
import { messageOf } from '../../domain/common/message-of.js';

export type Body =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: number }
  | { readonly kind: 'not-json'; readonly reason: string }
  | { readonly kind: 'too-large'; readonly bytes: number };

/** Reads a request's body up to a limit. Reads and drops the rest, so that the caller receives our answer. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes <= maxBytes) chunks.push(buffer);
    else chunks = [];
  }
  if (bytes > maxBytes) return { kind: 'too-large', bytes };
  const text = Buffer.concat(chunks).toString('utf8');
  if (isTooDeep(text)) return { kind: 'not-json', reason: 'it is nested too deep' };
  try {
    return { kind: 'json', value: JSON.parse(text), bytes };
  } catch (error) {
    return { kind: 'not-json', reason: messageOf(error) };
  }
}
