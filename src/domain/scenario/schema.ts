import * as z from 'zod';
import { agentScriptSchema } from '../agent-script.js';
import { aboutSchema, checkCategorySchema, type Expectation, type NamedCheck, nameChecks } from '../check.js';
import { explainValue } from '../common/issues.js';
import { KnownError } from '../common/known-error.js';
import { mapping, refuseKeys } from '../common/strict.js';
import { heldPromiseSchema } from '../contract.js';
import { failureTypeSchema } from '../report/analysis.js';
import { stubbedServerSchema } from '../stub/script.js';
import { backendIdSchema, laneSchema, phaseSchema, prioritySchema, tierSchema } from '../vocabulary.js';
import { knownIssueSchema } from './known-issue.js';
import { gradedCriterionSchema, pressureFactorSchema } from './pressure.js';
import { BUILT_IN_SABOTEURS, CHEATS } from './saboteur.js';
import { STAND_IN_FAULTS } from './stand-in-faults.js';
import { VARIANTS } from './variants.js';

/**
 * Validates at run time what authors write. JavaScript has no compiler that reports a missing or misspelled field, and
 * such a scenario must not run as less than its author meant.
 */

/** Matches an id, which becomes a folder name. */
export const PLAIN_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const call = z.custom<unknown>((value) => typeof value === 'function', 'expected a function');
const words = z.array(z.string());
const builtIns = z.enum(Object.keys({ ...BUILT_IN_SABOTEURS, ...CHEATS }));
const variants = z.enum(Object.keys(VARIANTS));

const saboteurSchema = mapping({
  agent: z.union([call, z.array(z.looseObject({ rule: z.looseObject({}) }))]).optional(),
  config: call.optional(),
  target: z.enum(Object.keys(STAND_IN_FAULTS)).optional(),
  kills: words.min(1),
  failure: failureTypeSchema.optional(),
  why: z.string().optional(),
}).refine(
  ({ agent, config, target }) => [agent, config, target].filter((part) => part !== undefined).length === 1,
  'expected one of agent, config and target',
);

/** What `scenario()` and `conversation()` return. */
const scenarioSchema = mapping({
  kind: z.enum(['ralph', 'conversation']),
  id: z.string().regex(PLAIN_NAME, 'expected a plain name such as "hat-single"'),
  tier: tierSchema,
  placed: z.boolean(),
  priority: prioritySchema,
  phase: phaseSchema,
  description: z.string(),
  covers: words,
  arrange: call,
  expect: call,
  promises: z.record(z.string(), z.array(mapping(heldPromiseSchema.shape))),
  agent: z.looseObject({ rules: z.array(z.looseObject({})) }),
  tiedToBackend: z.boolean(),
  backends: z.array(backendIdSchema).min(1),
  lanes: z.array(laneSchema).min(1),
  unplayable: z.partialRecord(laneSchema, z.string()),
  beyondStandIn: z.string().nullable(),
  programs: words,
  companions: call,
  gate: z.boolean(),
  timeoutSeconds: z.number().positive(),
  waitsSeconds: z.number().nonnegative(),
  expectedIterations: z.int().positive().nullable(),
  knownIssue: mapping(knownIssueSchema.shape).nullable(),
  pressure: z.array(mapping(pressureFactorSchema.shape)),
  quality: z.array(mapping({ ...gradedCriterionSchema.shape, grade: call })),
  saboteurs: z.record(z.string(), saboteurSchema),
  notApplicable: z.partialRecord(builtIns, z.string()),
  exempt: z.partialRecord(variants, z.string()),
});
/** What an author passes to `scenario()` and `conversation()`. */
const definitionSchema = mapping({
  ...scenarioSchema.omit({ kind: true, placed: true, tiedToBackend: true }).partial().shape,
  ...scenarioSchema.pick({ id: true, description: true, arrange: true, expect: true }).shape,
  agent: z.array(z.looseObject({ rule: z.looseObject({}) }), 'expected a list of rules'),
  backend: backendIdSchema.optional(),
  beyondStandIn: z.string().optional(),
  expectedIterations: z.int().positive().optional(),
  // Its own parser explains it better.
  knownIssue: z.looseObject({}).optional(),
});

const file = z.union([z.string(), mapping({ content: z.string(), mode: z.number() })]);
const files = z.record(z.string(), file);
const gitErrand = mapping({ git: words });

const arrangementSchema = mapping({
  config: z.record(z.string(), z.unknown()),
  prompt: z.string(),
  files: files.optional(),
  before: z.array(z.lazy(() => errand)).optional(),
  after: z.array(z.lazy(() => errand)).optional(),
  args: words.optional(),
  path: words.optional(),
  terminal: z.enum(['tui', 'rpc']).optional(),
  credentials: z.enum(['as-is', 'refused']).optional(),
  probe: z.enum(['without-credentials', 'without-executable']).optional(),
});
const errand = z.union([
  gitErrand,
  mapping({
    ralph: words,
    in: z.string().optional(),
    env: z.record(z.string(), z.string().nullable()).optional(),
  }),
  mapping({ session: mapping({ prompt: z.string(), args: words.optional() }) }),
]);

