import * as z from 'zod';
import { textBetween } from '../../domain/common/between.js';
import { parseJson } from '../../domain/common/json-lines.js';
import { diagnosisSchema, passedAnalysisSchema, recommendationSchema } from '../../domain/report/analysis.js';
import type { AnalystAnswer } from '../../domain/report/analyst.js';

/** The readable part of an answer, and notes on the rest. */
export interface ReadAnswer {
  readonly answer: AnalystAnswer | null;
  readonly notes: readonly string[];
}

/** Reads the analyst's answer: a bad field loses only that field, not the analysis. */
export function readAnalystAnswer(text: string): ReadAnswer {
  const json = findJson(text);
  if (json === undefined) return { answer: null, notes: ['the answer contains no JSON'] };
  const whole = z.record(z.string(), z.unknown()).safeParse(json);
  if (!whole.success) return { answer: null, notes: ['the answer is JSON, but not an object'] };
  const notes: string[] = [];
  const read = <Item>(key: keyof AnalystAnswer, schema: z.ZodType<Item>) =>
    readList(whole.data[key], key, schema, notes);
  const answer: AnalystAnswer = {
    failed_analyses: read('failed_analyses', failedSchema).map(({ failure_type, ...failed }) => {
      const { success, data = null } = failureTypeSchema.safeParse(failure_type);
      if (!success)
        notes.push(`${failed.scenario_id}: failure_type ${JSON.stringify(failure_type)} is unknown`);
      return { ...failed, failure_type: data };
    }),
    passed_analyses: read('passed_analyses', passedSchema),
    patterns: read('patterns', patternSchema),
    recommendations: read('recommendations', adviceSchema),
  };
  const empty = Object.values(answer).every((list) => list.length === 0);
  if (empty) notes.push('the answer contains nothing readable');
  return { answer: empty ? null : answer, notes };
}

/** Finds the JSON in a text, possibly inside a fence or between other words. */
function findJson(text: string): unknown {
  const fenced = textBetween(text, '```json', '```') ?? textBetween(text, '```', '```') ?? '';
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, fenced, braces]) {
    const json = parseJson(candidate);
    if (json !== undefined) return json;
  }
  return undefined;
}

function readList<Item>(value: unknown, key: string, schema: z.ZodType<Item>, notes: string[]): Item[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    notes.push(`${key}: expected a list`);
    return [];
  }
  return value.flatMap((item) => {
    const { data, error } = schema.safeParse(item);
    if (data !== undefined) return [data];
    const [field] = error?.issues[0]?.path ?? [];
    notes.push(
      field === undefined ? `${key}: an entry is not an object` : `${key}: an entry has no ${String(field)}`,
    );
    return [];
  });
}

const { failure_type: failureTypeSchema } = diagnosisSchema.shape;
const text = z.string().refine((value) => value.trim() !== '');
const maybe = text.nullable().catch(null);

/** Takes the entries of a list that can be read. */
function listOf<Item>(schema: z.ZodType<Item>) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((items) => items.flatMap((item) => schema.safeParse(item).data ?? []));
}

const texts = z.union([z.string().transform((one) => [one]), listOf(z.string())]).catch([]);

const failedSchema = z.object({
  scenario_id: text,
  backend: maybe,
  failure_type: z.unknown().optional(),
  root_cause_hypothesis: maybe,
  evidence: texts,
  suggested_investigations: texts,
  potential_fixes: listOf(
    z.object({
      description: text,
      confidence: z.unknown().optional().transform(confidenceOf),
      file_to_modify: maybe,
      suggested_change: maybe,
    }),
  ),
});

const passedSchema = z.object({
  scenario_id: text,
  quality_score: passedAnalysisSchema.shape.quality_score.catch(null),
  warnings: listOf(z.object({ category: text.catch('Other'), message: text, evidence: text.catch('') })),
  optimizations: listOf(
    z.object({
      category: text.catch('other'),
      description: text,
      potential_improvement: text.catch(''),
      suggested_change: maybe,
    }),
  ),
});

const patternSchema = z.object({ description: text, affected_tests: texts, suggested_fix: maybe });

const adviceSchema = z
  .object({
    severity: recommendationSchema.shape.severity.catch('Info'),
    category: text.catch('other'),
    title: maybe,
    description: text.catch(''),
    affected_tests: texts,
    suggested_fix: maybe,
  })
  .transform((advice) => ({ ...advice, title: advice.title ?? advice.description }))
  .refine(({ title }) => title !== '', { path: ['title'] });

/** Models write 0.8, "0.8", "80%" and "high". */
function confidenceOf(value: unknown): number {
  const words: Readonly<Record<string, number>> = { high: 0.8, medium: 0.5, low: 0.2 };
  const text = String(value).trim().toLowerCase();
  const number = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  const read = words[text] ?? (Number.isFinite(number) ? number : 0.5);
  return Math.min(1, Math.max(0, read > 1 ? read / 100 : read));
}
