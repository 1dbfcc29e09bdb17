/** Makes a random UUID without node:crypto, whose loading takes 3 to 7 of the 20 ms a stand-in adds to bare Node. */
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

/** Makes a unique id. A CLI that sees an id twice rewrites its history. */
export function makeId(prefix: string): string {
  return `${prefix}${randomUUID().replaceAll('-', '')}`;
}
