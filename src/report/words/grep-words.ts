import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { ReportResult } from '../../domain/report/report.js';
import { sortFailed } from '../model/divergence.js';
import { isSerious } from './log-words.js';

const MOST_WORDS = 12;

/** Lists words that occur in Ralph's source near the cause, the most telling first. */
export function grepWords(
  cause: Pick<FailureCause, 'hypothesis' | 'promises'>,
  result: ReportResult,
): string[] {
  const broken = sortFailed(result);
  const promises = [...cause.promises, ...broken.flatMap((assertion) => assertion.promises)];
  const words = [
    ...namesInText(cause.hypothesis, result),
    ...promises.flatMap(({ source }) => namesIn(source)),
    ...promises.flatMap(({ about = [] }) => about.flatMap(lastWord)),
    ...broken.flatMap(({ about }) => about?.reason ?? []),
    ...(result.context?.ralph_log ?? []).filter(isSerious).flatMap(constantPart),
  ];
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** Returns names of Ralph in a sentence: settings such as `backend_args`, and topics that Ralph itself recorded. */
function namesInText(text: string, { context }: ReportResult): string[] {
  const own = (context?.events_emitted ?? []).filter(({ emitted_by }) => emitted_by === 'ralph');
  const topics = new Set(own.map(({ topic }) => topic));
  const names = text.match(/\b[a-z]+(?:[_.][a-z]+)+\b/g) ?? [];
  return names.filter((name) => !name.includes('.') || topics.has(name));
}

/** Returns the names in a source such as `ralph-core/src/event_loop/mod.rs: check_completion, build_prompt`. */
function namesIn(source: string): string[] {
  const [, names = ''] = source.split(': ');
  return names.split(/[,;]\s*/).filter((name) => /^[\w:]+$/.test(name));
}

/** Returns how the source spells a part of the surface: `max_iterations` of `config event_loop.max_iterations`. */
function lastWord(part: string): string[] {
  const [kind, ...rest] = part.split(' ');
  const name = rest.at(-1) ?? '';
  if (name === '') return [];
  switch (kind) {
    case 'config':
      return [name.split('.').at(-1) ?? name];
    case 'flag':
      return [name.replace(/^--?/, '').replaceAll('-', '_')];
    default:
      return [name];
  }
}

/** Returns the beginning of a log line that stands in the source: the text before the first value. */
function constantPart(line: string): string[] {
  const text = line.replace(/^\w+ [\w:]+: /, '');
  const constant = /^[^\d'"`=:{(/]{12,}/.exec(text)?.[0].trim() ?? '';
  const words = constant.split(' ');
  return words.length < 2 ? [] : [words.slice(0, 6).join(' ')];
}
