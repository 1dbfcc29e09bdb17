import type { Memory } from '../../../domain/evidence/evidence.js';

const TYPES: Readonly<Record<string, string>> = {
  Patterns: 'pattern',
  Decisions: 'decision',
  Fixes: 'fix',
  Context: 'context',
};

/** Parses memories from their file or from a prompt, in the formats that Ralph itself recognizes. Skips anything else. */
export function parseMemories(text: string): Memory[] {
  const memories: Memory[] = [];
  let type = '';
  let current: Memory | null = null;
  for (const line of text.split('\n')) {
    const section = /^## (\w+)/.exec(line)?.[1];
    const id = /^### (mem-\d+-[0-9a-f]{4})/.exec(line)?.[1];
    const content = /^> (.+)$/.exec(line)?.[1];
    const footer = /<!-- tags: ([^|<]*) \| created: (\d{4}-\d{2}-\d{2}) -->/.exec(line);
    if (section !== undefined) {
      type = TYPES[section] ?? section.toLowerCase();
      current = null;
    } else if (id !== undefined) {
      current = { id, type, content: '', tags: [], created: null };
      memories.push(current);
    } else if (current !== null && content !== undefined) {
      current.content = current.content === '' ? content : `${current.content}\n${content}`;
    } else if (current !== null && footer !== null) {
      current.tags = (footer[1] ?? '')
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== '');
      current.created = footer[2] ?? null;
    }
  }
  return memories;
}
