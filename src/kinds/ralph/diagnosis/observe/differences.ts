import type { CheckResult, Difference } from '../../../../domain/check.js';
import { list, quoteBeside } from '../../../../domain/checks/text.js';
import { FEWEST_LETTERS, requiredWords } from './pattern-words.js';
import type { CheckObservation } from './words.js';

/** The most differences that a sentence names. */
const SHOWN = 2;

/** Names the places in which a JSON document differs, with both values. Null if the check knows none. */
export function describePlaces({ differences = [] }: CheckResult): CheckObservation | null {
  if (differences.length === 0) return null;
  const isMissing = differences.every(({ found }) => found === null);
  const isExtra = differences.every(({ wanted }) => wanted === null);
  return {
    text: `${differences.slice(0, SHOWN).map(showPlace).join('; ')}${showRest(differences.length)}`,
    direction: isMissing ? 'missing' : isExtra ? 'excess' : 'other',
  };
}

function showPlace({ path, wanted, found }: Difference): string {
  const at = path === '' ? '' : ` in ${path}`;
  if (wanted === null) return `has ${found}${at}, and must not`;
  if (found === null) return path === '' ? `lacks ${wanted}` : `lacks ${path}, expected ${wanted}`;
  return path === '' ? `has ${found}; expected ${wanted}` : `${path} is ${found}; expected ${wanted}`;
}

/** Names the items that only one of two lists has. Null if both have the same. */
export function describeItems(found: readonly string[], wanted: readonly string[]): CheckObservation | null {
  const lacking = subtract(wanted, found);
  const extra = subtract(found, wanted);
  if (lacking.length + extra.length === 0) return null;
  // What one list has and the other lacks in the same place is often the same item, changed.
  return {
    text: [...showItems('lacks', lacking, extra), ...showItems('has', extra, lacking)].join('; '),
    direction: extra.length === 0 ? 'missing' : lacking.length === 0 ? 'excess' : 'other',
  };
}

/** Names the lines of a wanted text, or the words of a pattern, that a longer text lacks. Null if it lacks none. */
export function describeLacking(found: string, { about = {} }: CheckResult): CheckObservation | null {
  const wanted = about.text === undefined ? requiredWords(about.pattern ?? '') : [about.text];
  const lacking = wanted.filter((words) => !found.includes(words));
  const lines = lacking
    .flatMap(toLines)
    .filter((line) => line.trim().length >= FEWEST_LETTERS && !found.includes(line));
  const shown = [...new Set(lines.length > 0 ? lines : lacking)];
  return shown.length === 0 ? null : { text: showItems('lacks', shown).join(''), direction: 'missing' };
}

function showItems(verb: string, items: readonly string[], beside: readonly string[] = []): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, SHOWN).map((item, at) => quoteBeside(item, beside[at] ?? '', 60));
  return [`${verb} ${list(shown)}${showRest(items.length)}`];
}

function showRest(count: number): string {
  return count <= SHOWN ? '' : ` and ${count - SHOWN} more`;
}

/** The lines of a text without the empty ones around it. */
export function toLines(text: string): string[] {
  return text.trim().split('\n');
}

/** What one list has more than another. */
export function subtract(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return items.filter((item) => {
    const at = left.indexOf(item);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}
