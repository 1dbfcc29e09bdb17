/** Returns the candidate that a misspelled word most likely means, if one is close enough. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  return rankNearest(word, candidates)[0];
}

/** Asks whether a misspelled word means the nearest candidate: `Did you mean hat-single? `. Empty if none is near. */
export function suggestNearest(word: string, candidates: readonly string[]): string {
  const nearest = findNearest(word, candidates);
  return nearest === undefined ? '' : `Did you mean ${nearest}? `;
}

/** Returns the candidates that a misspelled word may mean, closest first. Those that sound alike may be farther away. */
export function rankNearest(word: string, candidates: readonly string[]): string[] {
  const limit = Math.max(1, Math.floor((word.length + 1) / 3));
  return candidates
    .map((candidate) => ({ candidate, distance: rate(normalize(word), normalize(candidate)) }))
    .filter(({ candidate, distance }) => distance <= limit || soundAlike(word, candidate))
    .sort((one, other) => one.distance - other.distance)
    .map(({ candidate }) => candidate);
}

/** A word that starts with the other one counts as one letter away. */
function rate(one: string, other: string): number {
  const begun = Math.min(one.length, other.length) >= 4 && (one.startsWith(other) || other.startsWith(one));
  const distance = measureDistance(one, other);
  return begun ? Math.min(distance, 1) : distance;
}

/** Whether two words have the same consonants: `clod` and `claude`, `ralf` and `ralph`. */
function soundAlike(one: string, other: string): boolean {
  const [sound, wanted] = [one, other].map((word) =>
    normalize(word)
      .replaceAll('ph', 'f')
      .replaceAll(/[aeiouy]/g, ''),
  );
  return sound === wanted && (sound?.length ?? 0) >= 3;
}

/** `maxMatches`, `max-matches` and `max_matches` are the same word. */
function normalize(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '');
}

/** Counts the letters that must be changed, added, dropped or swapped with a neighbor. */
function measureDistance(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swap = swapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row[j] = Math.min(change, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, swap);
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}
