import { testPagePath } from '../../domain/report/failure-pages.js';
import type { Report, ReportResult } from '../../domain/report/report.js';
import type { Outcome } from '../../domain/vocabulary.js';
import { renderDiagnosis, renderFaultLines, wordsOf } from '../markdown/failed.js';
import { DATA_NOTICE, describeFolder, describeTarget } from '../markdown/head.js';
import { blocks } from '../markdown/parts.js';
import { commandAnywhere } from '../model/places.js';
import { codeSpan, fencedBlock, inlineText } from '../text/safe-text.js';
import { describeBroken } from '../words/failure-words.js';
import { INCONCLUSIVE_MARK } from '../words/fault-words.js';
import { chooseLogLines } from '../words/log-words.js';
import { backendName, describeBlame } from '../words/words.js';
import { renderDivergence, renderExpectations } from './checks.js';
import { renderDoings, renderEvents, renderUnchecked } from './run.js';

/** About 4,000 tokens: an agent can read one failure at once and has room to think. */
const PAGE_LIMIT = 16_000;

/** Renders everything needed to investigate one failure, within the limit; says where the rest is. */
export function renderFailurePage(report: Report, result: ReportResult): string {
  const head = renderHead(report, result);
  const foot = renderEvidence(result);
  // In the order of the page; the number is the priority for space.
  const parts = [
    { rank: 1, title: 'First divergence', render: (scale: number) => renderDivergence(result, scale) },
    { rank: 2, title: 'Expected and actual', render: (scale: number) => renderExpectations(result, scale) },
    { rank: 0, title: 'Reproduce', render: () => renderReproduce(report, result) },
    { rank: 3, title: 'Hypothesis', render: (scale: number) => renderHypothesis(result, scale) },
    { rank: 7, title: 'Configuration', render: (scale: number) => renderConfiguration(result, scale) },
    { rank: 6, title: 'What Ralph logged', render: (scale: number) => renderLog(result, scale) },
    { rank: 8, title: 'Last events', render: (scale: number) => renderEvents(result, scale) },
    { rank: 5, title: 'What happened there', render: (scale: number) => renderDoings(result, scale) },
    { rank: 4, title: 'What was not checked', render: () => renderUnchecked(report, result) },
  ];
  let room = PAGE_LIMIT - head.length - foot.length - (parts.length + 1) * MISSING_PART_LENGTH;
  const rendered = new Map<string, string>();
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    const text = fitPart(part, room + MISSING_PART_LENGTH);
    rendered.set(part.title, text);
    room -= Math.max(0, text.length + 2 - MISSING_PART_LENGTH);
  }
  return `${blocks(head, ...parts.map(({ title }) => rendered.get(title) ?? ''), foot)}\n`;
}

const SCALES = [1, 0.5, 0.25, 0.1];
const MISSING_PART_LENGTH = 120;

/** Renders a part as large as the space allows, or says where to find it. */
function fitPart({ title, render }: { title: string; render: (scale: number) => string }, room: number) {
  for (const scale of SCALES) {
    const body = render(scale);
    if (body === '') return '';
    const text = blocks(`## ${title}`, body);
    if (text.length + 2 <= room) return text;
  }
  return blocks(`## ${title}`, 'Too long for this page: see report.json.');
}

const MARKS = {
  passed: '✅',
  flaky: '🔁',
  skipped: '⏭️',
  failed: '❌',
  error: '💥',
  'known-issue': '🐞',
} as const satisfies Record<Outcome, string>;

function renderHead(report: Report, result: ReportResult): string {
  const { outcome, known_issue } = result;
  return blocks(
    `# ${result.inconclusive ? INCONCLUSIVE_MARK : MARKS[outcome]} ${codeSpan(result.scenario_id, 80)} on ${backendName(result.backend)}: ${outcome}`,
    [
      `- **Verdict:** ${inlineText(describeBroken(result, 400), 500)}`,
      ...renderFaultLines(result, report.target),
      `- **Promise:** ${inlineText(result.scenario_description, 300) || '(none)'}`,
      `- **Target:** ${describeTarget(report)}`,
      `- **Run:** ${codeSpan(report.run_id, 80)} in the ${report.lane} lane, ${inlineText(report.timestamp, 40)}`,
      ...describeFolder(report),
      ...(known_issue === null
        ? []
        : [
            `- **Known issue** up to version ${inlineText(known_issue.up_to, 40)}: ${inlineText(known_issue.reason, 400)} (${inlineText(known_issue.link, 200)})`,
          ]),
    ].join('\n'),
    DATA_NOTICE,
  );
}

function renderReproduce(report: Report, { repeat_command }: ReportResult): string {
  return fencedBlock(commandAnywhere(report, repeat_command), {
    limit: 1_000,
    whole: 'report.json',
    language: 'bash',
  });
}

function renderConfiguration({ context }: ReportResult, scale: number): string {
  if (context === null || context.config_yaml.trim() === '') return '';
  const limit = Math.ceil(1_500 * scale);
  return fencedBlock(context.config_yaml, { limit, whole: 'report.json', language: 'yaml' });
}

/** Renders Ralph's own log. If the test ran again for it, also its debug log of the iteration that went wrong. */
function renderLog({ context, examined, trace }: ReportResult, scale: number): string {
  const iteration = trace?.iteration ?? null;
  const choose = (lines: readonly string[]) => chooseLogLines(lines, iteration, Math.ceil(16 * scale));
  const shown = choose(context?.ralph_log ?? []);
  const debug = choose(examined?.log ?? []);
  const cap = { limit: Math.ceil(2_500 * scale), whole: 'report.json' };
  return blocks(
    shown.length === 0 ? '' : fencedBlock(shown.join('\n'), cap),
    examined === null
      ? ''
      : `The test ran once more with ${codeSpan('--verbose')}, to see the debug log, and ${examined.recurred ? 'failed again' : 'did not fail again'}.`,
    debug.length === 0 ? '' : fencedBlock(debug.join('\n'), cap),
  );
}

function renderHypothesis({ diagnosis }: ReportResult, scale: number): string {
  if (diagnosis === null) return 'None was made.';
  if (scale === 1) return renderDiagnosis(diagnosis);
  const { failure_type, blames, rule, root_cause_hypothesis, evidence } = diagnosis;
  return blocks(
    `${wordsOf(failure_type)}, blames ${describeBlame(blames)} (rule ${codeSpan(rule, 80)}): ${inlineText(root_cause_hypothesis, Math.ceil(900 * scale))}`,
    evidence
      .slice(0, 2)
      .map((line) => `- ${codeSpan(line, Math.ceil(320 * scale))}`)
      .join('\n'),
    'More in report.json.',
  );
}

function renderEvidence(result: ReportResult): string {
  const { artifacts, workspace, context } = result;
  return blocks(
    '## Evidence',
    [
      `- everything, to read: ${codeSpan(testPagePath(result), 300)}`,
      ...(artifacts === null ? [] : [`- everything, parsed: ${codeSpan(`${artifacts}/evidence.json`, 400)}`]),
      ...(context === null
        ? []
        : [
            `- stdout: ${codeSpan(context.stdout_path, 400)}`,
            `- stderr: ${codeSpan(context.stderr_path, 400)}`,
          ]),
      `- workspace: ${workspace === null ? 'removed' : codeSpan(workspace, 400)}`,
    ].join('\n'),
  );
}
