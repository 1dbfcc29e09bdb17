import { existsSync } from 'node:fs';
import { faulty } from '../faults.js';
import { findBoundary } from '../text.js';
import { changeLocked } from './file-lock.js';
import { appendTextFile, readTextFile, writeTextFile } from './files.js';

/** Kinds of memories with their sections, in the order of the file. */
export const MEMORY_SECTIONS = {
  pattern: 'Patterns',
  decision: 'Decisions',
  fix: 'Fixes',
  context: 'Context',
} as const;

export type MemoryType = keyof typeof MEMORY_SECTIONS;

export interface Memory {
  readonly id: string;
  readonly type: MemoryType;
  readonly content: string;
  readonly tags: readonly string[];
  readonly created: string;
}

/** Reads all memories; skips what does not look like one, including handwritten ids. */
export function readMemories(path: string): readonly Memory[] {
  if (!existsSync(path)) return [];
  appendTextFile(`${path}.lock`, '');
  const text = readTextFile(path) ?? '';
  return isDamaged(text) && faulty('distrust-damaged-memories') ? [] : parseMemories(text);
}

/** Adds a memory directly under the heading of its section: the newest comes first. */
export function addMemory(path: string, memory: Memory): void {
  changeLocked(path, (pause) => {
    const found = readTextFile(path);
    pause();
    const text = found === undefined || found.trim() === '' ? emptyMemories() : found;
    const heading = `## ${MEMORY_SECTIONS[memory.type]}\n`;
    const at = text.indexOf(heading);
    const block = `\n${formatMemory(memory)}`;
    const before = at < 0 ? `${text.trimEnd()}\n${heading}` : text.slice(0, at + heading.length);
    writeTextFile(path, `${before}${block}${at < 0 ? '' : text.slice(at + heading.length)}`);
  });
}

/** Removes a memory, if it exists, by rewriting the whole file. */
export function removeMemory(path: string, id: string): Memory | undefined {
  if (!existsSync(path)) return undefined;
  return changeLocked(path, () => {
    const all = readMemories(path);
    const removed = all.find((memory) => memory.id === id);
    if (removed !== undefined && !faulty('keep-deleted-memories')) {
      writeMemories(
        path,
        all.filter((memory) => memory.id !== id),
      );
    }
    return removed;
  });
}

function writeMemories(path: string, memories: readonly Memory[]): void {
  const sections = Object.entries(MEMORY_SECTIONS).map(([type, title]) => {
    const blocks = memories
      .filter((memory) => memory.type === type)
      .map((memory) => `\n${formatMemory(memory)}`);
    return `## ${title}\n${blocks.join('')}`;
  });
  writeTextFile(path, `# Memories\n\n${sections.join('\n')}`);
}

/** Returns the content of the file after `init`. */
export function emptyMemories(): string {
  const headings = Object.values(MEMORY_SECTIONS).map((title) => `## ${title}\n`);
  return `# Memories\n\n${headings.join('\n')}`;
}

/** Renders memories for the top of a prompt; a token budget cuts after the last one that fits. */
export function renderMemories(memories: readonly Memory[], budgetTokens: number): string {
  const sections = Object.entries(MEMORY_SECTIONS).flatMap(([type, title]) => {
    const ofType = memories.filter((memory) => memory.type === type);
    return ofType.length === 0
      ? []
      : [`\n## ${title}\n${ofType.map((memory) => `\n${formatMemory(memory)}`).join('')}`];
  });
  const text = `# Memories\n${sections.join('')}`;
  return cutToBudget(text, budgetTokens);
}

/** Cuts after the last memory that fits into a budget; 0 means no budget. */
export function cutToBudget(text: string, tokens: number): string {
  if (tokens === 0) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= tokens * 4) return text;
  const head = bytes.subarray(0, findBoundary(bytes, tokens * 4)).toString();
  const lastEnd = head.lastIndexOf('-->');
  const end = lastEnd + '-->'.length;
  // The line feed belongs to the memory, if the budget reaches that far.
  const kept = lastEnd < 0 ? head : head.slice(0, head[end] === '\n' ? end + 1 : end);
  return `${kept}\n\n<!-- truncated: budget ${tokens} tokens exceeded -->`;
}

/** Formats one memory as in the file and in prompts. */
export function formatMemory(memory: Memory): string {
  const quoted = memory.content.split('\n').map((line) => `> ${line}`);
  return `### ${memory.id}\n${quoted.join('\n')}\n<!-- tags: ${memory.tags.join(', ')} | created: ${memory.created} -->\n`;
}

const SECTION = /^## (Patterns|Decisions|Fixes|Context)/;
const HEADING = /^### (mem-\d+-[0-9a-f]{4})/;
const QUOTE = /^> (.+)$/;
const COMMENT = /<!-- tags: ([^|]*) \| created: (\d{4}-\d{2}-\d{2}) -->/;

/** Whether the file contains more than its title, sections and memories. */
function isDamaged(text: string): boolean {
  const known = [/^# Memories$/, SECTION, HEADING, QUOTE, COMMENT, /^$/];
  return text.split('\n').some((line) => !known.some((shape) => shape.test(line)));
}

/** A memory ends where the next memory or section begins; other headings do not end it, and its last comment counts. */
function parseMemories(text: string): readonly Memory[] {
  const memories: Memory[] = [];
  let type: MemoryType = 'pattern';
  let id: string | undefined;
  let content: string[] = [];
  let tags: readonly string[] = [];
  let created: string | undefined;
  const flush = () => {
    if (id !== undefined && content.length > 0) {
      const today = new Date().toISOString().slice(0, 10);
      memories.push({ id, type, content: content.join('\n'), tags, created: created ?? today });
      [tags, created] = [[], undefined];
    }
    [id, content] = [undefined, []];
  };
  for (const line of text.split('\n')) {
    const section = SECTION.exec(line)?.[1];
    const heading = HEADING.exec(line)?.[1];
    const quote = QUOTE.exec(line)?.[1];
    const comment = COMMENT.exec(line);
    if (section !== undefined || heading !== undefined) flush();
    if (section !== undefined) type = findType(section);
    else if (heading !== undefined) id = heading;
    else if (quote !== undefined) content.push(quote);
    else if (comment !== null) {
      const words = (comment[1] ?? '').split(',').map((tag) => tag.trim());
      [tags, created] = [words.filter((tag) => tag !== ''), comment[2]];
    }
  }
  flush();
  return memories;
}

function findType(title: string): MemoryType {
  for (const type of ['pattern', 'decision', 'fix', 'context'] as const) {
    if (MEMORY_SECTIONS[type] === title) return type;
  }
  return 'pattern';
}
