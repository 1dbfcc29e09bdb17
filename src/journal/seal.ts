import { createHash } from 'node:crypto';

/**
 * Each line of a journal ends with a hash of itself and of the seal before it, so a line that somebody changed, dropped,
 * added or moved shows. The hash has no key: it reveals damage, but whoever has the user's rights can compute it again.
 */
const SEAL = /,"seal":"([0-9a-f]{32})"\}$/;

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
    add(line: string): void {
      count += 1;
      if (damaged !== null || line.trim() === '') return;
      const seal = SEAL.exec(line)?.[1];
      if (seal === sealOf(last, line.replace(SEAL, '}'))) last = seal;
      else damaged = count;
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

function sealOf(last: string, json: string): string {
  return createHash('sha256').update(`${last}\n${json}`).digest('hex').slice(0, 32);
}
