import {
  cutToBudget,
  formatMemory,
  MEMORY_SECTIONS,
  type Memory,
  renderMemories,
} from '../store/memories.js';
import { ellipsize } from '../text.js';

/** Renders memories as a table. */
export function renderTable(memories: readonly Memory[]): string {
  const rows = memories.map(({ type, created, tags, content }, index) => {
    const cells = [type.padEnd(9), created.padEnd(12), ellipsize(tags.join(', ') || '-', 16).padEnd(16)];
    return `${String(index + 1).padStart(3)} | ${cells.join(' | ')} | ${ellipsize(content.replaceAll('\n', ' '), 40)}\n`;
  });
  return `\n  # | Type      | Created      | Tags             | Content\n----|-----------|--------------|------------------|----------------------------------------\n${rows.join('')}\nShowing ${memories.length} memories • Use \`ralph tools memory show <id>\` for details\n`;
}

/** Renders memories for an agent; a budget cuts every format. */
export function renderPrimed(memories: readonly Memory[], format: string, budget: number): string {
  return cutToBudget(renderAll(memories, format), budget);
}

function renderAll(memories: readonly Memory[], format: string): string {
  switch (format) {
    case 'json':
      return JSON.stringify(memories.map(toJson), null, 2);
    case 'quiet':
      return memories.map(({ id }) => `${id}\n`).join('');
    case 'table':
      return memories.map((memory) => `${renderPlain(memory)}\n`).join('');
    default:
      return renderMemories(memories, 0);
  }
}

function renderPlain({ id, type, content, tags, created }: Memory): string {
  const tagLine = tags.length === 0 ? '' : `Tags: ${tags.join(', ')}\n`;
  return `# ${id} [${MEMORY_SECTIONS[type]}]\n${content}\n${tagLine}Created: ${created}\n`;
}

/** Renders one memory for people. */
export function renderDetails(memory: Memory): string {
  const tags = memory.tags.join(', ') || '-';
  const body = memory.content.replaceAll('\n', '\n  ');
  return `\n${memory.type.toUpperCase()}\n\n  ID:      ${memory.id}\n  Created: ${memory.created}\n  Tags:    ${tags}\n\n  Content:\n  ${body}\n\n`;
}

/** Renders one memory for programs. */
export function renderOne(memory: Memory, format: string): string {
  if (format === 'json') return `${JSON.stringify(toJson(memory), null, 2)}\n`;
  return format === 'quiet' ? `${memory.id}\n` : formatMemory(memory);
}

/** Converts a memory to its JSON form. */
export function toJson({ id, type, content, tags, created }: Memory): Readonly<Record<string, unknown>> {
  return { id, memory_type: type, content, tags, created };
}
