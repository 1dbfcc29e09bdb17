import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { openScreen, type Screen } from '../../src/cli/screen.js';
import type { JournalEvent } from '../../src/domain/journal.js';
import { comparableReportSchema } from '../../src/domain/report/comparable.js';
import { compareReports } from '../../src/domain/report/compare.js';
import { needsPage } from '../../src/domain/report/failure-pages.js';
import type { ReportFormat } from '../../src/domain/report/formats.js';
import { type Report, reportSchema } from '../../src/domain/report/report.js';
import { analysis } from '../../src/harness/analysis.js';
import { renderAgentPrompt, renderFailures } from '../../src/report/agent.js';
import { renderComparisonMarkdown } from '../../src/report/comparison.js';
import { renderGithubAnnotations } from '../../src/report/github.js';
import { renderFailurePage, renderTestPage } from '../../src/report/markdown/tests.js';
import { buildReport } from '../../src/report/model/build-report.js';
import { renderRelease } from '../../src/report/release.js';
import { createTerminalReporter, type Verbosity } from '../../src/report/terminal/terminal.js';
import { anyJournal } from './support/arbitrary-journal.js';
import { HOSTILE_TEXTS, hostileJournal } from './support/hostile-corpus.js';
import { readHtml } from './support/html-outline.js';
import { readOutline } from './support/markdown-outline.js';
import {
  renderGithubSummary,
  renderHtml,
  renderJson,
  renderJunit,
  renderMarkdown,
} from './support/rendered.js';
import { findSchemaProblems, parseXml } from './support/surefire.js';

/** Every heading that the reports themselves make begins like one of these. */
const OWN_HEADINGS =
  /^(?:# (?:E2E Test Report|Comparison of two E2E runs$|🟢|🔴|🟠|💥|❌|❔|🐞|`[^`]*` on |``.*`` on |\(empty\) on |✅|🔁|⏭️)|## (?:🎲 |\d+ tests?: |The clearest test: |When you have a fix$|Run the test again$|Context$|🎯|🟢|🔴|🟠|💥|❔|🔁|📋|🐞|🔧|📚|✅|⏭️|🖥️|📁|🔌|🔓|📈|🧪|🧠|Summary|Diagnosis$|Attempts$|Checks \(|Error of the harness$|Run it again$|Under pressure$|Quality$|Trouble on the way$|What happened there$|What Ralph logged$|Configuration \(ralph\.yml\)$|Events$|Errors \(stderr\)$)|### (?:\d+\. \d+ tests?|✅|🟢|🟡|🟠|🔴|❌|❔|💥|🔁|ℹ️|Summary by Quality|Others$|Other causes$)|#### (?:Diagnosis$|Attempts$|Checks \(|Error of the harness$|Run it again$|Under pressure$|Quality$|Trouble on the way$|What happened there$|What Ralph logged$|Configuration \(ralph\.yml\)$|Events$|Errors \(stderr\)$))/u;
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]|[\ufe00-\ufe0d]|[\u{e0000}-\u{e01ef}]|[A-Za-z](?:\u200d|\ufe0e|\ufe0f)/u;
const UNSEEN_IN_JSON =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|[\ufe00-\ufe0d]|[A-Za-z](?:\u200d|\ufe0e|\ufe0f)/;
/** What GitHub, Azure and TeamCity act on. */
const COMMAND = /^\s*::|##\w*\[/m;
const ANNOTATION = /^::(?:error|warning|notice) title=[^:,\n]*::[^\n]*$/;

type Judge = (report: Report, events: readonly JournalEvent[]) => void;

/** How each format of `--report` is read back, and what must be true of it then. */
const FORMATS: Readonly<Record<ReportFormat, Judge>> = {
  markdown: (report) => {
    const page = renderMarkdown(report);
    expectSafePage(page);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(40_000);
  },
  json: (report) => {
    const text = renderJson(report);
    expect(reportSchema.parse(JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(report)));
    expect(UNSEEN_IN_JSON.exec(text)).toBeNull();
  },
  html: (report) => {
    const { problems, elements } = readHtml(renderHtml(report));
    expect(problems).toEqual([]);
    expect(elements.filter(({ tag }) => tag === 'script' || tag === 'style')).toHaveLength(2);
  },
  junit: (report) => {
    const xml = renderJunit(report);
    expect(findSchemaProblems(parseXml(xml))).toEqual([]);
    expect(UNSEEN.exec(xml)).toBeNull();
  },
  github: (report) => {
    const page = renderGithubSummary(report);
    expectSafePage(page);
    expect(page.length).toBeLessThan(250_000);
  },
};

