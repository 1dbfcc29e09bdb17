/** A random UUID. Not that of node:crypto: to load it takes 3 to 7 of the 20 ms that a stand-in costs beside the bare Node. */
export function randomUUID(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16));
  digits[12] = '4';
  digits[16] = '89ab'.charAt(Math.floor(Math.random() * 4));
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ];
  return groups.map((group) => group.join('')).join('-');
}

/** An id that nothing else has: a CLI that sees an id again rewrites its history. */
export function makeId(prefix: string): string {
  return `${prefix}${randomUUID().replaceAll('-', '')}`;
}
