/** A test as far as an estimate needs it. Times are in seconds. */
export interface TimedTest {
  /** What it took in earlier runs; null if there are none. */
  readonly expected: number | null;
  /** How long it has been running; null if it is not. */
  readonly running: number | null;
  /** How long it took in this run; null if it has not ended, or was skipped. */
  readonly took: number | null;
  /** Whether it has ended, or was skipped. */
  readonly settled: boolean;
}

/** How much slower or faster than earlier runs this one may be taken to be. */
const PACE = { least: 0.25, most: 4 } as const;
/** So many tests must have ended before they say how fast this run is. */
const ENOUGH = 3;

/**
 * Estimates how many seconds are left: from what open tests took in earlier runs, or else from what the others took in
 * this one, at the rate at which this run gets work done. Returns null as long as nothing is known.
 */
export function estimateLeft(tests: readonly TimedTest[], elapsed: number): number | null {
  const ended = tests.filter(({ took }) => took !== null);
  const settled = tests.filter((test) => test.settled).length;
  const open = tests.filter((test) => !test.settled);
  const usual = averageOf(ended.map(({ took }) => took ?? 0));
  if (usual === null && open.every(({ expected }) => expected === null)) return null;
  const pace = paceOf(ended);
  // Some of the tests that no earlier run knows will be skipped, as others were.
  const share = settled === 0 ? 1 : ended.length / settled;
  const left = open.map(({ expected, running }) => {
    const whole = expected === null ? (usual ?? 0) * (running === null ? share : 1) : expected * pace;
    return Math.max(0, whole - (running ?? 0));
  });
  const done = [...ended.map(({ took }) => took ?? 0), ...open.map(({ running }) => running ?? 0)];
  const atOnce = Math.max(
    1,
    elapsed > 1 ? sum(done) / elapsed : open.filter((test) => test.running !== null).length,
  );
  return Math.max(sum(left) / atOnce, ...left);
}

/** Returns how this run's times compare with those of earlier runs: 2 means that it takes twice as long. */
function paceOf(ended: readonly TimedTest[]): number {
  const known = ended.filter(({ expected }) => expected !== null && expected > 0);
  if (known.length < ENOUGH) return 1;
  const ratio = sum(known.map(({ took }) => took ?? 0)) / sum(known.map(({ expected }) => expected ?? 0));
  return Math.min(Math.max(ratio, PACE.least), PACE.most);
}

function averageOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : sum(numbers) / numbers.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
