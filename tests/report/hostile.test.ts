import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysis } from '../../src/analyze/index.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import { reportSchema } from '../../src/domain/report.js';
import { buildReport } from '../../src/report/build-report.js';
import { renderJson } from '../../src/report/json.js';
import { renderMarkdown } from '../../src/report/markdown.js';
import { createTerminalReporter } from '../../src/report/terminal.js';
import { anyJournal } from './support/arbitrary-journal.js';
import { readOutline } from './support/markdown-outline.js';

/** Every heading that the report itself makes begins like one of these. */
const OWN_HEADINGS =
  /^(?:# E2E Test Report|## (?:🟢|🔴|🟠|💥|🔁|📋|🐞|🔧|📚|✅|⏭️|🖥️|📁|Summary)|### (?:🟢|🟡|🟠|🔴|❌|💥|🔁|ℹ️|Summary by Quality|Failures by Category)|#### (?:Assertions|Metrics|🔍|⚠️|💡))/u;
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]|[\u{e0000}-\u{e007f}]/u;

describe('whatever a journal holds', () => {
  it('renders to markdown in which nothing leaves its place', () => {
    fc.assert(
      fc.property(anyJournal, (events) => {
        const markdown = renderMarkdown(buildReport(events, analysis));
        const { problems, headings } = readOutline(markdown);
        expect(problems).toEqual([]);
        expect(headings.filter((heading) => !OWN_HEADINGS.test(heading))).toEqual([]);
        expect(UNSEEN.exec(markdown)).toBeNull();
      }),
      { numRuns: 150 },
    );
  });

  it('keeps the part that matters short', () => {
    fc.assert(
      fc.property(anyJournal, (events) => {
        const [short = ''] = renderMarkdown(buildReport(events, analysis)).split('\n---\n');
        expect(short.length).toBeLessThanOrEqual(32_000);
      }),
      { numRuns: 100 },
    );
  });

  it('renders to JSON that fits the model and changes nothing', () => {
    fc.assert(
      fc.property(anyJournal, (events) => {
        const report = buildReport(events, analysis);
        const text = renderJson(report);
        expect(reportSchema.parse(JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(report)));
        expect(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(text)).toBeNull();
      }),
      { numRuns: 100 },
    );
  });

  it('prints on a terminal without a control sequence', () => {
    fc.assert(
      fc.property(anyJournal, fc.constantFrom('quiet', 'normal', 'verbose'), (events, verbosity) => {
        expect(UNSEEN.exec(printed(events, verbosity))).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});

function printed(events: readonly JournalEvent[], verbosity: 'quiet' | 'normal' | 'verbose'): string {
  const stream = new PassThrough();
  const reporter = createTerminalReporter({ stream, verbosity, color: false, now: () => 0 });
  for (const event of events) reporter.onEvent(event);
  reporter.finish(buildReport(events, analysis), ['report.md']);
  return String(stream.read());
}
