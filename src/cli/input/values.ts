import { KnownError } from '../../domain/common/known-error.js';
import {
  CONTAINER_SCOPES,
  type ContainerScope,
  ISOLATIONS,
  type Isolation,
} from '../../domain/evidence/isolation.js';
import { FAULT_VARIABLE } from '../../domain/scenario/stand-in-faults.js';
import { SUITES, type Suite } from '../../domain/suites.js';
import { LANES, type Lane } from '../../domain/vocabulary.js';

/** Readers of option values. Their errors say what was expected, what was found and what to do. */

export function readLane(value: string): Lane {
  const lane = LANES.find((name) => name === value);
  if (lane !== undefined) return lane;
  throw new KnownError(`--lane ${value}: expected ${either(LANES)}.`);
}

export function readSuite(value: string): Suite {
  const suite = SUITES.find((name) => name === value);
  if (suite !== undefined) return suite;
  throw new KnownError(`--suite ${value}: expected ${either(SUITES)}.`);
}

const ANALYSES = ['auto', 'always', 'never'] as const;

export function readAnalysis(value: string): (typeof ANALYSES)[number] {
  const mode = ANALYSES.find((name) => name === value);
  if (mode !== undefined) return mode;
  throw new KnownError(`--analysis ${value}: expected ${either(ANALYSES)}.`);
}

export function readIsolation(flags: { readonly isolation: string; readonly container?: string }): {
  isolation: Isolation;
  container?: ContainerScope;
} {
  const isolation = ISOLATIONS.find((name) => name === flags.isolation);
  if (isolation === undefined)
    throw new KnownError(`--isolation ${flags.isolation}: expected ${either(ISOLATIONS)}.`);
  if (flags.container === undefined) return { isolation };
  const container = CONTAINER_SCOPES.find((name) => name === flags.container);
  if (container === undefined)
    throw new KnownError(`--container ${flags.container}: expected ${either(CONTAINER_SCOPES)}.`);
  if (isolation !== 'docker')
    throw new KnownError(`--container needs --isolation docker, but --isolation is ${isolation}.`);
  return { isolation, container };
}

/** Reads a comma-separated list of names; none if the option was not given. */
export function readNames<Name extends string>(
  option: string,
  names: readonly Name[],
  value: string | undefined,
): Name[] {
  return (value?.split(',') ?? []).map((word) => {
    const found = names.find((name) => name === word.trim());
    if (found !== undefined) return found;
    throw new KnownError(
      `${option} ${value}: expected a comma-separated list of ${names.join(', ')}; found "${word}".`,
    );
  });
}

/** Reads `90`, `90s` or `2m` as seconds. */
export function readSeconds(value: string): number {
  const match = /^(\d+(?:\.\d+)?)(s|m)?$/.exec(value.trim());
  const seconds = Number(match?.[1]) * (match?.[2] === 'm' ? 60 : 1);
  if (match !== null && seconds > 0) return seconds;
  throw new KnownError(`--timeout ${value}: expected a time such as 90, 90s or 2m.`);
}

/** Reads `5`, `0.50` or `$5` as dollars. */
export function readUsd(value: string): number {
  const match = /^\$?(\d+(?:\.\d+)?)$/.exec(value.trim());
  const usd = Number(match?.[1]);
  if (match !== null && usd > 0) return usd;
  throw new KnownError(`--max-cost ${value}: expected an amount in US dollars such as 5 or 0.50.`);
}

/** Reads a rate between 0 and 1. */
export function readRate(option: string, value: string): number {
  const rate = /^\d?\.\d+$/.test(value) ? Number(value) : Number.NaN;
  if (rate > 0 && rate < 1) return rate;
  throw new KnownError(`${option} ${value}: expected a rate between 0 and 1 such as 0.9.`);
}

export function readCount(option: string, minimum: number): (value: string) => number {
  return (value) => {
    if (/^\d+$/.test(value) && Number(value) >= minimum) return Number(value);
    throw new KnownError(`${option} ${value}: expected a whole number of at least ${minimum}.`);
  };
}

export function readSeed(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new KnownError(`--shuffle ${value}: expected a seed that an earlier run printed, or nothing.`, {
    hint: 'Put backends before it: `ralph-e2e claude --shuffle`.',
  });
}

export function readVariableName(value: string): string {
  const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(value);
  if (isName && process.env[value] !== undefined) return value;
  const found = isName ? 'but it is not set' : 'but this is not a name';
  throw new KnownError(`--env ${value}: expected the name of a variable that is set, ${found}.`, {
    hint: 'Set the variable in your shell and give only its name: `--env ANTHROPIC_BASE_URL`.',
  });
}

/**
 * Reads the names of variables to pass. The faults of the stand-in are left out: they reach it anyway, and what is passed
 * counts as a secret.
 */
export function readVariableNames(values: readonly string[] = []): string[] {
  return values.map(readVariableName).filter((name) => name !== FAULT_VARIABLE);
}

/** Joins words as `a, b or c`. */
export function either(words: readonly string[]): string {
  const [last = '', ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} or ${last}`;
}
