import * as z from 'zod';
import { isMapping, mapping, refuseKeys, refuseWord, word } from '../../../domain/common/strict.js';

/** The schemas for what an agent says and does, and how it fails. */

/** A string, or a file next to the script. */
export const textSchema = z.union([z.string(), mapping({ $file: z.string() })], {
  error: ({ input }) => {
    if (input === undefined) return 'this key is missing: expected a string';
    const quote = typeof input === 'number' || typeof input === 'boolean' ? ' (put it in quotes)' : '';
    return `expected a string or { $file: path }, found ${JSON.stringify(input)}${quote}`;
  },
});
export type TextForm = z.infer<typeof textSchema>;

export const millisecondsSchema = z.number().nonnegative();

/** The steps that use a tool, by their verb. */
const TOOL_STEPS = {
  write: mapping({ write: z.string(), text: textSchema }),
  append: mapping({ append: z.string(), text: textSchema }),
  edit: mapping({ edit: z.string(), old: z.string(), new: z.string() }),
  read: mapping({ read: z.string() }),
  note: mapping({ note: z.string() }),
  run: mapping({ run: z.string() }),
  emit: mapping({
    emit: z.string(),
    payload: z.string().optional(),
    by: word(['command', 'tag']).optional(),
  }),
  tool: mapping({
    tool: z.string(),
    input: z.record(z.string(), z.unknown()).optional(),
    result: textSchema.optional(),
  }),
};
const toolStepSchema = z.union(Object.values(TOOL_STEPS), {
  error: ({ input }) => {
    const [verb] = isMapping(input) ? Object.keys(input) : [];
    if (verb !== undefined && Object.hasOwn(TOOL_STEPS, verb)) return undefined;
    return `expected a step that uses a tool: ${Object.keys(TOOL_STEPS).join(', ')}`;
  },
});
export type ToolStepForm = z.infer<typeof toolStepSchema>;

/** The steps by their verb. */
const STEPS = {
  say: mapping({ say: textSchema }),
  think: mapping({ think: textSchema }),
  ...TOOL_STEPS,
  together: mapping({ together: z.array(toolStepSchema).min(2, 'expected two steps or more') }),
  wait_ms: mapping({ wait_ms: millisecondsSchema }),
};
const BARE_STEPS = ['complete', 'hang'] as const;
const VERBS = [...Object.keys(STEPS), ...BARE_STEPS];

/** One step of an agent loop: a mapping with one verb, or a verb alone. */
export const stepSchema = z.union([...Object.values(STEPS), z.enum(BARE_STEPS)], {
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
});
export type StepForm = z.infer<typeof stepSchema>;

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
export const failureFormSchema = z.union(
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
);
export type FailureForm = z.infer<typeof failureFormSchema>;
