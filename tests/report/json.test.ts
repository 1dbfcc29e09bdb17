import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { analysis } from '../../src/analysis.js';
import { renderReportSchema, reportJsonSchema } from '../../src/report/json-schema.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { journal } from './support/journal.js';
import { renderJson } from './support/rendered.js';

const SCHEMA_FILE = new URL('../../docs/report.schema.json', import.meta.url);

const report = buildReport(
  journal({
    tests: [
      { attempts: [{ outcome: 'failed', checks: [{ passed: false }] }] },
      { scenarioId: 'good', expectedIterations: 1, attempts: [{ checks: [{}] }] },
      { scenarioId: 'not-run', skipped: 'no reason' },
    ],
  }),
  analysis,
);

describe('report.json', () => {
  it('fits the published schema', () => {
    const validate = new Ajv2020({ strict: true }).compile(reportJsonSchema());
    expect(validate(JSON.parse(renderJson(report))), JSON.stringify(validate.errors)).toBe(true);
  });

  it('does not fit it any more when a field has another type', () => {
    const validate = new Ajv2020().compile(reportJsonSchema());
    expect(validate({ ...JSON.parse(renderJson(report)), passed: 'yes' })).toBe(false);
  });

  it('keeps what it was given, and prints nothing that a terminal would act on', () => {
    const text = renderJson({ ...report, verdict: 'a\u001b[31m\u202e\u009b\u{e0041}b' });
    expect(text).toContain('a\\u001b[31m\\u202e\\u009b\\udb40\\udc41b');
    expect(JSON.parse(text).verdict).toBe('a\u001b[31m\u202e\u009b\u{e0041}b');
  });
});

it('docs/report.schema.json is up to date (UPDATE_SCHEMA=1 writes it)', () => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(SCHEMA_FILE, renderReportSchema());
  expect(readFileSync(SCHEMA_FILE, 'utf8')).toBe(renderReportSchema());
});
