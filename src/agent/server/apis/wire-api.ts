import type { ModelReply } from '../model/reply.js';
import type { ApiName, ModelRequest } from '../model/request.js';

/** An error response in terms that all APIs share. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
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
  readonly closingChunks: number;
  readonly renderCount: (tokens: number) => object;
  readonly renderError: (refusal: Refusal) => object;
}
