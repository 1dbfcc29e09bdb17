import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { type HeadedFile, type ParseYaml, readHeaded } from '../../../backends/claude/plugins/head.js';

/** Claude Code takes the last of two equal keys. */
export const parsePluginYaml: ParseYaml = (text) => parse(text, { uniqueKeys: false, logLevel: 'error' });

/** Reads a command, agent or skill: a markdown file with a description at its head. */
export async function readMarkdownFile(path: string): Promise<HeadedFile> {
  return readHeaded(await readFile(path, 'utf8'), parsePluginYaml);
}
