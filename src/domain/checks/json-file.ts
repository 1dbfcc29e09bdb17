import type { Check } from '../check.js';
import { contentOf } from './file-content.js';
import { findClosest } from './json-difference.js';
import { excerpt } from './text.js';
import { matches, readDocuments, showJson, type WantedJson } from './wanted-json.js';

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
