import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readGiven, readSettingsFile } from './document.js';
import { type HookCommand, readHookSettings } from './hook-settings.js';
import { describeIgnored, type Trust } from './trust.js';
import { toRecord, toText } from './values.js';

export interface Settings {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly defaultMode: string | undefined;
  readonly directories: readonly string[];
  readonly model: string | undefined;
  readonly hooks: readonly HookCommand[];
  /** Variables for the commands of tools and hooks. */
  readonly env: Readonly<Record<string, string>>;
  /** Nobody may skip the permissions. */
  readonly bypassDisabled: boolean;
  /** What the program says about settings that it ignores. */
  readonly warnings: readonly string[];
}

/** Where Claude Code keeps the user's settings, sessions and commands. */
export function configFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '/', '.claude');
}

/** Reads the settings of the requested sources and of the call itself; lists are merged. */
export function readSettings(cwd: string, config: string, call: SettingsCall): Settings {
  const files: Readonly<Record<string, string>> = {
    user: join(config, 'settings.json'),
    project: join(cwd, '.claude', 'settings.json'),
    local: join(cwd, '.claude', 'settings.local.json'),
  };
  const documents = [
    ...call.sources.flatMap((source) => {
      const file = files[source];
      return file !== undefined && existsSync(file) ? [readSettingsFile(source, file)] : [];
    }),
    ...call.given.map((value) => readGiven(value, cwd)),
  ];
  const [ignored, honored] = [true, false].map((isIgnored) =>
    documents.filter(({ source }) => (source === 'project' && !call.trust.accepted) === isIgnored),
  );
  return {
    allow: (honored ?? []).flatMap(({ allow }) => allow),
    deny: documents.flatMap(({ deny }) => deny),
    ask: documents.flatMap(({ ask }) => ask),
    defaultMode: documents
      // A project cannot choose this mode for its user.
      .filter(
        ({ source, defaultMode: mode }) => mode !== 'bypassPermissions' || /^(?:user|flag)$/.test(source),
      )
      .map(({ defaultMode }) => defaultMode)
      .findLast((mode) => mode !== undefined),
    directories: (honored ?? []).flatMap(({ directories }) => directories),
    model: documents.map(({ content }) => toText(content.model)).findLast((model) => model !== undefined),
    hooks: documents.some(({ content }) => content.disableAllHooks === true)
      ? []
      : documents.flatMap(({ content }) => readHookSettings(content.hooks)),
    env: Object.assign({}, ...documents.map(({ content }) => toRecord(content.env))),
    bypassDisabled: documents.some(({ bypassDisabled }) => bypassDisabled),
    warnings: (ignored ?? []).flatMap(({ allow, directories }) => [
      ...describeIgnored('allow', allow, call.trust),
      ...describeIgnored('additionalDirectories', directories, call.trust),
    ]),
  };
}

/** What a call says about its settings. */
export interface SettingsCall {
  readonly sources: readonly string[];
  /** The values of `--settings`. */
  readonly given: readonly string[];
  readonly trust: Trust;
}
