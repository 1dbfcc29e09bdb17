import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asMapping, parseMapping } from '../../../agent/stand-in/json.js';
import { hookSeconds } from '../plugins/running-hooks.js';

export interface Settings {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly defaultMode: string | undefined;
  readonly model: string | undefined;
  readonly hooks: readonly HookCommand[];
  /** Variables for the commands of tools and hooks. */
  readonly env: Readonly<Record<string, string>>;
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
  // Claude Code ignores what a project allows until its user trusts the folder, which nobody did with a private HOME.
  const honored = documents.filter(({ source }) => source !== 'project');
  return {
    allow: honored.flatMap(({ allow }) => allow),
    deny: documents.flatMap(({ deny }) => deny),
    ask: documents.flatMap(({ ask }) => ask),
    defaultMode: documents
      // A project cannot choose this mode for its user.
      .filter(
        ({ source, defaultMode: mode }) => mode !== 'bypassPermissions' || /^(?:user|flag)$/.test(source),
      )
      .map(({ defaultMode }) => defaultMode)
      .findLast((mode) => mode !== undefined),
    model: documents.map(({ content }) => toText(content.model)).findLast((model) => model !== undefined),
    hooks: documents.some(({ content }) => content.disableAllHooks === true)
      ? []
      : documents.flatMap(({ content }) => readHookSettings(content.hooks)),
    env: Object.assign({}, ...documents.map(({ content }) => asMapping(content.env))),
    warnings: documents.some(({ source, allow }) => source === 'project' && allow.length > 0)
      ? ['Ignoring what .claude/settings.json allows: this workspace has not been trusted.']
      : [],
  };
}

/** What a call says about its settings. */
export interface SettingsCall {
  readonly sources: readonly string[];
  /** The values of `--settings`. */
  readonly given: readonly string[];
}

/** One settings file, or the settings in the call. */
interface SettingsDocument {
  readonly source: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly defaultMode: string | undefined;
}

/** Reads a settings file. */
function readSettingsFile(source: string, file: string): SettingsDocument {
  return toDocument(source, parseObject(readFileSync(file, 'utf8'), file), file);
}

/** Reads the value of `--settings`: JSON, or the path of a file. */
function readGiven(value: string, cwd: string): SettingsDocument {
  if (value.trim().startsWith('{')) return toDocument('flag', parseObject(value, '--settings'), '--settings');
  const file = resolve(cwd, value);
  if (!existsSync(file)) throw new SettingsError(`Error: Settings file not found: ${file}`);
  return readSettingsFile('flag', file);
}

function toDocument(
  source: string,
  content: Readonly<Record<string, unknown>>,
  where: string,
): SettingsDocument {
  const permissions = asMapping(content.permissions);
  const texts = (key: string) => {
    const value = permissions[key] ?? [];
    if (!Array.isArray(value)) throw new IgnoredSettings(`permissions.${key} in ${where} is not a list`);
    return value.filter((item) => typeof item === 'string');
  };
  const { defaultMode } = permissions;
  // Whether there is a sandbox, and what it allows, depends on the machine.
  if (asMapping(content.sandbox).enabled === true) throw new IgnoredSettings(`a sandbox (${where})`);
  const unplayed = ['disableBypassPermissionsMode', 'additionalDirectories'].find(
    (key) => key in permissions,
  );
  if (unplayed !== undefined) throw new IgnoredSettings(`permissions.${unplayed} in ${where}`);
  if (defaultMode !== undefined && (typeof defaultMode !== 'string' || !MODES.includes(defaultMode))) {
    throw new IgnoredSettings(`permissions.defaultMode ${JSON.stringify(defaultMode)} in ${where}`);
  }
  const rules = (key: string) => texts(key).flatMap((rule) => anchor(source, rule));
  return {
    source,
    content,
    allow: rules('allow'),
    deny: rules('deny'),
    ask: rules('ask'),
    defaultMode,
  };
}

const MODES = ['acceptEdits', 'bypassPermissions', 'default', 'dontAsk', 'manual', 'plan'];

/**
 * Leaves out a rule that cannot be read. A path that starts with one slash belongs to the folder of the settings: the
 * project, or one that has nothing to do with it.
 */
function anchor(source: string, rule: string): string[] {
  if (!/^[^()]+(?:\(.*\))?$/s.test(rule)) return [];
  const path = /^(\w+)\((\/[^/].*)\)$/s.exec(rule);
  if (path === null || path[1] === 'Bash') return [rule];
  return source === 'project' || source === 'local' ? [rule] : [];
}

/** One hook command, which runs around prompts, tools or the end of a turn. */
export interface HookCommand {
  readonly event: string;
  readonly matcher: string;
  readonly command: string;
  readonly timeoutSeconds: number;
  /** The folders of the plugin that defines it, for its environment. */
  readonly plugin?: { readonly root: string; readonly data: string };
}

/** Reads the hooks of a settings file: `{Event: [{matcher, hooks: [{type, command, timeout}]}]}`. */
export function readHookSettings(hooks: unknown): HookCommand[] {
  return Object.entries(asMapping(hooks)).flatMap(([event, groups]) =>
    toList(groups).flatMap((group) => {
      const { matcher, hooks: commands } = asMapping(group);
      return toList(commands).flatMap((entry) => {
        const { type, command, timeout } = asMapping(entry);
        const text = toText(command);
        if (type !== 'command' || text === undefined) return [];
        return [
          {
            event,
            matcher: toText(matcher) ?? '',
            command: text,
            timeoutSeconds: hookSeconds(
              { event, timeoutSeconds: typeof timeout === 'number' ? timeout : null, isOfPlugin: false },
              process.env,
            ),
          },
        ];
      });
    }),
  );
}

/** Settings that the real program refuses. */
export class SettingsError extends Error {}

/** Settings that the real program silently ignores. A test should not. */
export class IgnoredSettings extends Error {}

/** Parses the text of a JSON object. */
function parseObject(text: string, where: string): Record<string, unknown> {
  const content = parseMapping(text);
  if (content === null) throw new IgnoredSettings(`invalid JSON in the settings (${where})`);
  return content;
}

/** Returns an unchecked value as a list, or an empty one. */
function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an unchecked value as a text, or undefined. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
