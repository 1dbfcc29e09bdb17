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

/** Ranks the ids that share pairs of letters with a text, the most alike first. */
function rankAlike(text: string, ids: readonly string[]): string[] {
  const wanted = pairsOf(text);
  const rate = (id: string) => {
    const pairs = pairsOf(id);
    const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
    return (2 * shared) / (pairs.size + wanted.size);
  };
  return ids
    .map((id) => ({ id, rating: rate(id) }))
    .filter(({ rating }) => rating > 0)
    .sort((a, b) => b.rating - a.rating)
    .map(({ id }) => id);
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

/** Says where to find the right id: the nearest ones, and the command that lists all. */
export function adviseOnIds(asked: readonly string[], ids: readonly string[]): string {
  const close = asked.flatMap((text) => nearestIds(text, ids));
  const alike = asked.flatMap((text) => rankAlike(text.toLowerCase(), ids));
  const near = [...new Set([...close, ...alike])].slice(0, SUGGESTED);
  const nearest = near.length === 0 ? '' : `Nearest: ${near.join(', ')}. `;
  return `${nearest}\`ralph-e2e --list --suite all\` lists the ids.`;
}
