import { diffArrays } from 'diff';
import type { Observation } from './observe.js';

/** A field in which two observations differ. */
export interface Difference {
  readonly field: string;
  readonly expected: readonly string[] | undefined;
  readonly actual: readonly string[] | undefined;
}

/** Compares field by field; a field that only one side has is a difference. */
export function findDifferences(expected: Observation, actual: Observation): readonly Difference[] {
  const fields = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  return fields
    .map((field) => ({ field, expected: expected[field], actual: actual[field] }))
    .filter((pair) => JSON.stringify(pair.expected) !== JSON.stringify(pair.actual));
}

/** A difference for a reader: the lines that only the recorded answer has, and those of the program beside it. */
export function renderDifference(
  { field, expected, actual }: Difference,
  program: 'real' | 'stand-in',
): string {
  if (expected === undefined || actual === undefined) {
    const only = expected === undefined ? program : 'recorded answer';
    return [`${field}: only the ${only} has it`, ...(expected ?? actual ?? [])].join('\n    ');
  }
  const lines = diffArrays([...expected], [...actual]).flatMap(({ value, added, removed }) => {
    if (!added && !removed) return [];
    return value.map((line) => `${(added ? program : 'recorded').padEnd('recorded'.length)} | ${line}`);
  });
  return [`${field}:`, ...lines].join('\n    ');
}
