/** Compares the versions in two texts (`ralph 2.10.1`): below, equal to or above zero; null if a text has no version. */
export function compareVersions(a: string, b: string): number | null {
  const [left, right] = [readVersion(a), readVersion(b)];
  if (left === null || right === null) return null;
  for (let place = 0; place < Math.max(left.length, right.length); place += 1) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function readVersion(text: string): readonly number[] | null {
  const found = /(?<!\d)\d+(?:\.\d+)+/.exec(text);
  return found === null ? null : found[0].split('.').map(Number);
}
