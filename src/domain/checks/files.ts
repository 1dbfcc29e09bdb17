import { createTwoFilesPatch } from 'diff';
import type { Check } from '../check.js';
import type { Evidence, FileRecord } from '../evidence/evidence.js';
import { contentOf } from './file-content.js';
import { findClosest } from './json-difference.js';
import { aboutWanted, excerpt, excerptBeside, excerptNear, holds, list, show, type Wanted } from './text.js';
import { matches, readDocuments, showJson, type WantedJson } from './wanted-json.js';

/** Checks that the run created or changed a file and that the file contains this text. */
export function fileContains(path: string, wanted: Wanted): Check {
  return {
    kind: 'fileContains',
    judges: 'agent',
    name: `${path} contains ${show(wanted)}`,
    about: { path, ...aboutWanted(wanted) },
    category: 'FileContains',
    reads: [path],
    judge: (evidence) => {
      const file = findFile(evidence, path);
      const content = contentOf(evidence, path);
      const touched = file !== undefined && file.change !== 'unchanged';
      return {
        passed: touched && content.kind === 'whole' && holds(content.text, wanted),
        expected: `a new or changed ${path} that contains ${show(wanted)}`,
        actual:
          file === undefined
            ? `no such file; ${describeChanges(evidence.files)}`
            : `${file.change}: ${content.kind === 'whole' ? excerptNear(content.text, wanted) : describeContent(content)}`,
      };
    },
  };
}

/** Checks that a file has exactly this content after the run, ignoring whitespace at both ends. */
export function fileEquals(path: string, content: string): Check {
  return {
    kind: 'fileEquals',
    judges: 'agent',
    name: `${path} has the expected content`,
    about: { path, text: content },
    category: 'FileContains',
    reads: [path],
    judge: (evidence) => {
      const found = contentOf(evidence, path);
      const text = found.kind === 'whole' ? found.text.trim() : null;
      const passed = text === content.trim();
      return {
        passed,
        expected: excerptBeside(content, text ?? ''),
        actual:
          found.kind === 'absent'
            ? `no such file; ${describeChanges(evidence.files)}`
            : text === null
              ? describeContent(found)
              : excerptBeside(text, content),
        ...(passed || text === null
          ? {}
          : { diff: createTwoFilesPatch('expected', path, `${content.trim()}\n`, `${text}\n`) }),
      };
    },
  };
}

/** Checks that the scratchpad contains this text at the end of the run. */
export function scratchpadContains(wanted: Wanted): Check {
  return {
    kind: 'scratchpadContains',
    judges: 'agent',
    name: `the scratchpad contains ${show(wanted)}`,
    about: aboutWanted(wanted),
    category: 'FileContains',
    judge: ({ scratchpad }) => ({
      passed: holds(scratchpad.after ?? '', wanted),
      expected: `${show(wanted)} in the scratchpad`,
      actual: excerptNear(scratchpad.after, wanted),
    }),
  };
}

function findFile({ files }: Evidence, path: string): FileRecord | undefined {
  return files.find((candidate) => candidate.path === path && candidate.change !== 'deleted');
}

function describeContent(content: ReturnType<typeof contentOf>): string {
  switch (content.kind) {
    case 'absent':
      return 'no such file';
    case 'unknown':
      return `cannot be judged: ${content.why}`;
    case 'whole':
      return excerpt(content.text);
    default:
      return content satisfies never;
  }
}

function describeChanges(files: readonly { path: string; change: string }[]): string {
  const changed = files
    .filter(({ change }) => change !== 'unchanged')
    .map(({ path, change }) => `${path} (${change})`);
  return `changed files: ${list(changed.slice(0, 8))}`;
}

/**
 * Checks that a file has a JSON document like this: the whole file, or one of its lines. With `times`, exactly so many
 * lines are like this.
 */
export function fileHasJson(
  path: string,
  wanted: WantedJson,
  { times }: { readonly times?: number } = {},
): Check {
  const how = times === undefined ? '' : ` ${times} times`;
  return {
    kind: 'fileHasJson',
    name: `${path} has ${showJson(wanted)}${how}`,
    about: { path, text: showJson(wanted), ...(times === undefined ? {} : { limit: times }) },
    category: 'FileContains',
    reads: [path],
    judge: (evidence) => {
      const content = contentOf(evidence, path);
      const documents = content.kind === 'whole' ? readDocuments(content.text) : [];
      const found = documents.filter((document) => matches(document, wanted)).length;
      return {
        passed: content.kind === 'whole' && (times === undefined ? found > 0 : found === times),
        expected: `${path} with ${showJson(wanted)}${how}`,
        actual:
          content.kind === 'whole'
            ? `found ${found} times in ${documents.length} JSON documents: ${excerpt(content.text)}`
            : content.kind === 'absent'
              ? 'no such file'
              : `cannot be judged: ${content.why}`,
        ...(found > 0 ? {} : { differences: findClosest(documents, wanted) }),
      };
    },
  };
}
