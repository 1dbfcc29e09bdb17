import type { Check } from '../../../domain/check.js';
import { countNoun, excerpt, list, quote } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import type { Evidence, Memory } from '../../../domain/evidence/evidence.js';
import { parseMemories } from '../evidence/memory-text.js';
import { aboutIteration, promptOf, type Where } from './agent.js';

/** A memory to look for. */
export interface WantedMemory {
  /** Its whole text. */
  readonly content: string;
  /** Its type; any type if left out. */
  readonly type?: 'pattern' | 'decision' | 'fix' | 'context';
  /** Its tags, in this order; any tags if left out. */
  readonly tags?: readonly string[];
}

/** Checks that the store has this memory at the end. */
export function memoryStored(wanted: WantedMemory): Check {
  return {
    kind: 'memoryStored',
    judges: 'agent',
    name: `${describe(wanted)} is stored`,
    about: { text: wanted.content },
    category: 'FileContains',
    judge: ({ memories }) => ({
      passed: memories.some((memory) => isWanted(memory, wanted)),
      expected: `${describe(wanted)} in the store`,
      actual: describeAll(memories),
      suggestion: 'Did the agent run the command, and what did Ralph answer? Look at the tool calls.',
    }),
  };
}

/** Checks that the store has no memory with this text at the end. */
export function memoryAbsent(content: string): Check {
  return onUncut('memories', {
    kind: 'memoryAbsent',
    judges: 'course',
    name: `no memory says ${quote(content)}`,
    about: { text: content },
    category: 'FileContains',
    judge: ({ memories }) => ({
      passed: memories.every((memory) => memory.content !== content),
      expected: `no memory ${quote(content)} in the store`,
      actual: describeAll(memories),
    }),
  });
}

/** Checks that Ralph put this memory into the prompt, under the heading of its type. */
export function memoryInjected(wanted: WantedMemory, where: Where = {}): Check {
  return {
    kind: 'memoryInjected',
    judges: 'course',
    name: `${describe(wanted)} is in ${promptOf(where)}`,
    about: { ...aboutIteration(where), text: wanted.content },
    category: 'PromptContent',
    judge: (evidence) => {
      const prompts = pickPrompts(evidence, where);
      const injected = prompts.flatMap((prompt) => parseMemories(readMemoryBlock(prompt) ?? ''));
      return {
        passed: injected.some((memory) => isWanted(memory, wanted)),
        expected: `${describe(wanted)} among the memories in ${promptOf(where)}`,
        actual: prompts.length === 0 ? NO_PROMPT : describeAll(injected),
        suggestion: 'Is it in the store? If so, Ralph did not put it into the prompt.',
      };
    },
  };
}

/** Checks that the prompt does not contain this text anywhere. Fails if there is no prompt. */
export function keptOutOfPrompt(text: string, where: Where = {}): Check {
  return onUncut('prompts', {
    kind: 'keptOutOfPrompt',
    name:
      where.iteration === undefined
        ? `${quote(text)} is in no prompt`
        : `${quote(text)} is not in ${promptOf(where)}`,
    about: { ...aboutIteration(where), text },
    category: 'PromptContent',
    judge: (evidence) => {
      const prompts = pickPrompts(evidence, where);
      const found = prompts.filter((prompt) => prompt.includes(text)).length;
      return {
        passed: prompts.length > 0 && found === 0,
        expected: `${promptOf(where)} without ${quote(text)}`,
        actual:
          prompts.length === 0 ? NO_PROMPT : `found in ${found} of ${countNoun(prompts.length, 'prompt')}`,
      };
    },
  });
}

/** Checks that the prompt has no section for memories. */
export function noMemoriesInjected(where: Where = {}): Check {
  return onUncut('prompts', {
    kind: 'noMemoriesInjected',
    name: where.iteration === undefined ? 'no prompt has memories' : `${promptOf(where)} has no memories`,
    about: aboutIteration(where),
    category: 'PromptContent',
    judge: (evidence) => {
      const prompts = pickPrompts(evidence, where);
      const blocks = prompts.flatMap((prompt) => readMemoryBlock(prompt) ?? []);
      return {
        passed: prompts.length > 0 && blocks.length === 0,
        expected: `${promptOf(where)} without a section for memories`,
        actual:
          prompts.length === 0
            ? NO_PROMPT
            : list(
                blocks.map((block) => excerpt(block)),
                'no such section',
              ),
      };
    },
  });
}

