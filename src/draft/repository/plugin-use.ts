import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, PluginPart } from '../../kinds/conversation/plugins/plugin.js';

/** How the first conversation uses a plugin: the user calls a part of it, or the agent loads a skill. */
export interface PluginUse {
  readonly by: 'user' | 'agent';
  /** The name with the plugin's. */
  readonly name: string;
  /** A line of its text that Claude Code sends as it stands in the file. */
  readonly line: string;
}

/** Chooses a command, or else a skill, whose text the model gets unchanged; null if there is none. */
export async function chooseUse(plugin: Plugin): Promise<PluginUse | null> {
  const { commands, skills, path } = plugin;
  const candidates = [
    ...commands.filter(({ isListed }) => isListed).map((part) => ({ part, by: 'user' as const })),
    ...skills.filter(({ isListed }) => isListed).map((part) => ({ part, by: 'user' as const })),
    ...skills.filter(({ isListed }) => !isListed).map((part) => ({ part, by: 'agent' as const })),
  ];
  for (const { part, by } of candidates) {
    const line = findPlainLine(part.body);
    if (line === null || !CALLABLE.test(part.name) || !(await isPlain(part, path))) continue;
    return { by, name: part.name, line };
  }
  return null;
}

/** The name goes into a text of the draft, and Claude Code takes no command with a space. */
const CALLABLE = /^[\w:.-]+$/;

/** A shell command in the text runs when it is called, and a subagent gets the text of a forked part. */
const RUNS_SOMETHING = /!`|```!/;
const FORKS = /^(?:context|agent)[ \t]*:/m;

async function isPlain({ file, body }: PluginPart, folder: string): Promise<boolean> {
  if (RUNS_SOMETHING.test(body)) return false;
  if (file === '') return true;
  const text = await readFile(join(folder, file), 'utf8').catch(() => null);
  return text !== null && !FORKS.test(text.slice(0, text.length - body.length));
}

const LINE_LENGTHS = { least: 12, most: 90 } as const;
/** Arguments, references to files, shell commands and placeholders, which Claude Code replaces. */
const REPLACED = /[$@!{}<>`\\]/;

function findPlainLine(body: string): string | null {
  const lines = body.split('\n').map((line) => line.trim());
  const fits = (line: string) =>
    line.length >= LINE_LENGTHS.least && line.length <= LINE_LENGTHS.most && !REPLACED.test(line);
  const plain = lines.filter(fits);
  return plain.find((line) => !line.startsWith('#')) ?? plain[0] ?? null;
}
