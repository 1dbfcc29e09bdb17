import { describe, expect, it } from 'vitest';
import { analysis } from '../../../src/harness/analysis.js';
import { renderTestPage } from '../../../src/report/markdown/tests.js';
import { buildReport } from '../../../src/report/model/build-report.js';
import { type AttemptFields, journal } from '../support/journal.js';
import { readOutline } from '../support/markdown-outline.js';

/** Renders the page on a test with this one attempt. */
function pageOf(attempt: AttemptFields): string {
  const report = buildReport(journal({ tests: [{ attempts: [attempt] }] }), analysis);
  const [result] = report.results;
  if (result === undefined) throw new Error('one result expected');
  return renderTestPage(report, result);
}

describe('the page on a test', () => {
  it.each(['passed', 'failed'] as const)('names every check that held if it %s', (outcome) => {
    const held = Array.from({ length: 90 }, (_, index) => ({ name: `held ${index}` }));
    const broken = outcome === 'failed' ? [{ name: 'broke', passed: false }] : [];
    const page = pageOf({ outcome, checks: [...held, ...broken] });
    const [names = ''] = /✅ Passed: (.*)\.$/m.exec(page)?.slice(1) ?? [];
    expect(names.split('; ')).toEqual(held.map(({ name }) => name));
  });

  it('quotes a long error of the harness line by line', () => {
    const error = `spawn failed\n${'    at start (run.js:1:1)\n'.repeat(60)}the last line`;
    const page = pageOf({ outcome: 'error', evidence: null, error });
    expect(page).toContain('#### Error of the harness\n\n```\nspawn failed\n    at start');
    expect(readOutline(page).fenced).toContain(error);
  });

  it('does not quote a short error of the harness', () => {
    const page = pageOf({ outcome: 'error', evidence: null, error: 'disk full' });
    expect(page).toContain('#### Error of the harness\n\ndisk full\n');
  });

  it('leads to the page on the failure, but not to itself', () => {
    const failed = pageOf({ outcome: 'failed', checks: [{ passed: false }] });
    expect(failed).toMatch(/^- \*\*Pages:\*\* \[the failure\]\(\S+\)$/m);
    expect(pageOf({})).not.toContain('**Pages:**');
  });
});
