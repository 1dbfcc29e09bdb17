import * as z from 'zod';
import type { Observation } from './run-case.js';

/** What a caller depends on: how a call ended, what it said, what was denied, and which files it left. */
export interface CallOutcome {
  readonly exitCode: number | null;
  readonly result: string;
  /** Each denied tool call, as JSON. */
  readonly denials: readonly string[];
  /** What became of each tool call, in order. */
  readonly tools: readonly ('ran' | 'denied' | 'failed')[];
  readonly files: Readonly<Record<string, string>>;
  /** What the stand-in says that it does not play, or null. */
  readonly refusal: string | null;
}

/** How the outcome of a stand-in relates to that of the real program. */
export type OutcomeClass =
  | 'equal'
  /** The stand-in said by name that it does not play this. */
  | 'refused'
  | 'different'
  /** Only the time limit ended the real program, which shows nothing. */
  | 'unjudged'
  /** The stand-in did something that the real program refused. */
  | 'permissive';

const ToolBlock = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().optional(),
  content: z.unknown().optional(),
});

const Event = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  is_error: z.boolean().optional(),
  result: z.string().optional(),
  line: z.string().optional(),
  message: z.looseObject({ content: z.union([z.string(), z.array(ToolBlock)]) }).optional(),
  permission_denials: z
    .array(z.looseObject({ tool_name: z.string(), tool_use_id: z.string(), tool_input: z.unknown() }))
    .optional(),
});

/** Extracts the outcome from what a caller saw. */
export function outcomeOf({ exitCode, stderr, events, files }: Observation): CallOutcome {
  const parsed = events.flatMap((event) => {
    const result = Event.safeParse(event);
    return result.success ? [result.data] : [];
  });
  const end = parsed.findLast(({ type }) => type === 'result');
  const text = parsed.filter(({ type }) => type === 'text').map(({ line }) => line);
  const unplayed = /ralph-e2e: [^"\\]*/.exec(exitCode === 70 ? stderr : JSON.stringify(events));
  const denied = end?.permission_denials ?? [];
  const blocks = parsed.flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []));
  const asked = blocks.filter(({ type }) => type === 'tool_use');
  return {
    exitCode,
    result: end === undefined ? text.join('\n') : [end.subtype, end.is_error, end.result].join(' · '),
    denials: denied.map(
      ({ tool_name, tool_input }) => `${tool_name} ${JSON.stringify(sortKeys(tool_input))}`,
    ),
    tools: asked.map(({ id }) => {
      if (denied.some(({ tool_use_id }) => tool_use_id === id)) return 'denied';
      const answer = blocks.find(({ tool_use_id }) => tool_use_id === id);
      const ran = answer?.is_error !== true || /^Exit code/.test(String(answer.content));
      return answer !== undefined && ran ? 'ran' : 'failed';
    }),
    files,
    refusal: unplayed?.[0] ?? null,
  };
}

/** Classifies the outcome of a stand-in. `before` are the files before the call. */
export function classifyOutcome(
  standIn: CallOutcome,
  real: CallOutcome,
  before: Readonly<Record<string, string>>,
): OutcomeClass {
  if (!hasEnded(real)) return 'unjudged';
  const changed = (files: CallOutcome['files']) =>
    [...new Set([...Object.keys(files), ...Object.keys(before)])].filter(
      (path) => files[path] !== before[path],
    );
  const theirs = changed(real.files);
  const didMore =
    changed(standIn.files).some((path) => !theirs.includes(path)) ||
    standIn.tools.some((state, index) => state === 'ran' && real.tools[index] === 'denied') ||
    (standIn.exitCode === 0 && real.exitCode !== 0);
  if (didMore) return 'permissive';
  if (standIn.refusal !== null) return 'refused';
  return describeOutcomeDifferences(standIn, real).length === 0 ? 'equal' : 'different';
}

/** Whether a call came to its own end, and not to that of the time limit. */
export function hasEnded({ exitCode }: Pick<CallOutcome, 'exitCode'>): boolean {
  return exitCode !== null && exitCode !== SIGTERM_EXIT;
}

const SIGTERM_EXIT = 143;

/** Lists what differs between two outcomes, in lines. */
export function describeOutcomeDifferences(standIn: CallOutcome, real: CallOutcome): string[] {
  const lines: [string, unknown, unknown][] = [
    ['exit code', standIn.exitCode, real.exitCode],
    ['result', standIn.result, real.result],
    ['denied', subtract(standIn.denials, real.denials), subtract(real.denials, standIn.denials)],
    ...[...new Set([...Object.keys(standIn.files), ...Object.keys(real.files)])].map(
      (path): [string, unknown, unknown] => [
        `file ${path}`,
        sortLines(standIn.files[path]),
        sortLines(real.files[path]),
      ],
    ),
  ];
  return lines
    .filter(([, ours, theirs]) => JSON.stringify(ours) !== JSON.stringify(theirs))
    .map(
      ([name, ours, theirs]) => `${name}: stand-in ${JSON.stringify(ours)}, real ${JSON.stringify(theirs)}`,
    );
}

/** The real program brings its own `find` and `grep`, which list files in another order than those of the system. */
function sortLines(text: string | undefined): string | null {
  return text === undefined ? null : text.split('\n').sort().join('\n');
}

/** The order of keys means nothing. */
function sortKeys(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).sort())
    : value;
}

/** Items of the first list without a partner in the second. */
function subtract(items: readonly string[], others: readonly string[]): string[] {
  const rest = [...others];
  return items.filter((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
}
