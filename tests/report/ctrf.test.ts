import { validate } from 'ctrf';
import { expect, it } from 'vitest';
import { analysis } from '../../src/analysis.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { mixedRun } from './support/golden-run.js';
import { renderCtrf } from './support/rendered.js';

it('report.ctrf.json fits the schema of CTRF', () => {
  const document = JSON.parse(renderCtrf(buildReport(mixedRun(), analysis)));
  expect(validate(document)).toMatchObject({ valid: true });
  // The check itself can fail: the schema allows no field that it does not know.
  expect(validate({ ...document, colour: 'red' })).toMatchObject({ valid: false });
});
