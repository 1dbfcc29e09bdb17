import { basename, dirname, join, relative, resolve } from 'node:path';
import { isFile, isFolder, listFolders, listMarkdown, readText } from './files.js';
import { type HeadedFile, isFlagOn, readArgumentNames, readHeaded, textField } from './head.js';
import type { DeclaredParts, PluginFault, PluginManifest } from './manifest.js';

/** A command or a skill: both are called with a slash. */
export interface SlashPart {
  readonly kind: 'command' | 'skill';
  /** The name in Claude Code's list, from the path: `agent-loop:plan`. */
  readonly name: string;
  /** Other names that Claude Code also answers to: those that `name:` declares. */
  readonly aliases: readonly string[];
  /** Relative to the plugin. Empty if the manifest contains the text. */
  readonly file: string;
  readonly description: string;
  readonly argumentHint: string;
  /** The names of its arguments, for placeholders such as `$first`. */
  readonly argumentNames: readonly string[];
  readonly body: string;
  /** Whether users can call it. If not, Claude Code does not list it. */
  readonly isListed: boolean;
  /** Whether Claude Code also lists it among the skills, which needs a description. */
  readonly isListedSkill: boolean;
  /** Whether the model cannot load it. */
  readonly isForUsersOnly: boolean;
}

/** An agent of a plugin. */
export interface AgentPart {
  /** The name in Claude Code's list: `name:` in the head, or else the file, after the folders it is in. */
  readonly name: string;
  readonly file: string;
  readonly description: string;
  readonly body: string;
}

/** Collects the parts of a plugin, and what cannot be read. */
export interface PartsReader {
  readonly root: string;
  readonly manifest: PluginManifest;
  /** What the entry of the marketplace declares that the plugin is installed from. */
  readonly entry: DeclaredParts;
  /** Whether that entry is all that describes a folder with several plugins. */
  readonly isOnlyEntry: boolean;
  readonly faults: PluginFault[];
}

/** Reads the commands: those that the manifest names replace the folder `commands`; those of an entry come on top. */
export function readCommandParts(reader: PartsReader): SlashPart[] {
  const { root, manifest, entry } = reader;
  const own =
    manifest.commands === undefined
      ? readCommandFolder(reader, join(root, 'commands'))
      : readDeclared(reader, manifest.commands);
  return [...own, ...readDeclared(reader, entry.commands)];
}

function readDeclared(reader: PartsReader, commands: DeclaredParts['commands'] = []): SlashPart[] {
  if (Array.isArray(commands)) return commands.flatMap((path) => readCommandPath(reader, path, null));
  return Object.entries(commands).flatMap(([name, declared]) => {
    const { description, argumentHint } = declared;
    const given = {
      ...(description === undefined ? {} : { description }),
      ...(argumentHint === undefined ? {} : { argumentHint }),
    };
    const parts =
      declared.source === undefined
        ? [toPart(reader, 'command', { path: [name], file: '', text: declared.content ?? '' })]
        : readCommandPath(reader, declared.source, name);
    return parts.map((part) => ({ ...part, ...given }));
  });
}

/**
 * Reads the skills: those that the manifest or an entry names come after the folder `skills`. If the folder is a whole
 * marketplace without a manifest, those of its entry replace the folder.
 */
export function readSkillParts(reader: PartsReader): SlashPart[] {
  const { root, manifest, entry } = reader;
  const own = join(root, 'skills');
  const named = [...(manifest.skills ?? []), ...(entry.skills ?? [])].map((path) => resolve(root, path));
  // A plugin that is only one skill has its file at the top.
  const alone = named.length === 0 && !isFolder(own) && isFile(join(root, 'SKILL.md'));
  const hasOwn = entry.skills === undefined || !reader.isOnlyEntry;
  const parts = [...(hasOwn ? [own] : []), ...named, ...(alone ? [root] : [])].flatMap((place) => {
    if (place === own || isFolder(place)) return readSkillFolder(reader, place);
    reader.faults.push(pathNotFound(place, 'skills'));
    return [];
  });
  return parts.filter(({ file }, index) => parts.findIndex((part) => part.file === file) === index);
}

/** Reads the agents: those that the manifest names replace the folder `agents`; those of an entry come on top. */
export function readAgentParts(reader: PartsReader): AgentPart[] {
  const { root, manifest, entry } = reader;
  const folder = join(root, 'agents');
  const own =
    manifest.agents === undefined
      ? listMarkdown(folder).map((file) => readAgent(reader, join(folder, file), file.split('/')))
      : [];
  const named = [...(manifest.agents ?? []), ...(entry.agents ?? [])].flatMap((path) => {
    const file = resolve(root, path);
    if (isFile(file)) return [readAgent(reader, file, [basename(path)])];
    reader.faults.push(pathNotFound(file, 'agents'));
    return [];
  });
  const agents = [...own, ...named];
  return agents.filter(({ name }, index) => agents.findIndex((other) => other.name === name) === index);
}

