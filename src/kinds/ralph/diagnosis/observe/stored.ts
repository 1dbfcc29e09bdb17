import type { CheckResult, Difference } from '../../../../domain/check.js';
import { findErrand } from '../../../../domain/checks/errands.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';

/** What is in the file that a command shows. `isWrong`: the command shows what is there, so the file differs. */
interface Stored {
  readonly text: string;
  readonly isWrong: boolean;
}

const UNKNOWN: Stored = { text: '', isWrong: false };

/** Says whether the records that a command shows or lacks are in its file. A command that only shows them comes later. */
export function describeStored({ about = {}, differences = [] }: CheckResult, evidence: Evidence): Stored {
  const [args = ''] = about.names ?? [];
  // What a command showed before the run is no longer in the files.
  if (findErrand(evidence, args)?.when !== 'after') return UNKNOWN;
  const look = /^events(?! .*--(?:file|clear))/.test(args)
    ? lookUpEvent
    : /^tools task (?:list|ready|show)\b/.test(args)
      ? lookUpTask
      : null;
  const found = look === null ? [] : differences.map((one) => look(one, args, evidence));
  return { text: found[0]?.text ?? '', isWrong: found.length > 0 && found.every(({ isWrong }) => isWrong) };
}

function lookUpEvent({ path, wanted, found }: Difference, args: string, { events }: Evidence): Stored {
  const [topic, iteration] = [/--topic (\S+)/, /--iteration (\d+)/].map((flag) => flag.exec(args)?.[1]);
  const isAsked = (record: Evidence['events'][number]) =>
    (topic === undefined || record.topic === topic) &&
    (iteration === undefined || String(record.iteration) === iteration);
  const name = readField('topic', path, wanted ?? found ?? '');
  if (name === null) return UNKNOWN;
  const records = events.filter((record) => record.topic === name);
  if (wanted === null) {
    // With --last, what is too much depends on what comes after it.
    const isShown = records.some(isAsked) && !args.includes('--last');
    return isShown ? { text: ` The events file has ${name} like this.`, isWrong: true } : UNKNOWN;
  }
  if (records.length === 0) return { text: ` The events file has no ${name} either.`, isWrong: true };
  const places = [...new Set(records.map((record) => `iteration ${record.iteration ?? 'unknown'}`))];
  return {
    text: ` The events file has ${name} (${places.slice(0, 4).join(', ')}).`,
    isWrong: !records.some(isAsked),
  };
}

function lookUpTask({ path, wanted }: Difference, _args: string, { tasks }: Evidence): Stored {
  const title = wanted === null ? null : readField('title', path, wanted);
  if (title === null) return UNKNOWN;
  const task = tasks.find((one) => one.title === title);
  return task === undefined
    ? { text: ` The tasks file has no task "${title}" either.`, isWrong: true }
    : { text: ` The tasks file has "${title}", which is ${task.status}.`, isWrong: false };
}

/** Reads a field of a record in a difference, or the value itself if the difference is in this field. */
function readField(name: string, path: string, shown: string): string | null {
  if (path.endsWith(`.${name}`)) return /^"(.*)"$/.exec(shown)?.[1] ?? null;
  return new RegExp(`\\b${name}"?: ?"([^"]+)"`).exec(shown)?.[1] ?? null;
}