/** Ralph counts four bytes as a token. */
const BYTES_PER_TOKEN = 4;

/** Checks that the memories in the prompt were cut to a budget: only whole memories that fit, and a note about the cut. */
export function memoryBudgetKept(tokens: number, where: Where = {}): Check {
  return {
    kind: 'memoryBudgetKept',
    name: `the memories are cut to ${tokens} tokens${suffix(where)}`,
    about: { ...aboutIteration(where), limit: tokens },
    category: 'PromptContent',
    judge: (evidence) => {
      const block = pickPrompts(evidence, where)
        .flatMap((prompt) => readMemoryBlock(prompt) ?? [])
        .at(0);
      const [kept = '', note] = (block ?? '').split(/\n\n(?=<!-- truncated: )/);
      const bytes = Buffer.byteLength(kept);
      const whole = kept.trimEnd().endsWith('-->');
      return {
        passed: whole && bytes <= tokens * BYTES_PER_TOKEN && note?.includes(`budget ${tokens} `) === true,
        expected: `at most ${tokens * BYTES_PER_TOKEN} bytes of whole memories, and a note about the cut`,
        actual:
          block === undefined
            ? 'no memories in the prompt'
            : `${bytes} bytes, ${whole ? 'all whole' : 'the last one cut'}, note: ${note?.trim() ?? 'none'}`,
      };
    },
  };
}

const NO_PROMPT = 'Ralph logged no such prompt';

/** Returns the memories of a prompt: from their heading to the skills or the orientation, whichever Ralph put next. */
function readMemoryBlock(prompt: string): string | null {
  return /(?:^|\n)(# Memories\n[\s\S]*?)(?=\n### 0a\. |\n<[\w-]+-skill>|$)/.exec(prompt)?.[1] ?? null;
}

function pickPrompts({ iterations }: Evidence, { iteration }: Where): readonly string[] {
  return iterations
    .filter(({ number }) => iteration === undefined || number === iteration)
    .flatMap(({ prompt }) => prompt ?? []);
}

function isWanted(memory: Memory, { content, type, tags }: WantedMemory): boolean {
  return (
    memory.content === content &&
    (type === undefined || memory.type === type) &&
    (tags === undefined || tags.join() === memory.tags.join())
  );
}

function describe({ content, type, tags }: WantedMemory): string {
  const tagged = tags === undefined ? '' : ` with the tags ${list(tags)}`;
  return `the ${type === undefined ? '' : `${type} `}memory ${quote(content)}${tagged}`;
}

function describeAll(memories: readonly Memory[]): string {
  const shown = memories
    .slice(0, 8)
    .map(({ type, content, tags }) => `${type} ${quote(content)} (${list(tags, 'no tags')})`);
  const more = memories.length > 8 ? `, and ${memories.length - 8} more` : '';
  return `${list(shown, 'no memories')}${more}`;
}

function suffix({ iteration }: Where): string {
  return iteration === undefined ? '' : ` in iteration ${iteration}`;
}

/** Checks that the runtime task with this title has this status at the end. */
export function taskIs(title: string, status: 'open' | 'in_progress' | 'closed' | 'failed'): Check {
  return {
    kind: 'taskIs',
    judges: 'agent',
    name: `task "${title}" is ${status}`,
    about: { task: title },
    category: 'FileContains',
    judge: ({ tasks }) => ({
      passed: tasks.some((task) => task.title === title && task.status === status),
      expected: `task "${title}" with status ${status}`,
      actual: list(
        tasks.map((task) => `"${task.title}" is ${task.status}`),
        'no tasks',
      ),
    }),
  };
}