const conversationErrand = z.union([gitErrand, mapping({ run: words.min(1) })]);
const conversationSchema = mapping({
  files: files.optional(),
  plugins: z
    .array(
      z.union([
        z.string(),
        mapping({
          name: z.string(),
          from: z.string().optional(),
          files: z.record(z.string(), file.nullable()).optional(),
          stubs: z.record(z.string(), stubbedServerSchema).optional(),
        }),
      ]),
    )
    .optional(),
  turns: z
    .array(
      z.union([
        z.string(),
        mapping({
          prompt: z.string(),
          seconds: z.number().positive().optional(),
          cancelled: z.literal('at-first-call').optional(),
        }),
      ]),
    )
    .min(1),
  form: z.enum(['streamed', 'turn-by-turn']).optional(),
  workflow: z.looseObject({ name: z.string(), initial: z.string() }).optional(),
  permissionMode: z.string().optional(),
  allowedTools: words.optional(),
  agent: z.string().optional(),
  args: words.optional(),
  before: z.array(conversationErrand).optional(),
  after: z.array(conversationErrand).optional(),
  devServer: z
    .strictObject({
      run: words.min(1),
      port: z.int().min(1).max(65_535).optional(),
      path: z.string().startsWith('/').optional(),
      seconds: z.number().positive().optional(),
    })
    .optional(),
});

const checkSchema = z.looseObject(
  {
    kind: z.string(),
    name: z.string(),
    category: checkCategorySchema,
    about: mapping(aboutSchema.shape).optional(),
    judge: call,
    reads: words.optional(),
    guard: z.string().optional(),
  },
  'expected a check, such as completed()',
);

/** A list of checks, or checks by name. */
const expectationSchema = z.custom<unknown>().superRefine((expected, context) => {
  const schema = Array.isArray(expected)
    ? z.array(checkSchema)
    : z.record(z.string(), checkSchema.optional());
  for (const { path, message } of schema.safeParse(expected).error?.issues ?? [])
    context.addIssue({ code: 'custom', path: [...path], message });
});

/** Rejects unknown fields. `define` copies only known ones, so later nobody would notice that one is missing. */
export function requireKnownFields(definition: { readonly agent: unknown }): void {
  const known = Object.keys(definitionSchema.shape);
  const unknown = Object.keys(definition).filter((field) => !known.includes(field));
  if (unknown.length > 0) throw new KnownError(`${nameOf(definition)}: ${refuseKeys(unknown, known)}`);
  if (!Array.isArray(definition.agent))
    throw new KnownError(`${nameOf(definition)}: agent: expected a list of rules.`);
}

/** Rejects a definition of an author with a field that is wrong. Those of our catalog are checked when they are compiled. */
export function requireDefinition(definition: unknown): void {
  requireShape(definitionSchema, definition, nameOf(definition));
}

/** Rejects a value that `scenario()` or `conversation()` cannot have returned. */
export function requireScenario(value: unknown): void {
  requireShape(scenarioSchema, value, nameOf(value));
}

/** Rejects an arrangement that the runner of its kind cannot read. */
export function requireArrangement(
  { id, kind }: { readonly id: string; readonly kind: 'ralph' | 'conversation' },
  arrangement: unknown,
): void {
  const schema = kind === 'ralph' ? arrangementSchema : conversationSchema;
  requireShape(schema, arrangement, `scenario "${id}": what arrange returns`);
}

/** Returns the checks of a scenario with their names. Rejects an empty list: a scenario without checks always passes. */
export function requireChecks({ id }: { readonly id: string }, expected: Expectation): NamedCheck[] {
  const name = `scenario "${id}": what expect returns`;
  requireShape(expectationSchema, expected, name);
  const checks = nameChecks(expected);
  if (checks.length === 0) throw new KnownError(`${name}: expected at least one check, found none.`);
  return checks;
}

/** Rejects rules that the scripted agent cannot read. */
export function requireScript({ id, agent }: { readonly id: string; readonly agent: unknown }): void {
  requireShape(agentScriptSchema, agent, `scenario "${id}": agent`);
}

/** Rejects companions that are not backends. */
export function requireCompanions({ id }: { readonly id: string }, companions: unknown): void {
  requireShape(z.array(backendIdSchema), companions, `scenario "${id}": what companions returns`);
}

function nameOf(value: unknown): string {
  const { data } = z.looseObject({ id: z.string() }).safeParse(value);
  return data === undefined ? 'a scenario without an id' : `scenario "${data.id}"`;
}

function requireShape(schema: z.ZodType, value: unknown, name: string): void {
  const { error } = schema.safeParse(value);
  if (error !== undefined) throw new KnownError(`${name}: ${explainValue(error.issues, value)}`);
}
