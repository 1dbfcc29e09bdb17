import type { Check } from '../../../domain/check.js';
import { excerpt } from '../../../domain/checks/text.js';
import { matches, readDocuments, showJson, type WantedJson } from '../../../domain/checks/wanted-json.js';

/** Checks that Ralph printed a JSON line like this or, with `times`, exactly so many. */
export function printedJson(wanted: WantedJson, { times }: { readonly times?: number } = {}): Check {
  const how = times === undefined ? '' : ` ${times} times`;
  return {
    kind: 'printedJson',
    name: `Ralph prints ${showJson(wanted)}${how}`,
    about: { text: showJson(wanted), ...(times === undefined ? {} : { limit: times }) },
    category: 'OutputContains',
    judge: ({ stdout }) => {
      const lines = readDocuments(stdout.text);
      const found = lines.filter((line) => matches(line, wanted)).length;
      return {
        passed: times === undefined ? found > 0 : found === times,
        expected: `a line on stdout with ${showJson(wanted)}${how}`,
        actual: `found ${found} times in ${lines.length} JSON lines: ${excerpt(stdout.text)}`,
      };
    },
  };
}

/** Checks that Ralph printed JSON lines and nothing else. */
export function printedOnlyJson(): Check {
  return {
    kind: 'printedOnlyJson',
    name: 'every line on stdout is JSON',
    category: 'OutputContains',
    judge: ({ stdout }) => {
      const lines = stdout.text.split('\n').filter((line) => line !== '');
      const other = lines.filter((line) => readDocuments(line).length === 0);
      return {
        passed: lines.length > 0 && other.length === 0,
        expected: 'JSON on every line',
        actual:
          lines.length === 0
            ? 'no output'
            : `${other.length} of ${lines.length} lines are not: ${excerpt(other[0])}`,
      };
    },
  };
}
