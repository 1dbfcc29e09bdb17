import { isMapping } from '../../domain/common/strict.js';
import { claudelessSchema } from './claudeless/schema.js';
import { isCompiledScript } from './compiled-script.js';
import { NATIVE_KEYS } from './native/schema.js';

/** The kinds of script files: ours, the compiled form that processes exchange, and three generations of claudeless. */
export type Dialect = 'native' | 'compiled' | 'claudeless-v0' | 'claudeless-v1' | 'claudeless-v2';

/** Detects the dialect of a file by keys that only one dialect has. */
export function detectDialect(data: Readonly<Record<string, unknown>>): Dialect {
  if ('version' in data && looksCompiled(data)) return 'compiled';
  if ('rules' in data) return 'native';
  if ('conversations' in data) return 'claudeless-v0';
  const [first]: readonly unknown[] = Array.isArray(data.responses) ? data.responses : [];
  if ('claude' in data || (isMapping(first) && ('on' in first || 'say' in first))) return 'claudeless-v2';
  return Object.keys(data).some(isClaudelessOnly) ? 'claudeless-v1' : 'native';
}

function isClaudelessOnly(key: string): boolean {
  return Object.hasOwn(claudelessSchema.shape, key) && !NATIVE_KEYS.has(key);
}

/** Also accepts a compiled script with mistakes, so that its own parser reports them. */
function looksCompiled(data: Readonly<Record<string, unknown>>): boolean {
  const [first]: readonly unknown[] = Array.isArray(data.rules) ? data.rules : [];
  return isCompiledScript(data) || (isMapping(first) && ('when' in first || 'respond' in first));
}
