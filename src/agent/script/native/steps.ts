import * as z from 'zod';
import type { Failure, Step } from '../../../domain/agent-script.js';
import { isMapping } from '../../../domain/common/json-lines.js';
import { mapping, refuseKeys, refuseWord, word } from '../../../domain/common/strict.js';
import { isToolStep } from '../../engine/planned-answers.js';

/** The schemas for what an agent says and does, and how it fails. */

/** A string, or a file next to the script. */
export const textSchema = z.union([z.string(), mapping({ $file: z.string() })], {
  error: ({ input }) => {
    if (input === undefined) return 'this key is missing: expected a string';
    const quote = typeof input === 'number' || typeof input === 'boolean' ? ' (put it in quotes)' : '';
    return `expected a string or { $file: path }, found ${JSON.stringify(input)}${quote}`;
  },
});

export const millisecondsSchema = z.number().nonnegative();

/** The verbs of steps, and what their value is called in the script that is played. */
const SUBJECTS = {
  say: 'text',
  think: 'text',
  write: 'path',
  append: 'path',
  edit: 'path',
  read: 'path',
  note: 'text',
  run: 'command',
  emit: 'topic',
  tool: 'name',
  wait: 'milliseconds',
} as const satisfies Readonly<Record<Exclude<Step['do'], 'complete' | 'hang'>, string>>;
type Verb = keyof typeof SUBJECTS;

/** Makes the schema of one step: `{ write: 'a.txt', text: 'x' }` becomes `{ do: 'write', path: 'a.txt', text: 'x' }`. */
function verb<Shape extends z.ZodRawShape>(name: Verb, shape: Shape, defaults: object = {}) {
  return mapping(shape).transform((form: Readonly<Record<string, unknown>>) => {
    const { [keyOf(name)]: subject, ...rest } = form;
    const given = Object.entries(rest).filter(([, value]) => value !== undefined);
    return { do: name, [SUBJECTS[name]]: subject, ...defaults, ...Object.fromEntries(given) };
  });
}

function keyOf(name: Verb): string {
  return name === 'wait' ? 'wait_ms' : name;
}

/** The steps that use a tool, by their verb. */
const TOOL_STEPS = {
  write: verb('write', { write: z.string(), text: textSchema }),
  append: verb('append', { append: z.string(), text: textSchema }),
  edit: verb('edit', { edit: z.string(), old: z.string(), new: z.string() }),
  read: verb('read', { read: z.string() }),
  note: verb('note', { note: z.string() }),
  run: verb('run', { run: z.string() }),
  emit: verb(
    'emit',
    { emit: z.string(), payload: z.string().optional(), by: word(['command', 'tag']).optional() },
    { by: 'command' },
  ),
  tool: verb(
    'tool',
    {
      tool: z.string(),
      input: z.record(z.string(), z.unknown()).optional(),
      result: textSchema.optional(),
    },
    { input: {} },
  ),
};
const toolStepSchema = z.union(Object.values(TOOL_STEPS), {
  error: ({ input }) => {
    const [key] = isMapping(input) ? Object.keys(input) : [];
    if (key !== undefined && Object.hasOwn(TOOL_STEPS, key)) return undefined;
    return `expected a step that uses a tool: ${Object.keys(TOOL_STEPS).join(', ')}`;
  },
});

/** The steps by their verb. */
const STEPS = {
  say: verb('say', { say: textSchema }),
  think: verb('think', { think: textSchema }),
  ...TOOL_STEPS,
  together: mapping({ together: z.array(toolStepSchema).min(2, 'expected two steps or more') }).transform(
    ({ together }) => together.map((step, index) => (index === 0 ? step : { ...step, alongside: true })),
  ),
  wait_ms: verb('wait', { wait_ms: millisecondsSchema }),
};
const BARE_STEPS = ['complete', 'hang'] as const;
const VERBS = [...Object.keys(STEPS), ...BARE_STEPS];

