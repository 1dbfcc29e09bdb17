import {
  cutToBudget,
  formatMemory,
  MEMORY_SECTIONS,
  type Memory,
  type MemoryType,
  renderMemories,
} from '../store/memories.js';
import { ellipsize } from '../text.js';

const SIGNS: Readonly<Record<MemoryType, string>> = {
  pattern: '🔄',
  decision: '⚖️',
  fix: '🔧',
  context: '📍',
};

/** Renders memories as a table. */
export function renderTable(memories: readonly Memory[]): string {
  const rows = memories.map(({ type, created, tags, content }, index) => {
    const cells = [
      String(index + 1).padStart(3),
      `${SIGNS[type]} ${type.padEnd(7)}`,
      describeAge(created).padEnd(12),
      ellipsize(tags.join(', ') || '-', 16).padEnd(16),
      ellipsize(content.replaceAll('\n', ' '), 50),
    ];
    return `${cells.join(' | ')}\n`;
  });
  return `\n  # | Type      | Age          | Tags             | Content\n----|-----------|--------------|------------------|----------------------------------------\n${rows.join('')}\nShowing ${memories.length} memories • Use \`ralph tools memory show <id>\` for details\n`;
}

/** Describes how long ago a day was; a day of a year ago or earlier stays a date. */
function describeAge(date: string, today = new Date().toISOString().slice(0, 10)): string {
  const days = (Date.parse(today) - Date.parse(date)) / 86_400_000;
  const weeks = Math.floor(days / 7);
  if (days === 0) return 'today';
  if (days === 1) return 'yesterday';
  if (days >= 2 && days < 7) return `${days} days ago`;
  if (days >= 7 && days < 28) return `${weeks} week${weeks === 1 ? '' : 's'} ago`;
  if (days >= 28 && days < 45) return '1 month ago';
  if (days >= 45 && days < 90) return '2 months ago';
  const months = Math.trunc(days / 30);
  return months < 12 ? `${months} months ago` : date;
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
  const bar = '─'.repeat(64);
  return [
    '',
    `┌${bar}┐`,
    `│ ${SIGNS[memory.type]} ${memory.type.toUpperCase()}`,
    `└${bar}┘`,
    '',
    `  ID:      ${memory.id}`,
    `  Created: ${describeAge(memory.created)} (${memory.created})`,
    `  Tags:    ${tags}`,
    '',
    '  Content:',
    `  ${'─'.repeat(61)}`,
    `  ${body}`,
    '\n',
  ].join('\n');
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
