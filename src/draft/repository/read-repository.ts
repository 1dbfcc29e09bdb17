import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KnownError } from '../../domain/common/known-error.js';
import { readPlugin } from '../../kinds/conversation/plugins/plugin.js';
import { type DraftedPlugin, readDraftedPlugins } from './plugin.js';

/** What a repository contains that can be tested. */
export const REPOSITORY_KINDS = ['ralph', 'plugin'] as const;
export type RepositoryKind = (typeof REPOSITORY_KINDS)[number];

/** A repository, as far as its first files depend on it. */
export type Repository =
  | {
      readonly kind: 'ralph' /** Whether Ralph's sources are here; if not, a release is tested. */;
      readonly hasSources: boolean;
    }
  | {
      readonly kind: 'plugin';
      /** The plugin, or those of a marketplace. */
      readonly plugins: readonly DraftedPlugin[];
    };

const MANIFEST = '.claude-plugin/plugin.json';
const MARKETPLACE = '.claude-plugin/marketplace.json';
const RALPH_SOURCES = 'crates/ralph-cli/Cargo.toml';
const RALPH_CONFIGURATION = 'ralph.yml';

/** What the user says about a repository; null leaves it to its files. */
interface Asked {
  readonly kind: RepositoryKind | null;
  /** One plugin of a marketplace. */
  readonly plugin: string | null;
}

/** Finds out what a repository contains, as far as nobody says so. */
export async function readRepository(folder: string, asked: Asked): Promise<Repository> {
  const has = (path: string) => existsSync(join(folder, path));
  const found = [
    ...(has(RALPH_SOURCES) || has(RALPH_CONFIGURATION) ? (['ralph'] as const) : []),
    ...(has(MANIFEST) || has(MARKETPLACE) ? (['plugin'] as const) : []),
  ];
  const [kind, ...others] = asked.kind === null ? found : [asked.kind];
  if (kind === undefined || others.length > 0) {
    throw new KnownError(
      `Expected ${RALPH_SOURCES} or ${RALPH_CONFIGURATION} (Ralph), or ${MANIFEST} or ${MARKETPLACE} (Claude Code plugins), found ${kind === undefined ? 'none of them' : 'both kinds'} in ${folder}.`,
      { hint: 'Say what to test: --for ralph, or --for plugin (or --plugin).' },
    );
  }
  return kind === 'ralph'
    ? { kind, hasSources: has(RALPH_SOURCES) }
    : await readPluginRepository(folder, asked.plugin);
}

async function readPluginRepository(folder: string, plugin: string | null): Promise<Repository> {
  if (!existsSync(join(folder, MARKETPLACE))) await requireManifest(folder);
  return { kind: 'plugin', plugins: await readDraftedPlugins(folder, plugin) };
}

async function requireManifest(folder: string): Promise<void> {
  const path = join(folder, MANIFEST);
  const { problems } = await readPlugin(folder);
  const found = existsSync(path) ? problems.find((text) => text.startsWith('generic-error')) : 'no such file';
  if (found === undefined) return;
  throw new KnownError(`${path}: expected the manifest of a plugin with its name, found: ${found}`, {
    hint: 'A plugin starts with { "name": "…" } in this file.',
  });
}
