import { createHash } from 'node:crypto';

/**
 * Each line of a journal ends with a hash of itself and of the seal before it, so a line that somebody changed, dropped,
 * added or moved shows. The hash has no key: it reveals damage, but whoever has the user's rights can compute it again.
 */
const SEAL = /^,"seal":"([0-9a-f]{32})"\}$/;
const SEAL_LENGTH = `,"seal":"${'0'.repeat(32)}"}`.length;

/** Seals the lines of a journal, one after the other. `last` is the seal of the line before. */
export function createSealer(last = ''): (json: string) => string {
  let before = last;
  return (json) => {
    before = sealOf(before, json);
    return `${json.slice(0, -1)},"seal":"${before}"}`;
  };
}

/** Checks the seals of a journal's lines, in order. */
export function createSealChecker() {
  let last = '';
  let count = 0;
  let damaged: number | null = null;
  return {
    /** Takes a line without its end. It is hashed as it is in the file: to decode 100 MB and encode them again takes long. */
    add(line: Buffer): void {
      count += 1;
      if (damaged !== null) return;
      const end = Math.max(0, line.length - SEAL_LENGTH);
      const seal = SEAL.exec(line.toString('latin1', end))?.[1];
      if (seal !== undefined && seal === sealOf(last, line.subarray(0, end), '}')) last = seal;
      else if (line.toString().trim() !== '') damaged = count;
    },
    /** The sealer for the lines after these, except one that a crash cut short. */
    next(): (json: string) => string {
      return createSealer(last);
    },
    /** Describes the damage, or returns null. A last line that a crash cut short is no damage. */
    end({ torn }: { readonly torn: boolean }): string | null {
      if (damaged === null || (torn && damaged === count)) return null;
      return `line ${damaged} is not what was written there`;
    },
  };
}

function sealOf(last: string, ...json: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256').update(`${last}\n`);
  for (const part of json) hash.update(part);
  return hash.digest('hex').slice(0, 32);
}
