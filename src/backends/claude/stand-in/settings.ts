import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asMapping, parseMapping } from '../../../agent/stand-in/json.js';
import { hookSeconds } from '../plugins/running-hooks.js';
import { notPlayed, Refused } from './arguments.js';

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
export function readSettings(cwd: string, config: string, { sources, given }: SettingsCall): Settings {
  const files: Readonly<Record<string, string>> = {
    user: join(config, 'settings.json'),
    project: join(cwd, '.claude', 'settings.json'),
    local: join(cwd, '.claude', 'settings.local.json'),
  };
  const documents = [
    ...sources.flatMap((source) => {
      const file = files[source];
      return file !== undefined && existsSync(file) ? [readSettingsFile(source, file)] : [];
    }),
    ...given.map((value) => readGiven(value, cwd)),
  ];
  const rules = (key: string) => documents.flatMap((document) => readRules(document, key));
  // Claude Code ignores what a project allows until its user trusts the folder, which nobody did with a private HOME.
  const isIgnored = ({ source }: SettingsDocument) => source === 'project';
  const last = (values: readonly unknown[]) => values.map(toText).findLast((value) => value !== undefined);
  return {
    allow: documents
      .filter((document) => !isIgnored(document))
      .flatMap((document) => readRules(document, 'allow')),
    deny: rules('deny'),
    ask: rules('ask'),
    defaultMode: last(
      documents
        // A project cannot choose this mode for its user.
        .filter(({ source, permissions: { defaultMode: mode } }) =>
          mode === 'bypassPermissions' ? /^(?:user|flag)$/.test(source) : true,
        )
        .map(({ permissions }) => permissions.defaultMode),
    ),
    model: last(documents.map(({ content }) => content.model)),
    hooks: documents.some(({ content }) => content.disableAllHooks === true)
      ? []
      : documents.flatMap(({ content }) => readHookSettings(content.hooks)),
    env: Object.assign({}, ...documents.map(({ content }) => asMapping(content.env))),
    warnings: documents.some((document) => isIgnored(document) && readRules(document, 'allow').length > 0)
      ? ['Ignoring what .claude/settings.json allows: this workspace has not been trusted.']
      : [],
  };
}

/** What a call says about its settings. */
interface SettingsCall {
  readonly sources: readonly string[];
  /** The values of `--settings`. */
  readonly given: readonly string[];
}

/** One settings file, or the settings in the call. */
interface SettingsDocument {
  readonly source: string;
  /** The file, or the option. */
  readonly where: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, unknown>>;
}

/** Reads the value of `--settings`: JSON, or the path of a file. */
function readGiven(value: string, cwd: string): SettingsDocument {
  if (value.trim().startsWith('{')) return toDocument('flag', value, '--settings');
  const file = resolve(cwd, value);
  if (!existsSync(file)) throw new Refused(`Error: Settings file not found: ${file}`);
  return readSettingsFile('flag', file);
}

function readSettingsFile(source: string, file: string): SettingsDocument {
  return toDocument(source, readFileSync(file, 'utf8'), file);
}

/** Parses settings. Refuses by name what changes a session and is not played. */
function toDocument(source: string, text: string, where: string): SettingsDocument {
  const content = parseMapping(text);
  if (content === null) throw notPlayed(`invalid JSON in the settings (${where})`);
  const permissions = asMapping(content.permissions);
  // Whether there is a sandbox, and what it allows, depends on the machine.
  if (asMapping(content.sandbox).enabled === true) throw notPlayed(`a sandbox (${where})`);
  const unplayed = ['disableBypassPermissionsMode', 'additionalDirectories'].find(
    (key) => key in permissions,
  );
  if (unplayed !== undefined) throw notPlayed(`permissions.${unplayed} in ${where}`);
  const { defaultMode = 'default' } = permissions;
  if (!MODES.some((mode) => mode === defaultMode))
    throw notPlayed(`permissions.defaultMode ${JSON.stringify(defaultMode)} in ${where}`);
  return { source, where, content, permissions };
}

const MODES = ['acceptEdits', 'bypassPermissions', 'default', 'dontAsk', 'manual', 'plan'];

/** Reads a list of rules, without those that cannot be read. */
function readRules({ source, permissions, where }: SettingsDocument, key: string): string[] {
  const rules = permissions[key] ?? [];
  if (!Array.isArray(rules)) throw notPlayed(`permissions.${key} in ${where} is not a list`);
  // A path that starts with one slash belongs to the folder of the settings: the project, or one that has nothing to do
  // with it.
  const isElsewhere = source !== 'project' && source !== 'local';
  return rules
    .flatMap((rule) => toText(rule) ?? [])
    .filter((rule) => /^[^()]+(?:\(.*\))?$/s.test(rule))
    .filter((rule) => !(isElsewhere && /^(?!Bash\()\w+\(\/[^/]/.test(rule)));
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

/** Returns an unchecked value as a list, or an empty one. */
function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns an unchecked value as a text, or undefined. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
