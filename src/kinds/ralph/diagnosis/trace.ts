import type { CheckResult } from '../../../domain/check.js';
import { hasWording } from '../../../domain/diagnosis/check-facts.js';
import { openCase } from '../../../domain/diagnosis/clues.js';
import type { IterationTrace, TracedIteration } from '../../../domain/diagnosis/trace.js';
import type { EventRecord, Evidence, Iteration } from '../../../domain/evidence/evidence.js';
import { endsOfIterations, iterationOf, pendingIn, textBlocks } from '../../../domain/evidence/facts.js';
import { RALPH_TOPICS } from '../../../domain/evidence/ralph-words.js';
import { expectHats, hatsFor, type RunView, viewRun } from '../../../domain/evidence/run-view.js';
import type { Execution, RunFacts } from '../../../domain/report/analysis.js';
import { findFocus } from './focus.js';
import { findLead } from './lead.js';

/** A trace is for a reader who reads nothing else: it stays this small, in characters of JSON. */
const MAX_TRACE = 3000;
/** How many entries and characters are kept: as much as fits. */
const SMALLEST = 0.1;
const SCALES = [1, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2, SMALLEST] as const;

const MAX_NAME = 60;
const MAX_HATS = 6;

/** Shows the iteration in which the first failed check parts from what is expected. Null for a conversation. */
export function traceFailure(execution: Execution, run: RunFacts): IterationTrace | null {
  const failure = openCase(execution, run);
  const evidence = failure?.evidence;
  if (!evidence || evidence.conversation !== undefined) return null;
  // The diagnosis speaks of the same check.
  const check = findLead(failure);
  return check === undefined ? null : traceCheck(check, evidence);
}

function traceCheck(check: CheckResult, evidence: Evidence): IterationTrace | null {
  const focus = findFocus(check, evidence);
  if (focus === null) return null;
  const { iteration, between } = focus;
  const numbers = between ?? [iteration];
  const last = evidence.iterations.findIndex(({ number }) => number === numbers.at(-1));
  const next = evidence.iterations[last + 1];
  const build = (scale: number): IterationTrace => ({
    check: check.key,
    iteration,
    decided_between: between === null ? null : [...between],
    iterations: numbers.flatMap((number) => {
      const found = evidence.iterations.find((one) => one.number === number);
      return found === undefined
        ? []
        : [traceIteration(found, { evidence, check, scale, isFocus: number === iteration })];
    }),
    after: {
      next_hat: next?.hat ?? null,
      termination_reason: next === undefined ? (evidence.termination?.reason ?? null) : null,
      open_tasks: evidence.tasks
        .filter(({ status }) => status === 'open' || status === 'in_progress')
        .slice(0, Math.ceil(6 * scale))
        .map(({ title }) => cut(title, MAX_NAME)),
    },
  });
  const fitting = SCALES.find((scale) => JSON.stringify(build(scale)).length <= MAX_TRACE);
  return build(fitting ?? SMALLEST);
}

interface View {
  readonly evidence: Evidence;
  readonly check: CheckResult;
  readonly scale: number;
  /** False for the neighbor, of which only what leads to the next iteration counts. */
  readonly isFocus: boolean;
}

function traceIteration(iteration: Iteration, view: View): TracedIteration {
  const { evidence, scale, isFocus } = view;
  const room = isFocus ? scale : scale / 2;
  const arranged = viewRun(evidence);
  const routing = arranged?.knowsRouting === true ? arranged : null;
  const pending = pendingBefore(iteration, evidence);
  const events = keep(eventsOf(iteration, evidence), 10 * room);
  const calls = keep(iteration.toolCalls, 6 * room);
  const said = keep(textBlocks(iteration), 8 * room);
  const listed = keep(pending ?? [], 8 * room);
  return {
    number: iteration.number,
    hat: iteration.hat,
    pending: listed.kept.map(({ topic, payload }) => ({
      topic: cut(topic, MAX_NAME),
      payload: cut(payload, 120 * room),
      matching_hats: routing === null ? [] : hatsFor(topic, routing).slice(0, MAX_HATS),
    })),
    pending_left_out: listed.left,
    expected_hats: expectFrom(pending, routing),
    prompt: isFocus && iteration.prompt !== null ? tracePrompt(iteration.prompt, view) : null,
    said: said.kept.map((block) => cut(block, 300 * room)),
    said_left_out: said.left,
    tool_calls: calls.kept.map(({ name, input, result, isError }) => ({
      name: cut(name, MAX_NAME),
      input: cut(input, 200 * room),
      result: result === null ? null : cut(result, 120 * room),
      is_error: isError,
    })),
    tool_calls_left_out: calls.left,
    events: events.kept.map(({ topic, payload, source }) => ({
      topic: cut(topic, MAX_NAME),
      payload: payload === null ? null : cut(payload, 120 * room),
      emitted_by: source,
    })),
    events_left_out: events.left,
  };
}

