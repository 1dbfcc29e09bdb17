import { Chalk } from 'chalk';
import { expect, it } from 'vitest';
import type { Report } from '../../src/domain/report/report.js';
import type { ReportResult } from '../../src/domain/report/result.js';
import { analysis } from '../../src/harness/analysis.js';
import { renderFailures } from '../../src/report/agent.js';
import { renderGithubAnnotations } from '../../src/report/github.js';
import { renderFailurePage } from '../../src/report/markdown/tests.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { renderBrokenCheck } from '../../src/report/terminal/write.js';
import { describeBroken } from '../../src/report/words/outcomes.js';
import { journal } from './support/journal.js';
import { renderGithubSummary, renderHtml, renderMarkdown } from './support/rendered.js';

const side = (word: string) =>
  `${'the same words before '.repeat(60)}${word}${' and the same after'.repeat(60)}`;
const PROMISE = { area: 'adapters', promise: 'The call has its flags.', source: 'cli_backend.rs' };
const PAIR = { expected: side('with-the-flag'), actual: side('without-it') };

const report = buildReport(
  journal({
    run: { lane: 'sim' },
    tests: ['a', 'b'].map((scenarioId) => ({
      scenarioId,
      attempts: [
        {
          outcome: 'failed',
          checks: [
            {
              name: 'the call is right',
              kind: 'callIsRight',
              category: 'FileContains',
              passed: false,
              ...PAIR,
              promises: [PROMISE],
            },
          ],
        },
      ],
    })),
  }),
  analysis,
);

/** All that shows what a check expected and received, each shorter than these two texts. */
const READERS: Record<string, (report: Report, result: ReportResult) => string> = {
  'report.md': renderMarkdown,
  'the page of a failure': renderFailurePage,
  'the HTML report': renderHtml,
  'the job summary': renderGithubSummary,
  annotations: (all) => renderGithubAnnotations(all).join('\n'),
  'failures.json': (all) => [...renderFailures(all)].join(''),
  'the terminal': () =>
    renderBrokenCheck(
      { name: 'the call is right', ...PAIR },
      { chalk: new Chalk({ level: 0 }), columns: 80, indent: 4, most: 2 },
    ).join('\n'),
};

it.each(Object.entries(READERS))('%s leaves out of two texts only what is the same', (_, read) => {
  const [result] = report.results;
  if (result === undefined) throw new Error('There is no test.');
  const text = read(report, result);
  expect(text).toContain('with-the-flag');
  expect(text).toContain('without-it');
});

it('a failure on one line shows what is different in what was received', () => {
  const [result] = report.results;
  if (result === undefined) throw new Error('There is no test.');
  expect(describeBroken(result, 160)).toContain('without-it');
});
