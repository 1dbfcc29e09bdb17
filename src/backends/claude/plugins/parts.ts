import { basename, dirname, join, relative, resolve } from 'node:path';
import { asList, asRecord, isFile, isFolder, listFolders, listMarkdown, readText } from './files.js';
import {
  type HeadedFile,
  isFlagOn,
  type ParseYaml,
  readArgumentNames,
  readHeaded,
  textField,
} from './head.js';
import type { EntryParts, PluginFault, PluginManifest } from './manifest.js';

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

/** Collects the parts of a plugin, and everything that is wrong with them. */
export interface PartsReader {
  readonly root: string;
  readonly manifest: PluginManifest;
  /** The entry of the marketplace that the plugin is installed from. */
  readonly entry: EntryParts | null;
  readonly parseYaml: ParseYaml;
  readonly faults: PluginFault[];
  /** Objections of `claude plugin validate`: `file: problem`. */
  readonly objections: string[];
}

/** Reads the commands: those that the manifest names replace the folder `commands`; those of an entry come on top. */
export function readCommandParts(reader: PartsReader): SlashPart[] {
  const { root, manifest, entry } = reader;
  const own =
    manifest.commands === undefined
      ? readCommandFolder(reader, join(root, 'commands'))
      : readDeclared(reader, manifest.commands);
  return [...own, ...readDeclared(reader, entry?.commands)];
}

function readDeclared(reader: PartsReader, commands: unknown): SlashPart[] {
  const named = asRecord(commands);
  if (named !== null) return Object.entries(named).flatMap(([name, part]) => readNamed(reader, name, part));
  return asList(commands).flatMap((path) => readCommandPath(reader, String(path), null));
}

/**
 * Reads the skills: those that the manifest or an entry names come after the folder `skills`. If the plugin is a whole
 * marketplace without a manifest, those of its entry replace the folder.
 */
export function readSkillParts(reader: PartsReader): SlashPart[] {
  const { root, manifest, entry } = reader;
  const own = join(root, 'skills');
  const declared = [...asList(manifest.skills), ...asList(entry?.skills)];
  const named = declared.map((path) => resolve(root, String(path)));
  // A plugin that is only one skill has its file at the top.
  const alone = named.length === 0 && !isFolder(own) && isFile(join(root, 'SKILL.md'));
  const hasOwn = manifest.isWritten || entry?.skills === undefined || entry.isWholeMarketplace !== true;
  const parts = [...(hasOwn ? [own] : []), ...named, ...(alone ? [root] : [])].flatMap((place) => {
    if (place !== own && !isFolder(place)) {
      reader.faults.push(isFile(place) ? fileForFolder(root, place) : pathNotFound(place, 'skills'));
      return [];
    }
    return readSkillFolder(reader, place);
  });
  return parts.filter(({ file }, index) => parts.findIndex((part) => part.file === file) === index);
}

function readNamed(reader: PartsReader, key: string, entry: unknown): SlashPart[] {
  const { source, content, description, argumentHint } = asRecord(entry) ?? {};
  const given = {
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof argumentHint === 'string' ? { argumentHint } : {}),
  };
  const parts =
    typeof content === 'string'
      ? [toPart(reader, 'command', { path: [key], file: '', headed: readHeaded(content, reader.parseYaml) })]
      : readCommandPath(reader, String(source), key);
  return parts.map((part) => ({ ...part, ...given }));
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
  const headed = readHeaded(readText(file), reader.parseYaml);
  const shown = relative(reader.root, file);
  const own = textField(headed.fields, 'name', { lists: true });
  const whole = toSkillName(own.trim() || basename(dirname(file)));
  return toPart(reader, kind, { path: path ?? [whole], file: shown, headed });
}

function toSkillName(folder: string): string {
  return folder.replace(/[^\w-]/g, '-');
}

function toPart(
  { manifest }: PartsReader,
  kind: SlashPart['kind'],
  {
    path,
    file,
    headed,
  }: { readonly path: readonly string[]; readonly file: string; readonly headed: HeadedFile },
): SlashPart {
  const { fields, body } = headed;
  const name = [manifest.name, ...path].join(':');
  const own = textField(fields, 'name', { lists: true }).replace(`${manifest.name}:`, '');
  const declared = [manifest.name, ...path.slice(0, -1), own].join(':');
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

function withoutEnding(file: string): string {
  return file.replace(/\.md$/, '');
}

/** The error for a path in the manifest that leads nowhere. */
export function pathNotFound(path: string, part: string): PluginFault {
  return { type: 'path-not-found', message: `Path not found: ${path} (${part})` };
}

function fileForFolder(root: string, place: string): PluginFault {
  const path = `./${relative(root, place)}`;
  const message = `skills load failed from ${path}: path is a file; skills entries must be directories containing SKILL.md — point to the parent directory '${dirname(path)}' instead`;
  return { type: 'component-load-failed', message };
}
