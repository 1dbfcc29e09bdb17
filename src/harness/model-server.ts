import type { ScriptSource } from '../agent/script/load.js';
import type { RequestRecord } from '../domain/evidence/request-record.js';
import { type Closable, closable } from '../kinds/conversation/factories/closable.js';
import { serveScriptSource } from '../lane/script-server.js';

/** A scripted model on loopback that any agent CLI or SDK can use. */
export interface ScriptedModel extends Closable {
  /** `http://127.0.0.1:<port>`. OpenAI's clients need `/v1` after it. */
  readonly url: string;
  /** Notes from loading the script, for example about keys that have no effect. */
  readonly notes: readonly string[];
  /** All requests so far, in order of arrival. Credentials are not in them. */
  readonly requests: readonly RequestRecord[];
  /** The rules and turns that were never used, as `response[0].turn[1]`. */
  unused(): string[];
  /** Prompts that nothing answered, each with the reasons. */
  unanswered(): string[];
}

export interface ModelServerSettings {
  /** 0, the default, picks any free port. */
  readonly port?: number;
  /** The agent's working directory, if known; it overrides what the CLI reports. */
  readonly cwd?: string;
  /** A file for the requests with their bodies, one JSON object per line. */
  readonly recordTo?: string;
  /** Values that must not be recorded; key-shaped strings never are. */
  readonly secrets?: readonly string[];
  /** Called for every request as it is recorded, before it is answered. */
  readonly onRequest?: (request: RequestRecord) => void;
}

/** Starts a model server that plays a script, as `ralph-e2e serve` does. */
export async function createModelServer(
  source: ScriptSource,
  settings: ModelServerSettings = {},
): Promise<ScriptedModel> {
  const { server, notes, review } = await serveScriptSource(source, settings);
  const model = {
    url: server.url,
    notes,
    requests: server.requests,
    unused: () => review().unused.map(({ where }) => where),
    unanswered: () => [...review().unanswered],
  };
  return closable(model, server.close);
}
