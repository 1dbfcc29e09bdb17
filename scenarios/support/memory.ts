import {
  type Arrangement,
  changingSteps,
  type Errand,
  loop,
  type Saboteur,
  without,
} from '../../src/authoring.js';

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

/** Files of a workspace in which these things are remembered already. */
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

/** What nearly every scenario is tried with. */
export const neverCompletes: Saboteur<Arrangement, 'ends'> = {
  agent: without('completes'),
  kills: ['ends'],
  failure: 'UnexpectedTermination',
};

/** The same agent, but with other words in the commands that it runs. */
export function runningInstead(words: string, others: string) {
  return changingSteps((step) =>
    step.do === 'run' ? [{ ...step, command: step.command.replaceAll(words, others) }] : [step],
  );
}

/** The commands work whether or not the loop uses memories; without them the prompt is short enough for every backend. */
export const COMMANDS_ONLY = loop({ maxIterations: 3 });

export const LIST = 'tools memory list --format json';

/** An errand of ralph whose arguments have no blanks. */
export function asking(args: string): Errand {
  return { ralph: args.split(' ') };
}

/** A made-up id of the form that ralph gives: no leftover of another attempt has the same. */
export const idOf = (a: number, b: number) => `mem-1700000${a}-0${b}`;

/** With memories on, prompts are longer than 7,000 bytes: only Claude Code gets those without a detour. */
export const BACKENDS = ['claude'] as const;

/** What most scenarios have remembered, and how an agent recognises it. */
export const codeword = (word: string) => `The codeword of this project is ${word}`;
export const CODEWORD = { regex: 'codeword of this project is (\\w+)' };
