import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { analysis } from '../../src/harness/analysis.js';
import { reportJsonSchema } from '../../src/report/json-schema.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { journal } from './support/journal.js';
import { renderJson } from './support/rendered.js';

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

const validate = new Ajv2020({ strict: true }).compile(reportJsonSchema());

describe('report.json', () => {
  it('fits the published schema', () => {
    expect(validate(JSON.parse(renderJson(report))), JSON.stringify(validate.errors)).toBe(true);
  });

  it('fits it with further fields, and not in another format', () => {
    const newer = { ...report, weather: 'sunny', target: { ...report.target, mood: 1 } };
    expect(validate(JSON.parse(renderJson(newer))), JSON.stringify(validate.errors)).toBe(true);
    expect(reportSchema.parse(newer).run_id).toBe(report.run_id);
    expect(validate({ ...JSON.parse(renderJson(report)), format: 2 })).toBe(false);
  });

  it('does not fit it any more when a field has another type', () => {
    expect(validate({ ...JSON.parse(renderJson(report)), passed: 'yes' })).toBe(false);
  });

  it('keeps what it was given, and prints nothing that a terminal would act on', () => {
    const text = renderJson({ ...report, verdict: 'a\u001b[31m\u202e\u009b\u{e0041}b' });
    expect(text).toContain('a\\u001b[31m\\u202e\\u009b\\udb40\\udc41b');
    expect(JSON.parse(text).verdict).toBe('a\u001b[31m\u202e\u009b\u{e0041}b');
  });
});
