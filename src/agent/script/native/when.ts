import * as z from 'zod';
import type { Condition, Pattern } from '../../../domain/agent-script.js';
import { isMapping } from '../../../domain/common/json-lines.js';
import { mapping, refuseKeys } from '../../../domain/common/strict.js';

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

export const patternFormSchema = z
  .union([nonEmpty, patternMapping], {
    error: ({ input }) => {
      if (input === '') return EMPTY_PATTERN;
      return isMapping(input) ? refusePattern(input) : EXPECTED_PATTERN;
    },
  })
  .transform(readPattern);

/** A string means "contains", unless it is `any` or between slashes. */
function readPattern(form: string | Pattern): Pattern {
  if (typeof form !== 'string') return form;
  if (form === 'any') return { any: true };
  const [, regex, flags] = BETWEEN_SLASHES.exec(form) ?? [];
  if (regex === undefined) return { contains: form };
  return flags === '' ? { regex } : { regex, flags };
}

const BETWEEN_SLASHES = /^\/([\s\S]+)\/([a-z]*)$/;

/** Writes the short form unless it would mean something else. */
function writePattern(pattern: Pattern): string | Pattern {
  if ('any' in pattern) return 'any';
  if ('contains' in pattern) {
    const { contains } = pattern;
    return contains === 'any' || BETWEEN_SLASHES.test(contains) ? pattern : contains;
  }
  if ('regex' in pattern && pattern.regex !== '') return `/${pattern.regex}/${pattern.flags ?? ''}`;
  return pattern;
}

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
).transform(
  ({ prompt, system_prompt, earlier_prompt, tool_result, ...rest }): Condition => ({
    ...rest,
    prompt: prompt && [prompt].flat(),
    systemPrompt: system_prompt,
    earlier: earlier_prompt,
    toolResult: tool_result,
  }),
);

/** The value of `on`: a pattern for the prompt, or conditions that must all hold. */
export const onSchema = z.union(
  [
    nonEmpty.transform((form): Condition => (form === 'any' ? {} : { prompt: [readPattern(form)] })),
    patternMapping.transform((form): Condition => ({ prompt: [form] })),
    condition,
  ],
  {
    error: ({ input }) => {
      if (input === '') return EMPTY_PATTERN;
      if (input === undefined) return 'this key is missing: expected a pattern, or any';
      if (!isMapping(input))
        return `${EXPECTED_PATTERN}; or conditions: ${Object.keys(CONDITION).join(', ')}`;
      // The schema of conditions reports its own problems.
      return isPattern(input) ? refusePattern(input) : undefined;
    },
  },
);

/** Writes a condition in the form of a file, as short as it can be. */
export function writeOn(when: Condition): unknown {
  const given = Object.values(when).filter((value) => value !== undefined).length;
  const [first, ...others] = when.prompt ?? [];
  if (given === 0) return 'any';
  // A plain `any` would mean no conditions.
  if (first !== undefined && others.length === 0 && given === 1)
    return 'any' in first ? first : writePattern(first);
  const one = (pattern: Pattern | undefined) => pattern && writePattern(pattern);
  return {
    prompt: others.length === 0 ? one(first) : when.prompt?.map(writePattern),
    hat: when.hat,
    event: when.event,
    coordinating: when.coordinating,
    objective: one(when.objective),
    memories: one(when.memories),
    system_prompt: one(when.systemPrompt),
    earlier_prompt: one(when.earlier),
    tool_result: one(when.toolResult),
    model: one(when.model),
    cwd: one(when.cwd),
    session: one(when.session),
    flags: when.flags,
    turn: when.turn,
  };
}

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
