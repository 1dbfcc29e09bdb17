import { isMapping } from '../../domain/common/strict.js';
import { isCompiledScript } from './compiled-script.js';

/** The kinds of script files: ours, the compiled form that processes exchange, and three generations of claudeless. */
export type Dialect = 'native' | 'compiled' | 'claudeless-v0' | 'claudeless-v1' | 'claudeless-v2';

/** Detects the dialect of a file by keys that only one dialect has. */
export function detectDialect(data: Readonly<Record<string, unknown>>): Dialect {
  if ('version' in data && looksCompiled(data)) return 'compiled';
  if ('rules' in data) return 'native';
  if ('conversations' in data) return 'claudeless-v0';
  const keys = new Set([...Object.keys(data), ...keysOfAll(data.responses)]);
  const signs = (list: readonly string[]) => list.filter((key) => keys.has(key)).length;
  const [first, second] = [signs(V1_KEYS), signs(V2_KEYS)];
  if (isMapping(data.default) && 'tools' in data.default) return 'claudeless-v2';
  if (!('responses' in data) && first === 0 && !('claude' in data)) return 'native';
  return second > first ? 'claudeless-v2' : 'claudeless-v1';
}

const V1_KEYS = [
  'name',
  'default_response',
  'tool_execution',
  'default_model',
  'claude_version',
  'user_name',
].concat(['session_id', 'timeouts', 'pattern', 'response', 'max_matches', 'turns']);
const V2_KEYS = ['claude', 'default', 'tools', 'on', 'say', 'max', 'then'];

function keysOfAll(list: unknown): string[] {
  return Array.isArray(list) ? list.filter(isMapping).flatMap(Object.keys) : [];
}

/** Also accepts a compiled script with mistakes, so that its own parser reports them. */
function looksCompiled(data: Readonly<Record<string, unknown>>): boolean {
  const [first]: readonly unknown[] = Array.isArray(data.rules) ? data.rules : [];
  return isCompiledScript(data) || (isMapping(first) && ('when' in first || 'respond' in first));
}