/** What else is printed or written. */
const OTHERS: Readonly<Record<string, Judge>> = {
  'failures.json': (report) => {
    const text = [...renderFailures(report)].join('');
    const { causes } = JSON.parse(text);
    expect(causes).toHaveLength(report.causes.length);
    for (const cause of causes)
      expect(Buffer.byteLength(JSON.stringify(cause, null, 2))).toBeLessThanOrEqual(6_500);
    expect(UNSEEN_IN_JSON.exec(text)).toBeNull();
  },
  'prompts for agents': (report) => {
    for (const cause of report.causes) expectSafePage(renderAgentPrompt(report, cause));
  },
  'release notes': (report) => {
    const text = [...renderRelease(report)].join('');
    expectSafePage(text);
    expect(text.split('\n').length).toBeLessThanOrEqual(16);
  },
  'a comparison': (report) => {
    const comparable = comparableReportSchema.parse(report);
    const green = comparable.results.map((result) => ({
      ...result,
      passed: true,
      outcome: 'passed' as const,
    }));
    expectSafePage(renderComparisonMarkdown(compareReports({ ...comparable, results: green }, comparable)));
  },
  'pages of tests': (report) => {
    for (const result of report.results) expectSafePage(renderTestPage(report, result));
  },
  annotations: (report) => {
    for (const line of renderGithubAnnotations(report)) {
      expect(line).toMatch(ANNOTATION);
      expect(COMMAND.exec(line.slice(2))).toBeNull();
      expect(UNSEEN.exec(line)).toBeNull();
    }
  },
  'failure pages': (report) => {
    for (const result of report.results.filter(needsPage)) {
      const page = renderFailurePage(report, result);
      expectSafePage(page);
      expect(page.length).toBeLessThanOrEqual(16_000);
    }
  },
  'what show prints': (report) => {
    const tests = report.results.map(
      (result) => `${renderTestPage(report, result)}${renderFailurePage(report, result)}`,
    );
    const texts = [renderMarkdown(report), renderJunit(report), renderGithubSummary(report), ...tests];
    expect(COMMAND.exec(shown((screen) => texts.map(screen.print)))).toBeNull();
    const json = shown((screen) => screen.print(renderJson(report)));
    expect(COMMAND.exec(json)).toBeNull();
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(report)));
  },
  ...Object.fromEntries(
    (['quiet', 'folded', 'normal', 'verbose'] as const).map((verbosity) => [
      `${verbosity} terminal`,
      (report: Report, events: readonly JournalEvent[]) => {
        const text = printed(report, events, verbosity);
        expect(UNSEEN.exec(text)).toBeNull();
        expect(COMMAND.exec(text)).toBeNull();
      },
    ]),
  ),
};

/** Built once for all formats. */
const HOSTILE_REPORTS = Object.entries(HOSTILE_TEXTS).map(([name, text]) => {
  const events = hostileJournal(text);
  return { name, report: buildReport(events, analysis), events };
});

describe.each(Object.entries({ ...FORMATS, ...OTHERS }))('%s', (_, check) => {
  it.each(HOSTILE_REPORTS)('holds $name', ({ report, events }) => check(report, events));
});

it('every format holds whatever a journal can hold', () => {
  fc.assert(
    fc.property(anyJournal, (events) => {
      const report = buildReport(events, analysis);
      for (const check of Object.values({ ...FORMATS, ...OTHERS })) check(report, events);
    }),
    { numRuns: 20 },
  );
});

function expectSafePage(markdown: string): void {
  const { problems, headings, bare } = readOutline(markdown);
  const texts = bare.map((line) => line.replace(/\]\([^()]*\)/g, ']'));
  expect(texts.filter((line) => /evil\.example|@octocat|#1\b|GH-1|CVE-/.test(line))).toEqual([]);
  expect(problems).toEqual([]);
  expect(headings.filter((heading) => !OWN_HEADINGS.test(heading))).toEqual([]);
  expect(UNSEEN.exec(markdown)).toBeNull();
}

/** Returns what comes out on stdout. */
function shown(show: (screen: Screen) => void): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    show(openScreen({ json: false }));
    return write.mock.calls.map(([chunk]) => String(chunk)).join('');
  } finally {
    write.mockRestore();
  }
}

function printed(report: Report, events: readonly JournalEvent[], verbosity: Verbosity): string {
  const stream = new PassThrough();
  const reporter = createTerminalReporter({ stream, verbosity, color: false, now: () => 0 });
  for (const event of events) reporter.onEvent(event);
  reporter.finish(report, ['report.md']);
  return String(stream.read());
}
