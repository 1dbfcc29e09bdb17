import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EntryParts } from '../../../../src/backends/claude/plugins/manifest.js';
import { readPluginContent } from '../../../../src/backends/claude/plugins/read-plugin.js';
import { tempFolder } from '../../../support/cli.js';

/** Writes a plugin of these files. */
export function write(manifest: object | null, files: Readonly<Record<string, string>>): string {
  const root = join(tempFolder(), 'p');
  const all =
    manifest === null ? files : { '.claude-plugin/plugin.json': JSON.stringify(manifest), ...files };
  mkdirSync(root);
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** Reads a plugin of these files. The names and texts in these tests were seen in Claude Code 2.1.325. */
export function read(
  manifest: object | null,
  files: Readonly<Record<string, string>>,
  entry: EntryParts | null = null,
) {
  return readPluginContent(write(manifest, files), entry);
}

/** Reads a plugin that can be read. */
export function load(
  manifest: object,
  files: Readonly<Record<string, string>>,
  entry: EntryParts | null = null,
) {
  const content = read({ name: 'p', ...manifest }, files, entry);
  if ('fault' in content) throw new Error(content.fault.message);
  return content;
}

export const head = (fields: string, body = 'Text') => `---\n${fields}\n---\n${body}`;
export const names = (parts: readonly { readonly name: string }[]) => parts.map(({ name }) => name).sort();
