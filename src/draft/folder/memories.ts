import { quoteWord } from '../../agent/engine/workflow.js';
import type { Step } from '../../domain/agent-script.js';
import type { Memory } from '../../domain/evidence/evidence.js';
import { parseMemories } from '../../kinds/ralph/evidence/memory-text.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import type { Timeline } from './timeline.js';

const FILE = '.ralph/agent/memories.md';
const HEADINGS = { pattern: 'Patterns', decision: 'Decisions', fix: 'Fixes', context: 'Context' } as const;

/** The memories of a folder: those from before the run, and those that it added. */
export interface FoundMemories {
  readonly before: Readonly<Record<string, string>>;
  readonly gaps: readonly string[];
  readonly added: readonly { readonly memory: Memory; readonly at: number; readonly step: Step }[];
}

/** Reads the memories. Their ids start with the time of creation, which separates new ones from old ones. */
export async function readMemories(
  reader: WorkspaceReader,
  timeline: Timeline | null,
): Promise<FoundMemories> {
  const memories = parseMemories((await reader.read(FILE)) ?? '').filter(({ content }) => content !== '');
  const since = Math.floor((timeline?.began ?? Number.POSITIVE_INFINITY) / 1000) * 1000;
  const isNew = ({ id }: Memory) => secondOf(id) >= since;
  const old = memories.filter((memory) => !isNew(memory));
  const isTyped = ({ type }: Memory) => Object.keys(HEADINGS).includes(type);
  return {
    gaps: memories
      .filter((memory) => !isTyped(memory))
      .map(({ id, type }) => `Memory ${id} has the type ${type}, which Ralph does not know.`),
    before: old.length === 0 ? {} : { [FILE]: renderMemories(old) },
    added: memories.filter(isNew).map((memory) => ({
      memory,
      at: secondOf(memory.id),
      step: { do: 'run', command: commandFor(memory) },
    })),
  };
}

function secondOf(id: string): number {
  return Number(/^mem-(\d+)-/.exec(id)?.[1] ?? 0) * 1000;
}

function commandFor({ content, type, tags }: Memory): string {
  const words = ['ralph', 'tools', 'memory', 'add', content, '--type', type];
  return [...words, ...(tags.length === 0 ? [] : ['--tags', tags.join(',')])].map(quoteWord).join(' ');
}

/** Renders the file as Ralph does. */
function renderMemories(memories: readonly Memory[]): string {
  const sections = Object.entries(HEADINGS).map(([type, heading]) => {
    const own = memories.filter((memory) => memory.type === type);
    return [`## ${heading}`, '', ...own.flatMap(renderMemory)].join('\n');
  });
  return ['# Memories', '', ...sections].join('\n');
}

function renderMemory({ id, content, tags, created }: Memory): string[] {
  const quoted = content.split('\n').map((line) => `> ${line}`);
  const footer = `<!-- tags: ${tags.join(', ')} | created: ${created ?? '2026-01-01'} -->`;
  return [`### ${id}`, ...quoted, footer, ''];
}
