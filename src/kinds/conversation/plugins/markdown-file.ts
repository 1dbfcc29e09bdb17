import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as z from 'zod';
import { messageOf } from '../../../domain/common/message-of.js';

/** A command, agent or skill: a markdown file with a description at its head. */
export interface MarkdownFile {
  readonly about: MarkdownHead;
  readonly body: string;
  /** Why the head cannot be read, or null. Claude Code loads such a file without its head. */
  readonly problem: string | null;
}

const aboutSchema = z.object({
  name: z.coerce.string().optional(),
  description: z.coerce.string().default(''),
  /** The names of a command's arguments, as a list or as words. */
  arguments: z
    .union([z.array(z.coerce.string()), z.string().transform((names) => names.match(/\S+/g) ?? [])])
    .optional(),
});
type MarkdownHead = z.infer<typeof aboutSchema>;

/** Reads a markdown file of a plugin. */
export async function readMarkdownFile(path: string): Promise<MarkdownFile> {
  const text = await readFile(path, 'utf8');
  const head = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  if (head === null) return { about: { description: '' }, body: text, problem: null };
  // Claude Code drops the space below a head, and keeps it where there is none.
  const body = text.slice(head[0].length).trimStart();
  const about = parseHead(head[1] ?? '');
  if ('problem' in about) return { about: { description: '' }, body, problem: about.problem };
  return { about: about.read, body, problem: null };
}

function parseHead(head: string): { read: z.infer<typeof aboutSchema> } | { problem: string } {
  try {
    const read = aboutSchema.safeParse(parse(head) ?? {});
    return read.success ? { read: read.data } : { problem: z.prettifyError(read.error) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
