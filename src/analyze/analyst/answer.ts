import * as z from 'zod';
import { textBetween } from '../../domain/common/between.js';
import { parseJson } from '../../domain/common/json-lines.js';
import { diagnosisSchema, passedAnalysisSchema, recommendationSchema } from '../../domain/report/analysis.js';
import type { AnalystAnswer, FailedAnalysis, PassedReview } from '../../domain/report/analyst.js';

/** The readable part of an answer, and notes on the rest. */
export interface ReadAnswer {
  readonly answer: AnalystAnswer | null;
  readonly notes: readonly string[];
}

/** Reads the analyst's answer: a bad field loses only that field, not the analysis. */
export function readAnalystAnswer(text: string): ReadAnswer {
  const json = findJson(text);
  if (json === undefined) return { answer: null, notes: ['the answer contains no JSON'] };
  const whole = looseObject.safeParse(json);
  if (!whole.success) return { answer: null, notes: ['the answer is JSON, but not an object'] };
  const notes: string[] = [];
  const items = (key: string) => readArray(whole.data[key], key, notes);
  const answer: AnalystAnswer = {
    failed_analyses: items('failed_analyses').flatMap((item) => readFailed(item, notes)),
    passed_analyses: items('passed_analyses').flatMap((item) => readPassed(item, notes)),
    patterns: items('patterns').flatMap(readPattern),
    recommendations: items('recommendations').flatMap(readRecommendation),
  };
  const empty = Object.values(answer).every((list) => list.length === 0);
  if (empty) notes.push('the answer contains nothing readable');
  return { answer: empty ? null : answer, notes };
}

const looseObject = z.record(z.string(), z.unknown());

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

function readArray(
  value: unknown,
  key: string,
  notes: string[],
): readonly Readonly<Record<string, unknown>>[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    notes.push(`${key}: expected a list`);
    return [];
  }
  return value.flatMap((item) => {
    const read = looseObject.safeParse(item);
    if (!read.success) notes.push(`${key}: an entry is not an object`);
    return read.success ? [read.data] : [];
  });
}

function readFailed(item: Readonly<Record<string, unknown>>, notes: string[]): FailedAnalysis[] {
  const id = textOf(item.scenario_id);
  if (id === null) {
    notes.push('failed_analyses: an entry names no scenario');
    return [];
  }
  const type = diagnosisSchema.shape.failure_type.safeParse(item.failure_type);
  if (!type.success) notes.push(`${id}: failure_type ${JSON.stringify(item.failure_type)} is unknown`);
  return [
    {
      scenario_id: id,
      backend: textOf(item.backend),
      failure_type: type.success ? type.data : null,
      root_cause_hypothesis: textOf(item.root_cause_hypothesis),
      evidence: texts(item.evidence),
      suggested_investigations: texts(item.suggested_investigations),
      potential_fixes: records(item.potential_fixes).flatMap((fix) => {
        const description = textOf(fix.description);
        if (description === null) return [];
        return [
          {
            description,
            confidence: confidenceOf(fix.confidence),
            file_to_modify: textOf(fix.file_to_modify),
            suggested_change: textOf(fix.suggested_change),
          },
        ];
      }),
    },
  ];
}

function readPassed(item: Readonly<Record<string, unknown>>, notes: string[]): PassedReview[] {
  const id = textOf(item.scenario_id);
  if (id === null) {
    notes.push('passed_analyses: an entry names no scenario');
    return [];
  }
  const score = passedAnalysisSchema.shape.quality_score.safeParse(item.quality_score);
  return [
    {
      scenario_id: id,
      quality_score: score.success ? score.data : null,
      warnings: records(item.warnings).flatMap((warning) => {
        const message = textOf(warning.message);
        if (message === null) return [];
        return [
          {
            category: textOf(warning.category) ?? 'Other',
            message,
            evidence: textOf(warning.evidence) ?? '',
          },
        ];
      }),
      optimizations: records(item.optimizations).flatMap((found) => {
        const description = textOf(found.description);
        if (description === null) return [];
        return [
          {
            category: textOf(found.category) ?? 'other',
            description,
            potential_improvement: textOf(found.potential_improvement) ?? '',
            suggested_change: textOf(found.suggested_change),
          },
        ];
      }),
    },
  ];
}

function readPattern(item: Readonly<Record<string, unknown>>): AnalystAnswer['patterns'] {
  const description = textOf(item.description);
  if (description === null) return [];
  return [
    { description, affected_tests: texts(item.affected_tests), suggested_fix: textOf(item.suggested_fix) },
  ];
}

function readRecommendation(item: Readonly<Record<string, unknown>>): AnalystAnswer['recommendations'] {
  const title = textOf(item.title) ?? textOf(item.description);
  if (title === null) return [];
  const severity = recommendationSchema.shape.severity.safeParse(item.severity);
  return [
    {
      severity: severity.success ? severity.data : 'Info',
      category: textOf(item.category) ?? 'other',
      title,
      description: textOf(item.description) ?? '',
      affected_tests: texts(item.affected_tests),
      suggested_fix: textOf(item.suggested_fix),
    },
  ];
}

/** Models write 0.8, "0.8", "80%" and "high". */
function confidenceOf(value: unknown): number {
  const words: Readonly<Record<string, number>> = { high: 0.8, medium: 0.5, low: 0.2 };
  const text = String(value).trim().toLowerCase();
  const number = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  const read = words[text] ?? (Number.isFinite(number) ? number : 0.5);
  return Math.min(1, Math.max(0, read > 1 ? read / 100 : read));
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return readArray(Array.isArray(value) ? value : [], '', []);
}
