import { type Errand, loop, memoryStored } from '../../src/authoring.js';

/** A memory in the file that a scenario starts with. */
export interface StoredMemory {
  readonly id: string;
  readonly type: 'pattern' | 'decision' | 'fix' | 'context';
  readonly content: string;
  readonly tags?: readonly string[];
}

const SECTIONS = { pattern: 'Patterns', decision: 'Decisions', fix: 'Fixes', context: 'Context' } as const;

/** Where Ralph keeps memories, as text that people can read and git can merge. */
export const MEMORY_FILE = '.ralph/agent/memories.md';

/** Returns the files for a workspace that already has these memories. */
export function remembering(...memories: readonly StoredMemory[]): Readonly<Record<string, string>> {
  const sections = Object.entries(SECTIONS).map(([type, title]) => {
    const blocks = memories.filter((memory) => memory.type === type).map(renderMemory);
    return `## ${title}\n${blocks.map((block) => `\n${block}`).join('')}`;
  });
  return { [MEMORY_FILE]: `# Memories\n\n${sections.join('\n')}` };
}

/** Renders a memory as in the file and in a prompt. */
export function renderMemory({ id, content, tags = [] }: StoredMemory): string {
  return `### ${id}\n> ${content.replaceAll('\n', '\n> ')}\n<!-- tags: ${tags.join(', ')} | created: 2026-01-31 -->\n`;
}

/** A loop without memories: the memory commands still work, and the prompt is short enough for every backend. */
export const COMMANDS_ONLY = loop({ maxIterations: 3 });

/** Lists all memories as JSON. */
export const LIST_MEMORIES = 'tools memory list --format json';

/** Adds a memory: the command must work, whatever the agent did instead of running it. */
const HARNESS_MEMORY = 'added-by-the-harness';
export const ADDING = { ralph: ['tools', 'memory', 'add', HARNESS_MEMORY, '--type', 'context'] } as const;

/** Checks that the memory of `ADDING` is stored. */
export const memoryAdded = () => memoryStored({ content: HARNESS_MEMORY, type: 'context' });

/** Runs ralph with these arguments. No argument may contain a space. */
export function asking(args: string): Errand {
  return { ralph: args.split(' ') };
}

/** Makes a memory id in Ralph's format that no leftover from another attempt has. */
export const memoryId = (a: number, b: number) => `mem-1700000${a}-0${b}`;

/** Backends that take prompts of more than 7,000 bytes directly. With memories on, all prompts are that long. */
export const LONG_PROMPT_BACKENDS = ['claude'] as const;

/** The memory that most scenarios use, and how the scripted agent recognizes it. */
export const codeword = (word: string) => `The codeword of this project is ${word}`;
export const CODEWORD = { regex: 'codeword of this project is (\\w+)' };
