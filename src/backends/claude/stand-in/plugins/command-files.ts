import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A slash command from a file; the text of the file is the prompt. */
export interface CommandFile {
  readonly name: string;
  /** Other names that it answers to. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly argumentHint: string;
  readonly body: string;
  /** Whether users can call it; if not, only the model can. */
  readonly isListed: boolean;
  /** The folder of a skill. */
  readonly skillFolder?: string;
}

/** Reads the commands in a folder; subfolders become part of the name. */
export function readCommands(folder: string, prefix: string): CommandFile[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return files.sort().map((file) => {
    const name = relative('.', file).replace(/\.md$/, '').split('/').join(':');
    return readCommandFile(join(folder, file), `${prefix}${name}`);
  });
}

/** Reads a file with front matter: its description, its arguments, and the text below. */
function readCommandFile(path: string, name: string): CommandFile {
  const text = readFileSync(path, 'utf8');
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const about = (key: string) =>
    new RegExp(`^${key}:\\s*(.*)$`, 'm')
      .exec(front?.[1] ?? '')?.[1]
      ?.trim()
      .replace(/^"(.*)"$/, '$1') ?? '';
  return {
    name,
    aliases: [],
    isListed: true,
    description: about('description'),
    argumentHint: about('argument-hint'),
    body: front === null ? text : text.slice(front[0].length).trimStart(),
  };
}
