import { KnownError } from '../../domain/common/known-error.js';

/** Reads `--ralph`: nothing (the default), one Ralph to test, or two to compare. */
export function readRalphs(
  named: readonly string[] = [],
): readonly [ralph: string | undefined, other?: string] {
  const [first, second, ...more] = named;
  if (more.length > 0) {
    throw new KnownError(`--ralph: expected one Ralph, or two to compare, found ${more.length + 2}.`, {
      hint: 'Compare more than two in pairs: ralph-e2e compare <run> <run>.',
    });
  }
  if (first !== undefined && first === second) {
    throw new KnownError(`--ralph: expected two different programs to compare, found ${first} twice.`, {
      hint: 'Name it once to test it.',
    });
  }
  return second === undefined ? [first] : [first, second];
}
