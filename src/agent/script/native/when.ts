import * as z from 'zod';
import { isMapping, mapping, refuseKeys } from '../../../domain/common/strict.js';

/** The schemas for what a rule waits for: patterns and conditions. */

const PATTERN_KINDS = ['exact', 'contains', 'regex', 'glob', 'any'];
const EXPECTED_PATTERN =
  'expected a pattern: a string, /a regular expression/, any, or a mapping with one of exact, contains, regex, glob, any';
const EMPTY_PATTERN = 'an empty string matches everything: write any if you mean that';

const nonEmpty = z.string().min(1, EMPTY_PATTERN);

const patternMapping = z.union([
  mapping({ exact: z.string() }),
  mapping({ contains: nonEmpty }),
  mapping({ regex: z.string(), flags: z.string().optional() }),
  mapping({ glob: z.string() }),
  mapping({ any: z.literal(true) }),
]);

export const patternFormSchema = z.union([nonEmpty, patternMapping], {
  error: ({ input }) => {
    if (input === '') return EMPTY_PATTERN;
    return isMapping(input) ? refusePattern(input) : EXPECTED_PATTERN;
  },
});
export type PatternForm = z.infer<typeof patternFormSchema>;

const CONDITION = {
  prompt: z.union([patternFormSchema, z.array(patternFormSchema).min(1)]).optional(),
  hat: z.string().optional(),
  event: z.string().optional(),
  coordinating: z.boolean().optional(),
  objective: patternFormSchema.optional(),
  memories: patternFormSchema.optional(),
  system_prompt: patternFormSchema.optional(),
  earlier_prompt: patternFormSchema.optional(),
  tool_result: patternFormSchema.optional(),
  model: patternFormSchema.optional(),
  cwd: patternFormSchema.optional(),
  session: patternFormSchema.optional(),
  flags: z.array(z.string()).optional(),
  turn: z.int().positive().optional(),
};
const condition = mapping(CONDITION, (keys, found) =>
  isMapping(found) && isPattern(found)
    ? refusePattern(found)
    : refuseKeys(keys, [...Object.keys(CONDITION), ...PATTERN_KINDS]),
);

/** The value of `on`: a pattern for the prompt, or conditions that must all hold. */
export const onSchema = z.union([nonEmpty, patternMapping, condition], {
  error: ({ input }) => {
    if (input === '') return EMPTY_PATTERN;
    if (input === undefined) return 'this key is missing: expected a pattern, or any';
    if (!isMapping(input)) return `${EXPECTED_PATTERN}; or conditions: ${Object.keys(CONDITION).join(', ')}`;
    // The schema of conditions reports its own problems.
    return isPattern(input) ? refusePattern(input) : undefined;
  },
});
export type OnForm = z.infer<typeof onSchema>;

function isPattern(found: object): boolean {
  return PATTERN_KINDS.some((kind) => kind in found);
}

function refusePattern(found: Readonly<Record<string, unknown>>): string {
  const keys = Object.keys(found);
  const [kind, another] = keys.filter((key) => PATTERN_KINDS.includes(key));
  if (kind === undefined) return refuseKeys(keys, PATTERN_KINDS);
  if (another !== undefined) return `expected one kind of pattern, found "${kind}" and "${another}"`;
  const others = keys.filter((key) => key !== kind && !(kind === 'regex' && key === 'flags'));
  const beside = others.find((key) => Object.hasOwn(CONDITION, key));
  if (beside !== undefined)
    return `"${kind}" cannot be next to "${beside}": put the pattern under "prompt", next to "${beside}"`;
  if (others.length > 0) return refuseKeys(others, kind === 'regex' ? ['regex', 'flags'] : [kind]);
  if (kind === 'any') return 'expected any: true';
  return found[kind] === '' ? EMPTY_PATTERN : `expected a string for "${kind}"`;
}
