import { placeOfPanic } from '../../domain/diagnosis/complaint.js';
import type { IterationTrace, TracedIteration } from '../../domain/diagnosis/trace.js';
import type { FailureCause } from '../../domain/report/failure-cause.js';
import type { ReportResult } from '../../domain/report/result.js';
import { sortFailed } from '../model/divergence.js';
import { oneLine } from '../text/safe-text.js';

/** Describes the iteration in which a run went wrong, one fact on each line. `scale` below 1 shortens it. */
export function describeTrace(trace: IterationTrace, scale = 1): string[] {
  const { iterations, decided_between, after } = trace;
  return [
    ...(decided_between === null
      ? []
      : [`Ralph decided this between iterations ${decided_between.join(' and ')}.`]),
    ...iterations.flatMap((iteration) => describeIteration(iteration, scale)),
    ...describeAfter(after),
  ];
}

function describeIteration(iteration: TracedIteration, scale: number): string[] {
  const text = (limit: number) => Math.ceil(limit * scale);
  const { number, hat, expected_hats, pending, prompt, said, tool_calls, events } = iteration;
  return [
    `Iteration ${number}: hat ${oneLine(hat ?? 'unknown', 80)}${describeExpected(hat, expected_hats)}`,
    ...pending.map(
      ({ topic, payload, matching_hats }) =>
        `  pending: ${oneLine(topic, 80)} ${quote(payload, text(160))}; hats with a matching trigger: ${matching_hats.join(', ') || 'none'}`,
    ),
    ...more(iteration.pending_left_out, 'pending event'),
    ...(pending.length === 0 ? ['  pending: nothing'] : []),
    ...(prompt === null ? [] : describePrompt(prompt, text)),
    ...said.map(
      (block, index) =>
        `  the agent said, text block ${index + 1} of ${said.length + iteration.said_left_out}: ${quote(block, text(300))}`,
    ),
    ...(said.length === 0 ? ['  the agent said nothing'] : []),
    ...tool_calls.map(
      ({ name, input, result, is_error }) =>
        `  tool: ${oneLine(name, 60)} ${oneLine(input, text(240))}${result === null ? '' : ` -> ${is_error ? 'error ' : ''}${quote(result, text(160))}`}`,
    ),
    ...more(iteration.tool_calls_left_out, 'tool call'),
    ...events.map(
      ({ topic, payload, emitted_by }) =>
        `  event written by ${emitted_by === 'ralph' ? 'Ralph' : 'the agent'}: ${oneLine(topic, 80)}${payload === null ? '' : ` ${quote(payload, text(160))}`}`,
    ),
    ...(events.length === 0 ? ['  no event was written'] : []),
    ...more(iteration.events_left_out, 'event'),
  ];
}

function describeExpected(hat: string | null, expected: readonly string[] | null): string {
  if (expected === null || (expected.length === 1 && expected[0] === hat)) return '';
  return ` (by the configuration, the pending events activate ${expected.join(' and ')})`;
}

function describePrompt(
  { characters, sections, sections_left_out, excerpts }: NonNullable<TracedIteration['prompt']>,
  text: (limit: number) => number,
): string[] {
  const shown = sections.slice(0, text(20));
  const left = sections.length - shown.length + sections_left_out;
  const names = shown.map((section) => `${oneLine(section.heading, 50)} (${section.characters})`);
  return [
    `  prompt of ${characters} characters, sections: ${names.join(', ')}${left > 0 ? `, ${left} more` : ''}`,
    ...excerpts.map(
      ({ heading, text: content }) => `  prompt, ${oneLine(heading, 60)}: ${quote(content, text(600))}`,
    ),
  ];
}

function describeAfter({ next_hat, termination_reason, open_tasks }: IterationTrace['after']): string[] {
  return [
    ...(next_hat === null ? [] : [`After that: the next hat was ${oneLine(next_hat, 80)}.`]),
    ...(termination_reason === null
      ? []
      : [`After that: the loop ended with ${oneLine(termination_reason, 80)}.`]),
    ...(open_tasks.length === 0 ? [] : [`Open tasks at the end: ${oneLine(open_tasks.join('; '), 300)}`]),
  ];
}

function more(left: number, what: string): string[] {
  return left > 0 ? [`  ${left} more ${what}${left === 1 ? '' : 's'}`] : [];
}

/** Quotes a text on one line, so that its line ends stay visible. */
function quote(text: string, limit: number): string {
  return JSON.stringify(text.length <= limit ? text : `${text.slice(0, limit)}…`);
}

/** Marks the start of an iteration in Ralph's debug log. */
const ITERATION = /^\w+ [\w:]+: Iteration (\d+)\//;
/** What Ralph did last before an iteration decides how the iteration begins. */
const LINES_BEFORE = 3;

/**
 * Chooses the lines of Ralph's log that belong to an iteration: with the debug log, those from its start to the next one.
 * Else the warnings and errors: how a loop starts and ends is the same in every test.
 */
export function chooseLogLines(lines: readonly string[], iteration: number | null, most: number): string[] {
  const start = lines.findIndex((line) => ITERATION.exec(line)?.[1] === String(iteration));
  if (start >= 0) {
    const next = lines.findIndex((line, index) => index > start && ITERATION.test(line));
    return lines
      .slice(Math.max(0, start - LINES_BEFORE), next < 0 ? undefined : next + 1)
      .slice(0, Math.max(1, most));
  }
  return lines.filter(isSerious).slice(-Math.max(1, most));
}

/** Whether a line of Ralph's log is a warning or an error. */
function isSerious(line: string): boolean {
  return /^(?:WARN|ERROR) /.test(line);
}

const MOST_WORDS = 12;

/** Lists words that occur in Ralph's source near the cause, the most telling first. */
export function grepWords(
  cause: Pick<FailureCause, 'hypothesis' | 'promises'>,
  result: ReportResult,
): string[] {
  const broken = sortFailed(result);
  const promises = [...cause.promises, ...broken.flatMap((check) => check.promises)];
  const panic = placeOfPanic(cause.hypothesis);
  const words = [
    // The file without the line: that is what a search finds.
    ...(panic === null ? [] : [panic.replace(/:\d+$/, '')]),
    ...namesInText(cause.hypothesis, result),
    ...broken.slice(0, 1).flatMap(({ expected, actual }) => namesInText(`${expected} ${actual}`, result)),
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

/** Returns the names in a source such as `ralph-core/src/event_loop/mod.rs: check_completion, build_prompt; <another>`. */
function namesIn(source: string): string[] {
  const names = source.split('; ').map((file) => file.split(': ')[1] ?? '');
  return names.flatMap((some) => some.split(', ')).filter((name) => /^[\w:]+$/.test(name));
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
