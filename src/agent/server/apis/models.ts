import type { IncomingHttpHeaders } from 'node:http';

/** Whose services a request is meant for, where paths are the same. */
type Dialect = 'anthropic' | 'openai' | 'google';

/** Tells Anthropic's and Google's clients by headers that they always send, and Google's also by the path. */
export function dialectOf(path: string, headers: IncomingHttpHeaders): Dialect {
  if (path.includes('/v1beta/') || headers['x-goog-api-key'] !== undefined) return 'google';
  return headers['anthropic-version'] === undefined ? 'openai' : 'anthropic';
}

const MODELS = /\/v1(?:beta)?\/models(?:\/([^:]+))?$/;
const CREATED = '2025-01-01T00:00:00Z';

/** Renders the list of models, or one model; null if the path asks for neither. Every model exists. */
export function describeModels(path: string, dialect: Dialect, models: readonly string[]): object | null {
  const found = MODELS.exec(path);
  if (found === null) return null;
  const [, name] = found;
  const describe = DESCRIBE[dialect];
  if (name !== undefined) return describe(decodeName(name));
  const data = models.map(describe);
  switch (dialect) {
    case 'anthropic':
      return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
    case 'google':
      return { models: data };
    case 'openai':
      // codex looks for descriptions of its own models here, and works without them.
      return { object: 'list', data, models: [] };
    default:
      return dialect satisfies never;
  }
}

/** Names may contain slashes, which some clients encode. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const DESCRIBE: Readonly<Record<Dialect, (id: string) => object>> = {
  anthropic: (id) => ({ type: 'model', id, display_name: id, created_at: CREATED }),
  openai: (id) => ({ id, object: 'model', created: Date.parse(CREATED) / 1000, owned_by: 'ralph-e2e' }),
  google: (id) => ({
    name: `models/${id}`,
    displayName: id,
    version: '001',
    inputTokenLimit: 1_000_000,
    outputTokenLimit: 64_000,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }),
};
