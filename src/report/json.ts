import type { Report } from '../domain/report.js';

/** The report for programs. */
export function renderJson(report: Report): string {
  return printableJson(report);
}

/**
 * Data for programs. Characters that a terminal would act on, or that hide text, are written as escapes: the data stay
 * what they were, and the file can be printed safely.
 */
export function printableJson(data: object): string {
  return `${escapeUnprintable(JSON.stringify(data, null, 2))}\n`;
}

/** JSON that says the same and can be printed safely. */
export function escapeUnprintable(json: string): string {
  return json.replace(UNPRINTABLE, escapeUnits);
}

const UNPRINTABLE =
  /[\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|(?![\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
