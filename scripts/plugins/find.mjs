import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const MARKS = ['commands', 'agents', 'skills', 'hooks', '.mcp.json', 'SKILL.md'];

/**
 * Finds the plugins below a folder: entries of marketplaces that are more than a link to a folder, folders with a
 * manifest, and folders directly in the given one that have parts of a plugin.
 */
export function findPlugins(root) {
  const found = new Map();
  const visit = (folder, depth) => {
    const entries = readdirSync(folder, { withFileTypes: true });
    const market = readMarketplace(folder);
    for (const entry of market?.plugins ?? []) {
      const source = sourceOf(folder, market, entry);
      if (source !== null && declares(entry))
        found.set(`${folder}#${entry.name}`, { name: entry.name, folder: source, marketplace: folder });
    }
    const isPlugin = existsSync(join(folder, '.claude-plugin', 'plugin.json'));
    const hasParts = depth === 1 && market === null && entries.some(({ name }) => MARKS.includes(name));
    if (isPlugin || hasParts) found.set(folder, { name: basename(folder), folder });
    if (depth > 6 || isPlugin) return;
    for (const entry of entries)
      if (entry.isDirectory() && !/^(?:\.git|node_modules)$/.test(entry.name))
        visit(join(folder, entry.name), depth + 1);
  };
  visit(resolve(root), 0);
  return [...found.values()];
}

function declares(entry) {
  const parts = ['commands', 'agents', 'skills', 'hooks', 'mcpServers'];
  return entry.strict === false || parts.some((part) => entry[part] !== undefined);
}

function sourceOf(folder, { metadata }, { source }) {
  if (typeof source !== 'string' || /^\w+:/.test(source)) return null;
  return resolve(folder, source.startsWith('.') ? '.' : (metadata?.pluginRoot ?? '.'), source);
}

function readMarketplace(folder) {
  try {
    const read = JSON.parse(readFileSync(join(folder, '.claude-plugin', 'marketplace.json'), 'utf8'));
    return Array.isArray(read.plugins) ? read : null;
  } catch {
    return null;
  }
}
