import { stringify } from 'yaml';
import type { AgentScript } from '../../domain/agent-script.js';
import { isMapping } from '../../domain/common/json-lines.js';
import { migrateV0 } from './claudeless/v0.js';
import { readDocument, type ScriptSyntax } from './document.js';
import { toNativeForm } from './native/schema.js';
import { detectDialect, parseScript } from './parse.js';

export interface ConvertOptions {
  /** Named in messages. `$file` paths are relative to it; their content becomes part of the result. */
  readonly file?: string;
  /** Converts files with `conversations` to our own format too, not just to the next claudeless one in their syntax. */
  readonly to?: 'ours';
}

/** Converts a script: `conversations` to responses with turns, everything else to our own format in YAML. */
export function convertScript(text: string, format: ScriptSyntax, options: ConvertOptions = {}): string {
  const { file = 'the agent script', to } = options;
  const document = readDocument(text, format, file);
  const old = isMapping(document.data) && detectDialect(document.data) === 'claudeless-v0';
  if (!old) return writeScript(parseScript(text, { format, file }).script);
  const migrated = migrateV0(document, format, file);
  // Load the result, so that a mistake in the old file is reported now rather than when the new one is used.
  const { script } = parseScript(migrated, { format, file });
  return to === 'ours' ? writeScript(script) : migrated;
}

/** Writes a script in our own format, as YAML; reading it back yields the same script. */
export function writeScript(script: AgentScript): string {
  return stringify(toNativeForm(script), {
    lineWidth: 0,
    keepUndefined: false,
    aliasDuplicateObjects: false,
  });
}
