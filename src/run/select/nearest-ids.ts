import { rankNearest } from '../../domain/common/nearest.js';

const SUGGESTED = 3;

/** Finds the ids that a misspelled id or part of an id most likely means, the nearest first. */
function nearestIds(asked: string, ids: readonly string[]): string[] {
  const text = asked.toLowerCase().replace(/[^\w-]/g, '');
  if (text === '') return [];
  const words = rankNearest(text, [...new Set(ids.flatMap((id) => id.split('-')))]);
  const near = [
    ...rankNearest(text, ids),
    ...ids.filter((id) => id.includes(text)),
    ...words.flatMap((word) => ids.filter((id) => id.split('-').includes(word))),
  ];
  return [...new Set(near)].slice(0, SUGGESTED);
}

/** Says where to find the right id: the nearest ones, and the command that lists all. */
export function adviseOnIds(asked: readonly string[], ids: readonly string[]): string {
  const near = [...new Set(asked.flatMap((text) => nearestIds(text, ids)))].slice(0, SUGGESTED);
  const nearest = near.length === 0 ? '' : `Nearest: ${near.join(', ')}. `;
  return `${nearest}\`ralph-e2e --list --suite all\` lists the ids.`;
}
