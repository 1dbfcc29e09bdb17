/**
 * Names a text by 64 bits. Stand-ins do that for every prompt, and loading node:crypto for it takes longer than all else
 * that a short answer does. It tells texts apart, and does not stop somebody who makes one with the same name: whoever
 * can change a prompt in Ralph's log can change the log of the stand-ins as well.
 */
export function fingerprint(text: string): string {
  const length = Buffer.byteLength(text);
  // Whole words of four bytes, the last one filled with zeros.
  const bytes = Buffer.alloc(Math.ceil(length / 4) * 4);
  bytes.write(text);
  let [high, low] = [length, ~length];
  for (const word of new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)) {
    high = Math.imul(high ^ word, 0x9e3779b1);
    high ^= high >>> 15;
    low = Math.imul(low ^ word, 0x85ebca77);
    low ^= low >>> 13;
  }
  return toHex(high ^ Math.imul(low, 0xc2b2ae3d)) + toHex(low);
}

function toHex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
