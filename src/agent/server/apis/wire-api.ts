import type { ModelReply } from '../model/reply.js';
import type { ApiName, ModelRequest } from '../model/request.js';

/** Something to refuse a request with, in the terms that the APIs share. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** One API: how its requests are read and its answers written. */
export interface WireApi {
  readonly name: ApiName;
  /** Whether a path with its query is this API's; `count` asks only how many tokens a request has. */
  readonly serves: (path: string, query: URLSearchParams) => 'answer' | 'count' | null;
  /** Reads a request leniently; throws a ZodError where it cannot be one. */
  readonly parse: (body: unknown, url: URL) => ModelRequest;
  readonly render: (reply: ModelReply, request: ModelRequest) => object;
  /** The answer as the chunks of a stream. */
  readonly stream: (reply: ModelReply, request: ModelRequest) => Iterable<string>;
  readonly streamType: string;
  /** How many chunks at the end of a stream say that it is complete. */
  readonly closingChunks: number;
  readonly renderCount: (tokens: number) => object;
  readonly renderError: (refusal: Refusal) => object;
}
