import { migrateV0 } from './claudeless/v0.js';
import { detectDialect } from './dialect.js';
import { readDocument, type ScriptSyntax } from './document.js';
import { writeScript } from './native/write.js';
import { parseScript } from './parse.js';
import { isMapping } from './strict.js';

export interface ConvertOptions {
  /** Named in messages; what `$file` refers to lies beside it and is taken into the text. */
  readonly file?: string;
  /** Files with `conversations` too become our own format, and not just the next claudeless one in their syntax. */
  readonly to?: 'ours';
}

/** Converts a script: files with `conversations` to responses with turns, everything else to our own format in YAML. */
export function convertScript(text: string, format: ScriptSyntax, options: ConvertOptions = {}): string {
  const { file = 'the agent script', to } = options;
  const document = readDocument(text, format, file);
  const old = isMapping(document.data) && detectDialect(document.data) === 'claudeless-v0';
  if (!old) return writeScript(parseScript(text, { format, file }).script);
  const migrated = migrateV0(document, format, file);
  // What is migrated must load, so that a mistake in the old file is told now and not by whoever loads the new one.
  const { script } = parseScript(migrated, { format, file });
  return to === 'ours' ? writeScript(script) : migrated;
}
