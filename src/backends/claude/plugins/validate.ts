import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { listMarkdown, readText } from './files.js';
import { readHeaded } from './head.js';
import { type PluginFault, type PluginManifest, parseBy } from './manifest.js';

const agentHead = z.object({
  name: z.string().nullish(),
  description: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  'allowed-tools': z.union([z.string(), z.array(z.string())]).nullish(),
});
const commandHead = agentHead.extend({ shell: z.enum(['bash', 'powershell']).nullish() });

const NO_MANIFEST = 'expected .claude-plugin/plugin.json or a folder with a SKILL.md in skills, found none';

/** Names that pass as Anthropic's own, in plain letters and with one hyphen for all else. */
const RESERVED =
  /^-?(?:claude|anthropics?)(?:-|$)|^-?cc-?plugin-|official-?(?:claude|anthropic)|(?:claude|anthropics?)-?official/;

/**
 * Finds what `claude plugin validate` of Claude Code 2.1.325 objects to and sessions load without a word. It reads the
 * usual folders, even if the manifest names others in their place, and follows no link.
 */
export function findObjections(root: string, { name, isWritten }: PluginManifest): PluginFault[] {
  const skills = list(root, 'skills').filter((file) => /^skills\/[^/]+\/SKILL\.md$/.test(file));
  if (!isWritten) {
    if (existsSync(join(root, '.claude-plugin', 'marketplace.json'))) return [];
    if (skills.length === 0) return [{ type: 'no-manifest', message: NO_MANIFEST }];
  }
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-');
  const isReserved = isWritten && RESERVED.test(plain);
  const heads = [...list(root, 'commands'), ...list(root, 'agents'), ...skills].flatMap((file) => {
    const { fields, problem } = readHeaded(readText(join(root, file)));
    const read = parseBy<unknown>(file.startsWith('agents/') ? agentHead : commandHead, fields);
    const mistake = problem ?? ('mistake' in read ? read.mistake : null);
    return mistake === null ? [] : [{ type: 'head', message: `${file}: ${mistake}` }];
  });
  return isReserved
    ? [{ type: 'name', message: `${name}: the name passes as Anthropic's own` }, ...heads]
    : heads;
}

function list(root: string, folder: string): string[] {
  const place = join(root, folder);
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return listMarkdown(place).map((file) => `${folder}/${file}`);
}