function readAgent(reader: PartsReader, file: string, path: readonly string[]): AgentPart {
  const shown = relative(reader.root, file);
  const { fields, body } = readHead(reader, readText(file), shown);
  const own = textField(fields, 'name', { lists: true }) || withoutEnding(path.at(-1) ?? '');
  return {
    name: [reader.manifest.name, ...path.slice(0, -1), own].join(':'),
    file: shown,
    description: textField(fields, 'description'),
    body,
  };
}

function readCommandPath(reader: PartsReader, path: string, key: string | null): SlashPart[] {
  const place = resolve(reader.root, path);
  if (isFolder(place)) return readCommandFolder(reader, place);
  if (!isFile(place)) {
    reader.faults.push(pathNotFound(place, 'commands'));
    return [];
  }
  if (!/\.md$/i.test(place)) return [];
  return [readPart(reader, 'command', place, [key ?? withoutEnding(basename(place))])];
}

/** A folder with a SKILL.md is one command, and everything else in it belongs to that. */
function readCommandFolder(reader: PartsReader, folder: string): SlashPart[] {
  const files = listMarkdown(folder);
  const skills = files.filter((file) => basename(file) === 'SKILL.md').map((file) => dirname(file));
  const owner = (file: string) =>
    skills.find((skill) => skill === '.' || dirname(file) === skill || file.startsWith(`${skill}/`));
  return files.flatMap((file) => {
    const skill = owner(file);
    if (skill === undefined)
      return [readPart(reader, 'command', join(folder, file), withoutEnding(file).split('/'))];
    if (file !== join(skill, 'SKILL.md')) return [];
    const path = skill === '.' ? [basename(folder)] : skill.split('/');
    return [readPart(reader, 'skill', join(folder, file), path)];
  });
}

function readSkillFolder(reader: PartsReader, folder: string): SlashPart[] {
  const whole = join(folder, 'SKILL.md');
  if (isFile(whole)) return [readPart(reader, 'skill', whole, null)];
  return listFolders(folder)
    .map((name) => ({ name, file: join(folder, name, 'SKILL.md') }))
    .filter(({ file }) => isFile(file))
    .map(({ name, file }) => readPart(reader, 'skill', file, [toSkillName(name)]));
}

/** Reads a file. Without a path, a declared name takes the place of the folder's. */
function readPart(
  reader: PartsReader,
  kind: SlashPart['kind'],
  file: string,
  path: readonly string[] | null,
): SlashPart {
  return toPart(reader, kind, { path, file: relative(reader.root, file), text: readText(file) });
}

function toSkillName(folder: string): string {
  return folder.replace(/[^\w-]/g, '-');
}

interface PartSource {
  readonly path: readonly string[] | null;
  readonly file: string;
  readonly text: string;
}

function toPart(reader: PartsReader, kind: SlashPart['kind'], { path, file, text }: PartSource): SlashPart {
  const { fields, body } = readHead(reader, text, file);
  const plugin = reader.manifest.name;
  const written = textField(fields, 'name', { lists: true });
  const folder = basename(dirname(resolve(reader.root, file)));
  const place = path ?? [toSkillName(written.trim() || folder)];
  const name = [plugin, ...place].join(':');
  const own = written.replace(`${plugin}:`, '');
  const declared = [plugin, ...place.slice(0, -1), own].join(':');
  const about = textField(fields, 'description') || textField(fields, 'when_to_use');
  const isListed = fields['user-invocable'] === undefined || isFlagOn(fields, 'user-invocable');
  const isForUsersOnly = isFlagOn(fields, 'disable-model-invocation');
  return {
    kind,
    name,
    aliases:
      own === '' ? [] : [declared, ...(own.includes(':') ? [] : [own])].filter((alias) => alias !== name),
    file,
    description: textField(fields, 'description'),
    argumentHint: textField(fields, 'argument-hint'),
    argumentNames: readArgumentNames(fields),
    body,
    isListed,
    isListedSkill: isListed && about !== '' && (kind === 'skill' || isForUsersOnly),
    isForUsersOnly,
  };
}

/** Takes a file apart. Claude Code is silent about a head that it cannot read: see `findObjections`. */
function readHead({ faults }: PartsReader, text: string, file: string): HeadedFile {
  const headed = readHeaded(text);
  if (headed.excess !== null)
    faults.push({ type: 'head', message: `${file || 'plugin.json'}: ${headed.excess}` });
  return headed;
}

function withoutEnding(file: string): string {
  return file.replace(/\.md$/, '');
}

/** The error for a path in the manifest that leads nowhere. */
export function pathNotFound(path: string, part: string): PluginFault {
  return { type: 'path-not-found', message: `Path not found: ${path} (${part})` };
}
