import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { readPlainText } from '../../exec/files/plain-file.js';

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
      readonly name: string;
      /** Names of the commands in commands/, without the plugin's name. */
      readonly commands: readonly string[];
      readonly hasServers: boolean;
    };

const MANIFEST = '.claude-plugin/plugin.json';
const RALPH_SOURCES = 'crates/ralph-cli/Cargo.toml';
const RALPH_CONFIGURATION = 'ralph.yml';

/** Finds out what a repository contains, or takes `asked` if it says so. */
export async function readRepository(folder: string, asked: RepositoryKind | null): Promise<Repository> {
  const has = (path: string) => existsSync(join(folder, path));
  const found = [
    ...(has(RALPH_SOURCES) || has(RALPH_CONFIGURATION) ? (['ralph'] as const) : []),
    ...(has(MANIFEST) ? (['plugin'] as const) : []),
  ];
  const [kind, ...others] = asked === null ? found : [asked];
  if (kind === undefined || others.length > 0) {
    throw new KnownError(
      `Expected ${RALPH_SOURCES} or ${RALPH_CONFIGURATION} (Ralph), or ${MANIFEST} (a Claude Code plugin), found ${kind === undefined ? 'none of them' : 'both kinds'} in ${folder}.`,
      { hint: 'Say what to test: --for ralph, or --for plugin.' },
    );
  }
  return kind === 'ralph' ? { kind, hasSources: has(RALPH_SOURCES) } : await readPlugin(folder);
}

const manifestSchema = z.looseObject({ name: z.string().min(1), mcpServers: z.unknown().optional() });

async function readPlugin(folder: string): Promise<Repository> {
  const path = join(folder, MANIFEST);
  const manifest = await readPlainText(path)
    .then((text) => manifestSchema.parse(JSON.parse(text)))
    .catch((cause: unknown) => {
      const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : messageOf(cause);
      throw new KnownError(`${path}: expected the manifest of a plugin with its name, found: ${reason}`, {
        hint: 'A plugin starts with { "name": "…" } in this file.',
        cause,
      });
    });
  return {
    kind: 'plugin',
    name: manifest.name,
    commands: await listCommands(join(folder, 'commands')),
    hasServers: manifest.mcpServers !== undefined || existsSync(join(folder, '.mcp.json')),
  };
}

async function listCommands(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
}