function expectFrom(
  pending: readonly { readonly topic: string }[] | null,
  routing: RunView | null,
): string[] | null {
  if (pending === null || routing === null) return null;
  return expectHats(
    pending.map(({ topic }) => topic),
    routing,
  ).slice(0, MAX_HATS);
}

/** The pending events in the prompt; without a prompt, what agents emitted in the iteration before. */
function pendingBefore(
  { number }: Iteration,
  evidence: Evidence,
): readonly { readonly topic: string; readonly payload: string }[] | null {
  const listed = pendingIn(evidence, number);
  if (listed !== null) return listed;
  const before = evidence.iterations.find((iteration) => iteration.number === number - 1);
  if (before === undefined) return null;
  return eventsOf(before, evidence)
    .filter(({ source }) => source === 'agent')
    .map(({ topic, payload }) => ({ topic, payload: payload ?? '' }));
}

/** What was recorded in the time of an iteration, without Ralph's records of its own ends. */
function eventsOf({ number }: Iteration, { events }: Evidence): EventRecord[] {
  const ends = endsOfIterations(events);
  return events.filter((event) => !RECORDS.has(event.topic) && iterationOf(event, ends) === number);
}

const RECORDS: ReadonlySet<string> = new Set([RALPH_TOPICS.summary, RALPH_TOPICS.end]);

function tracePrompt(prompt: string, { check, evidence, scale }: View): TracedIteration['prompt'] {
  const sections = splitSections(prompt);
  const shown = keep(
    sections.map(({ heading, text }) => ({ heading: cut(heading, MAX_NAME), characters: text.length })),
    24 * scale,
  );
  const wanted = headingsAbout(check, evidence);
  return {
    characters: prompt.length,
    sections: shown.kept,
    sections_left_out: shown.left,
    excerpts: sections
      .filter(({ heading }) => wanted.has(heading))
      .slice(0, 2)
      .map(({ heading, text }) => ({ heading: cut(heading, MAX_NAME), text: cut(text, 500 * scale) })),
  };
}

/**
 * The headings under which any prompt of the run has what the check is about: a text that is missing here may be in
 * another prompt. Pending events are listed anyway.
 */
function headingsAbout(check: CheckResult, { iterations }: Evidence): ReadonlySet<string> {
  const headings = iterations
    .flatMap(({ prompt }) => splitSections(prompt ?? ''))
    .filter(({ heading, text }) => hasWording(`${heading}\n${text}`, check))
    .map(({ heading }) => heading);
  return new Set(headings.filter((heading) => heading !== '## PENDING EVENTS'));
}

function keep<Item>(items: readonly Item[], limit: number): { kept: Item[]; left: number } {
  const kept = items.slice(0, Math.max(1, Math.round(limit)));
  return { kept, left: items.length - kept.length };
}

/** Keeps the beginning and the end of a long text, and says how much is missing. */
function cut(text: string, limit: number): string {
  const most = Math.max(40, Math.round(limit));
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return `${text.slice(0, half)}[… ${text.length - 2 * half} characters …]${text.slice(-half)}`;
}

/** A part of a prompt: a heading and the text below it, up to the next heading. */
interface PromptSection {
  readonly heading: string;
  readonly text: string;
}

/** Headings of Markdown, and the tags in which Ralph encloses files such as the scratchpad. */
const HEADING = /^(?:#{1,3} .+|<[a-z][a-z-]*(?: [^>]*)?>)$/;
const FENCE = /^\s*```/;

/** Splits a prompt at its headings. Lines in code blocks are no headings. */
function splitSections(prompt: string): PromptSection[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let isCode = false;
  for (const line of prompt.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    if (!isCode && HEADING.test(line)) sections.push({ heading: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }))
    .filter(({ heading, text }) => heading !== '' || text !== '');
}
