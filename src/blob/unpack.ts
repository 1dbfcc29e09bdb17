/** Thrown if a blob unpacks to more than it may, or ends too early. */
export class Excess extends Error {}

/** Reads lines and bytes from a stream, and never holds more than it was asked for. */
export interface Unpacker {
  /** Returns the next line without its line feed; null at the end. Throws if it is longer than this. */
  readonly line: (maxBytes: number) => Promise<string | null>;
  readonly bytes: (count: number) => Promise<Buffer>;
}

const NEW_LINE = '\n'.charCodeAt(0);

/** Creates the reader of a stream that may have this many bytes. */
export function createUnpacker(stream: AsyncIterable<Buffer>, maxBytes: number): Unpacker {
  const pieces = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let total = 0;
  const more = async (): Promise<boolean> => {
    const next = await pieces.next();
    if (next.done) return false;
    rest = next.value;
    total += rest.length;
    if (total > maxBytes) throw new Excess(`more than ${maxBytes} bytes when unpacked`);
    return true;
  };
  const take = (count: number): Buffer => {
    const taken = rest.subarray(0, count);
    rest = rest.subarray(count);
    return taken;
  };
  return {
    async line(longest) {
      const parts: Buffer[] = [];
      let length = 0;
      for (;;) {
        const end = rest.indexOf(NEW_LINE);
        const part = take(end < 0 ? rest.length : end);
        length += part.length;
        if (length > longest) throw new Excess(`a line of more than ${longest} bytes`);
        parts.push(part);
        if (end >= 0) {
          take(1);
          return Buffer.concat(parts).toString('utf8');
        }
        if (!(await more())) {
          if (length > 0) throw new Excess('a line without its end');
          return null;
        }
      }
    },
    async bytes(count) {
      const parts: Buffer[] = [];
      for (let missing = count; missing > 0; ) {
        if (rest.length === 0 && !(await more())) throw new Excess('fewer bytes than recorded');
        const part = take(missing);
        parts.push(part);
        missing -= part.length;
      }
      return Buffer.concat(parts);
    },
  };
}
