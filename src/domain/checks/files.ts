import { createTwoFilesPatch } from 'diff';
import type { Check } from '../check.js';
import { excerpt, holds, list, show, type Wanted } from './text.js';

/** The run created or changed a file so that it contains this. */
export function fileContains(path: string, wanted: Wanted): Check {
  return {
    kind: 'fileContains',
    name: `${path} contains ${show(wanted)}`,
    category: 'FileContains',
    judge: ({ files }) => {
      const file = files.find((candidate) => candidate.path === path && candidate.change !== 'deleted');
      const touched = file !== undefined && file.change !== 'unchanged';
      return {
        passed: touched && holds(file.preview, wanted),
        expected: `a new or changed ${path} with ${show(wanted)}`,
        actual:
          file === undefined
            ? `no such file; ${describeChanges(files)}`
            : `${file.change}: ${excerpt(file.preview)}`,
      };
    },
  };
}

/** The run left a file with exactly this content, white space at the ends aside. */
export function fileEquals(path: string, content: string): Check {
  return {
    kind: 'fileEquals',
    name: `${path} has the expected content`,
    category: 'FileContains',
    judge: ({ files }) => {
      const file = files.find((candidate) => candidate.path === path && candidate.change !== 'deleted');
      const passed = file?.preview.trim() === content.trim();
      return {
        passed,
        expected: excerpt(content),
        actual: file === undefined ? `no such file; ${describeChanges(files)}` : excerpt(file.preview),
        ...(passed || file === undefined
          ? {}
          : {
              diff: createTwoFilesPatch('expected', path, `${content.trim()}\n`, `${file.preview.trim()}\n`),
            }),
      };
    },
  };
}

/** The scratchpad holds this at the end of the run. */
export function scratchpadContains(wanted: Wanted): Check {
  return {
    kind: 'scratchpadContains',
    name: `the scratchpad contains ${show(wanted)}`,
    category: 'FileContains',
    judge: ({ scratchpad }) => ({
      passed: holds(scratchpad.after ?? '', wanted),
      expected: `${show(wanted)} in the scratchpad`,
      actual: excerpt(scratchpad.after),
    }),
  };
}

function describeChanges(files: readonly { path: string; change: string }[]): string {
  const changed = files
    .filter(({ change }) => change !== 'unchanged')
    .map(({ path, change }) => `${path} (${change})`);
  return `changed files: ${list(changed.slice(0, 8))}`;
}
