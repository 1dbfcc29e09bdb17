import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** One hook command, which runs around prompts, tools or the end of a turn. */
export interface HookCommand {
  readonly event: string;
  readonly matcher: string;
  readonly command: string;
  readonly timeoutSeconds: number;
  /** The folder of the plugin that defines it, for its environment. */
  readonly pluginRoot?: string;
}

export interface Settings {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly defaultMode: string | undefined;
  readonly directories: readonly string[];
  readonly model: string | undefined;
  readonly hooks: readonly HookCommand[];
}

export class SettingsError extends Error {}

/** Where Claude Code keeps the user's settings, sessions and commands. */
export function configFolder(env: Readonly<Record<string, string | undefined>>): string {
  return env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? '/', '.claude');
}

/** Reads the settings of the requested sources and of the call itself; lists are merged. */
export function readSettings(
  cwd: string,
  config: string,
  { sources, given }: { readonly sources: readonly string[]; readonly given: readonly string[] },
): Settings {
  const files: Readonly<Record<string, string>> = {
    user: join(config, 'settings.json'),
    project: join(cwd, '.claude', 'settings.json'),
    local: join(cwd, '.claude', 'settings.local.json'),
  };
  const documents = [
    ...sources.flatMap((source) => {
      const file = files[source];
      return file !== undefined && existsSync(file) ? [parseObject(readFileSync(file, 'utf8'), file)] : [];
    }),
    ...given.map((value) => readGiven(value, cwd)),
  ];
  const permissions = documents.map(({ permissions }) => toRecord(permissions));
  return {
    allow: permissions.flatMap(({ allow }) => toTexts(allow)),
    deny: permissions.flatMap(({ deny }) => toTexts(deny)),
    ask: permissions.flatMap(({ ask }) => toTexts(ask)),
    defaultMode: permissions
      .map(({ defaultMode }) => toText(defaultMode))
      .findLast((mode) => mode !== undefined),
    directories: permissions.flatMap(({ additionalDirectories }) => toTexts(additionalDirectories)),
    model: documents.map(({ model }) => toText(model)).findLast((model) => model !== undefined),
    hooks: documents.some(({ disableAllHooks }) => disableAllHooks === true)
      ? []
      : documents.flatMap(({ hooks }) => readHookSettings(hooks)),
  };
}

/** Reads the hooks of a settings file: `{Event: [{matcher, hooks: [{type, command, timeout}]}]}`. */
function readHookSettings(hooks: unknown): HookCommand[] {
  return Object.entries(toRecord(hooks)).flatMap(([event, groups]) =>
    toList(groups).flatMap((group) => {
      const { matcher, hooks: commands } = toRecord(group);
      return toList(commands).flatMap((entry) => {
        const { type, command, timeout } = toRecord(entry);
        const text = toText(command);
        if (type !== 'command' || text === undefined) return [];
        return [
          {
            event,
            matcher: toText(matcher) ?? '',
            command: text,
            timeoutSeconds: typeof timeout === 'number' ? timeout : 600,
          },
        ];
      });
    }),
  );
}

/** `--settings` takes JSON or the path of a file. */
function readGiven(value: string, cwd: string): Record<string, unknown> {
  if (value.trim().startsWith('{')) return parseObject(value, '--settings');
  const file = resolve(cwd, value);
  if (!existsSync(file)) throw new SettingsError(`Error: Settings file not found: ${file}`);
  return parseObject(readFileSync(file, 'utf8'), file);
}

function parseObject(text: string, where: string): Record<string, unknown> {
  try {
    return toRecord(JSON.parse(text));
  } catch {
    // The real program silently continues without settings that it cannot read. A test should not.
    throw new SettingsError(`Error: Invalid JSON in the settings (${where})`);
  }
}

/** Returns an unchecked value as a record, or an empty one. */
export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toTexts(value: unknown): string[] {
  return toList(value).filter((item) => typeof item === 'string');
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
