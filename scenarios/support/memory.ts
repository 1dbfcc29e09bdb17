import { type Errand, loop } from '../../src/authoring.js';

/** A memory of the file that a scenario begins with. */
interface StoredMemory {
  readonly id: string;
  readonly type: 'pattern' | 'decision' | 'fix' | 'context';
  readonly content: string;
  readonly tags?: readonly string[];
}

const SECTIONS = { pattern: 'Patterns', decision: 'Decisions', fix: 'Fixes', context: 'Context' } as const;

/** Where ralph keeps memories, in a form that people can read and git can merge. */
export const MEMORY_FILE = '.ralph/agent/memories.md';

/** The files of a workspace that remembers these things already. */
export function remembering(...memories: readonly StoredMemory[]): Readonly<Record<string, string>> {
  const sections = Object.entries(SECTIONS).map(([type, title]) => {
    const blocks = memories.filter((memory) => memory.type === type).map(renderMemory);
    return `## ${title}\n${blocks.map((block) => `\n${block}`).join('')}`;
  });
  return { [MEMORY_FILE]: `# Memories\n\n${sections.join('\n')}` };
}

function renderMemory({ id, content, tags = [] }: StoredMemory): string {
  return `### ${id}\n> ${content}\n<!-- tags: ${tags.join(', ')} | created: 2026-01-31 -->\n`;
}

/** A loop without memories: their commands work all the same, and the prompt is short enough for every backend. */
export const COMMANDS_ONLY = loop({ maxIterations: 3 });

/** Lists all memories, for programs. */
export const LIST_MEMORIES = 'tools memory list --format json';

/** Runs ralph with these arguments, none of which has a space in it. */
export function asking(args: string): Errand {
  return { ralph: args.split(' ') };
}

/** Makes up an id in ralph's form that no leftover of another attempt has. */
export const memoryId = (a: number, b: number) => `mem-1700000${a}-0${b}`;

/** Backends that get prompts of more than 7,000 bytes without a detour: with memories on, all are that long. */
export const LONG_PROMPT_BACKENDS = ['claude'] as const;

/** What most scenarios remember, and how an agent recognizes it. */
export const codeword = (word: string) => `The codeword of this project is ${word}`;
export const CODEWORD = { regex: 'codeword of this project is (\\w+)' };