/** One step of an agent loop: a mapping with one verb, or a verb alone. */
export const stepSchema = z.union(
  [...Object.values(STEPS), z.enum(BARE_STEPS).transform((name) => ({ do: name }))],
  {
    error: ({ input }) => {
      if (!isMapping(input)) return refuseWord(input, VERBS);
      const verbs = Object.keys(input).filter((key) => Object.hasOwn(STEPS, key));
      if (verbs.length === 1) return undefined;
      if (verbs.length > 1)
        return `expected one verb per step, found ${verbs.join(' and ')}: make it several steps`;
      const bare = BARE_STEPS.find((verb) => verb in input);
      if (bare !== undefined) return `"${bare}" takes no value: write - ${bare}`;
      return refuseKeys(Object.keys(input).slice(0, 1), VERBS);
    },
  },
);

/** Writes steps in the form of a file. Tools that the model asks for in one answer become one step. */
export function writeSteps(steps: readonly Step[]): unknown[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (isToolStep(step) && step.alongside === true && last?.every(isToolStep)) last.push(step);
    else groups.push([step]);
  }
  return groups.map((group) =>
    group.length > 1 ? { together: group.map(writeStep) } : group.map(writeStep)[0],
  );
}

function writeStep(step: Step): unknown {
  if (step.do === 'complete' || step.do === 'hang') return step.do;
  const { do: name, ...fields } = step;
  const {
    [SUBJECTS[name]]: subject,
    alongside: _,
    redo: __,
    ...rest
  }: Readonly<Record<string, unknown>> = fields;
  return { [keyOf(name)]: subject, ...rest, ...(rest.by === 'command' ? { by: undefined } : {}) };
}

const message = z.string().optional();
const FAILURES = {
  authentication: mapping({ type: z.literal('authentication'), message }),
  forbidden: mapping({ type: z.literal('forbidden'), message }),
  'not-found': mapping({ type: z.literal('not-found'), message }),
  'too-large': mapping({ type: z.literal('too-large'), message }),
  'rate-limit': mapping({
    type: z.literal('rate-limit'),
    message,
    retry_after_seconds: z.number().optional(),
  }),
  'out-of-credits': mapping({ type: z.literal('out-of-credits'), message }),
  'server-error': mapping({
    type: z.literal('server-error'),
    message,
    status: z.int().min(400).max(599).optional(),
  }),
  overloaded: mapping({ type: z.literal('overloaded'), message }),
  unreachable: mapping({ type: z.literal('unreachable') }),
  timeout: mapping({ type: z.literal('timeout'), after_ms: millisecondsSchema.optional() }),
  reset: mapping({ type: z.literal('reset') }),
  truncated: mapping({ type: z.literal('truncated'), text: z.string().optional() }),
  malformed: mapping({ type: z.literal('malformed'), raw: z.string().optional() }),
  crash: mapping({ type: z.literal('crash'), signal: z.string().optional() }),
};
const { authentication, ...otherFailures } = FAILURES;

/** A failure: only its type, or a mapping with its details. */
export const failureFormSchema = z
  .union(
    [
      z.object(FAILURES).keyof(),
      z.discriminatedUnion('type', [authentication, ...Object.values(otherFailures)]),
    ],
    {
      error: ({ input }) => {
        const type = isMapping(input) ? input.type : input;
        const known = typeof type === 'string' && Object.hasOwn(FAILURES, type);
        return known ? undefined : refuseWord(type, Object.keys(FAILURES));
      },
    },
  )
  .transform((form) => (typeof form === 'string' ? { type: form } : toModelKeys(form)));

export function writeFailure(failure: Failure): unknown {
  const given = Object.values(failure).filter((value) => value !== undefined);
  return given.length === 1 ? failure.type : toFileKeys(failure);
}

/** Renames the keys of a file for the script that is played: `delay_ms` is `delayMs` there. */
export function toModelKeys(form: object): Record<string, unknown> {
  return renameKeys(form, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
}

export function toFileKeys(model: object): Record<string, unknown> {
  return renameKeys(model, (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function renameKeys(value: object, rename: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [rename(key), item]));
}
