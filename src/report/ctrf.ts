import { involvesRalph } from '../domain/attempt.js';
import type { Report, ReportResult } from '../domain/report/report.js';
import type { Outcome } from '../domain/vocabulary.js';
import { printJson } from './json.js';
import type { Pieces } from './text/pieces.js';
import { capText, oneLine } from './text/safe-text.js';
import {
  describeAssertion,
  describeBroken,
  describeGone,
  describeKnownIssue,
  isGoodNews,
} from './words/failure-words.js';
import { describeResultFault } from './words/fault-words.js';

const TEXT_LIMIT = 4_000;
const LINE_LIMIT = 1_000;

/** Renders the report in the Common Test Report Format, which dashboards of several CI systems read. */
export function renderCtrf(report: Report): Pieces {
  const start = Date.parse(report.timestamp);
  const began = Number.isNaN(start) ? 0 : start;
  const having = (status: CtrfStatus) =>
    report.results.filter(({ outcome }) => STATUS[outcome] === status).length;
  return printJson({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    runId: report.run_id || 'unknown',
    ...(Number.isNaN(start) ? {} : { timestamp: new Date(start).toISOString() }),
    generatedBy: 'ralph-e2e',
    results: {
      tool: { name: 'ralph-e2e', version: oneLine(report.harness_version) },
      summary: {
        tests: report.results.length,
        passed: having('passed'),
        failed: having('failed'),
        skipped: having('skipped'),
        pending: 0,
        other: 0,
        flaky: report.summary.flaky,
        suites: new Set(report.results.map(({ tier }) => tier)).size,
        start: began,
        stop: began + milliseconds(report.duration_seconds),
        duration: milliseconds(report.duration_seconds),
        extra: { verdict: oneLine(report.verdict, LINE_LIMIT) },
      },
      tests: describeTests(report),
      environment: {
        ...describeApp(report),
        osPlatform: oneLine(report.environment.os),
        testEnvironment: report.lane,
        healthy: report.passed,
      },
    },
  });
}

function describeApp({ target }: Report) {
  if (!involvesRalph(target)) return {};
  const appName = target.kind === 'real' ? 'ralph' : 'stand-in ralph';
  return { appName, appVersion: oneLine(target.version) };
}

type CtrfStatus = 'passed' | 'failed' | 'skipped';

/** CTRF has no status for an error in the harness or a known issue; `rawStatus` names them. Red stays red. */
const STATUS = {
  passed: 'passed',
  flaky: 'passed',
  failed: 'failed',
  error: 'failed',
  'known-issue': 'skipped',
  skipped: 'skipped',
} as const satisfies Record<Outcome, CtrfStatus>;

/** Lazily: all tests at once would take as much memory as the report itself. */
function* describeTests(report: Report) {
  for (const result of report.results) yield describeTest(result, report);
}

function describeTest(result: ReportResult, report: Report) {
  const { scenario_id, backend, tier, outcome, attempts, priority, phase, covers } = result;
  const earlier = attempts.slice(0, -1).map(describeAttempt);
  return {
    testId: oneLine(`${scenario_id}/${backend}`),
    name: oneLine(scenario_id) || 'unnamed',
    status: STATUS[outcome],
    rawStatus: result.inconclusive ? 'inconclusive' : outcome,
    duration: milliseconds(result.duration_seconds),
    suite: [oneLine(tier), backend],
    ...describeTrouble(result),
    tags: covers.map((requirement) => oneLine(requirement)),
    labels: { backend, lane: report.lane, priority, ...(result.placed && { phase }) },
    type: 'e2e',
    retries: Math.max(0, attempts.length - 1),
    ...(earlier.length > 0 ? { retryAttempts: earlier } : {}),
    flaky: outcome === 'flaky',
    steps: result.assertions.map((assertion) => ({
      name: oneLine(assertion.name, LINE_LIMIT),
      status: assertion.passed ? ('passed' as const) : ('failed' as const),
    })),
    ...describeFiles(result),
    extra: describeExtra(result),
  };
}

/** The diagnosis is here and not under `ai`, because rules made it and not a model. */
function describeExtra({ scenario_description, diagnosis, repeat_command, fault }: ReportResult) {
  return {
    description: oneLine(scenario_description, LINE_LIMIT),
    repeat_command,
    ...(fault && { fault }),
    ...(diagnosis && {
      failure_type: diagnosis.failure_type,
      rule: diagnosis.rule,
      hypothesis: oneLine(diagnosis.root_cause_hypothesis, LINE_LIMIT),
    }),
  };
}

function describeTrouble(result: ReportResult) {
  switch (result.outcome) {
    case 'passed':
    case 'flaky':
      return isGoodNews(result) ? { message: oneLine(describeGone(result), LINE_LIMIT) } : {};
    case 'skipped':
      return { message: oneLine(result.skip_reason ?? 'no reason was recorded', LINE_LIMIT) };
    case 'known-issue':
      return { message: oneLine(describeKnownIssue(result), LINE_LIMIT), ...describeDetails(result) };
    case 'failed':
    case 'error':
      return { message: oneLine(describeFailure(result), LINE_LIMIT), ...describeDetails(result) };
    default:
      return result.outcome satisfies never;
  }
}

function describeFailure(result: ReportResult): string {
  const whose = result.inconclusive ? `${describeResultFault(result)}: ` : '';
  return `${whose}${describeBroken(result)}`;
}

function describeDetails({ assertions, context, artifacts }: ReportResult) {
  const broken = assertions.filter(({ passed }) => !passed).map(describeAssertion);
  const lines = (text: string, whole: string) =>
    text === '' ? [] : capText(text, { limit: TEXT_LIMIT, whole }).split('\n');
  return {
    ...(broken.length > 0
      ? { trace: capText(broken.join('\n'), { limit: TEXT_LIMIT, whole: artifacts }) }
      : {}),
    ...(context
      ? {
          stdout: lines(context.stdout, context.stdout_path),
          stderr: lines(context.stderr, context.stderr_path),
        }
      : {}),
  };
}

function describeAttempt({ attempt, outcome, duration_seconds, error, failed_assertions }: Attempt) {
  const message = error ?? failed_assertions.join('; ');
  return {
    attempt: Math.max(1, Math.trunc(attempt)),
    status: STATUS[outcome],
    duration: milliseconds(duration_seconds),
    ...(message === '' ? {} : { message: oneLine(message, LINE_LIMIT) }),
  };
}
type Attempt = ReportResult['attempts'][number];

function describeFiles({ context, artifacts }: ReportResult) {
  if (context === null || artifacts === null) return {};
  const file = (name: string, path: string, contentType = 'text/plain') => ({ name, contentType, path });
  return {
    attachments: [
      file('stdout', context.stdout_path),
      file('stderr', context.stderr_path),
      file('evidence', `${artifacts}/evidence.json`, 'application/json'),
    ],
  };
}

/** CTRF counts in whole milliseconds. */
function milliseconds(seconds: number): number {
  return Math.round(Math.max(0, seconds) * 1000);
}
