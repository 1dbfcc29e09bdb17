import * as z from 'zod';
import type { ModelReply, ToolPart } from '../model/reply.js';
import type { ApiName, ModelRequest } from '../model/request.js';

/** An error response in terms that all APIs share. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** What the status alone does not say. */
  readonly reason?: 'out-of-credits' | 'unknown-previous';
}

/** One API: reads its requests and writes its answers. */
export interface WireApi {
  readonly name: ApiName;
  /** Whether this API serves a path with its query; `count` only asks for the number of tokens in a request. */
  readonly serves: (path: string, query: URLSearchParams) => 'answer' | 'count' | null;
  /** Parses a request leniently; throws a ZodError if it is not one. */
  readonly parse: (body: unknown, url: URL) => ModelRequest;
  readonly render: (reply: ModelReply, request: ModelRequest) => object;
  /** Renders the answer as the chunks of a stream. */
  readonly stream: (reply: ModelReply, request: ModelRequest) => Iterable<string>;
  readonly streamType: string;
  /** How many chunks at the end of a stream mark it as complete. */
  readonly closingChunks: (request: ModelRequest) => number;
  /** Renders garbage in a stream so that a client reads it as a part of the answer. */
  readonly garble: (raw: string) => string;
  /** The id of an answer on the wire, by which a later request continues after it. */
  readonly replyId: (reply: ModelReply) => string;
  /** The id of a tool call on the wire. */
  readonly callId: (tool: ToolPart) => string;
  readonly renderCount: (tokens: number) => object;
  readonly renderError: (refusal: Refusal) => object;
}

const schemaSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });

/** Lists the parameter names in a tool's JSON schema. */
export function readParameters(schema: unknown): string[] {
  const parsed = schemaSchema.safeParse(schema);
  return parsed.success ? Object.keys(parsed.data.properties ?? {}) : [];
}
