import { involvesRalph } from '../../domain/attempt.js';
import { RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import { testPagePath } from '../../domain/report/failure-pages.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportContext, ReportResult } from '../../domain/report/result.js';
import {
  bulleted,
  command,
  cut,
  type Detail,
  type Fact,
  facts,
  heading,
  type Item,
  inCode,
  joined,
  type Line,
  own,
  paragraph,
  quoteBlock,
  type ReportBlock,
  strong,
  words,
} from '../content/content.js';
import { blocks, writeLine, writeMarkdown, writeSection } from '../content/markdown.js';
import { unitOf } from '../model/context.js';
import { findDivergence } from '../model/divergence.js';
import { commandAnywhere } from '../model/places.js';
import {
  contextBlocks,
  describeIteration,
  eventTable,
  logBlocks,
  titleOfIteration,
} from '../sections/context.js';
import { DATA_NOTICE, describeTarget, folderFacts } from '../sections/run.js';
import {
  checkBlocks,
  describeExitOf,
  diagnosisBlocks,
  faultFacts,
  knownIssueFacts,
  testBlocks,
  testFacts,
} from '../sections/test.js';
import { fitParts, type PagePart, renderToFit, sizeOf } from '../text/fit.js';
import { describeTrace } from '../words/evidence.js';
import { describeBroken, markOf } from '../words/outcomes.js';
import { backendName, describeMissingRalph } from '../words/words.js';
import { linkFailure } from './failed.js';

/** How much of each text a page shows; the file has the rest. Failed tests get more; each page names all checks. */
const checks = Number.POSITIVE_INFINITY;
const FAILED: Detail = { text: 16_000, line: 600, rows: 60, iterations: 12, checks };
const PASSED: Detail = { text: 4_000, line: 600, rows: 20, iterations: 6, checks };

/** Renders everything about one test, passed or not: what was checked, and all that the run left behind. */
export function renderTestPage(report: Report, result: ReportResult): string {
  const detail = result.passed ? PASSED : FAILED;
  const place = { base: PAGES_ABOVE };
  return `${blocks(
    titleOfPage(result),
    writeMarkdown(facts(pageFacts(report))),
    DATA_NOTICE,
    writeMarkdown(
      testBlocks(result, { detail, target: report.target, pages: linkFailure(result, PAGES_ABOVE) }),
      place,
    ),
    '## Context',
    result.context === null ? 'Nothing was recorded.' : writeMarkdown(contextBlocks(result, detail), place),
  )}\n`;
}

/** The pages of tests are two folders below the reports. */
const PAGES_ABOVE = '../../';

/** Renders the title of a page on one test. */
function titleOfPage(result: ReportResult): string {
  const { scenario_id, backend, outcome } = result;
  return `# ${markOf(result)} ${writeLine(words`${inCode(scenario_id, 80)} on ${own(backendName(backend))}: ${own(outcome)}`)}`;
}

/** Says which run a page is about. */
function pageFacts(report: Report): Fact[] {
  return [
    ['Target', describeTarget(report)],
    [
      'Run',
      words`${inCode(report.run_id, 80)} in the ${own(report.lane)} lane, ${cut(report.timestamp, 40)}`,
    ],
    ...folderFacts(report),
  ];
}

/** About 4,000 tokens: an agent can read one failure at once and has room to think. */
const PAGE_LIMIT = 16_000;

/** How much the page shows, the most first. */
const DETAILS: readonly Detail[] = [
  { text: 1_500, line: 300, rows: 10, iterations: 1 },
  { text: 750, line: 150, rows: 6, iterations: 1 },
  { text: 375, line: 80, rows: 3, iterations: 1 },
  { text: 150, line: 40, rows: 2, iterations: 1 },
];

/** Renders everything needed to investigate one failure, within the limit; says where the rest is. */
export function renderFailurePage(report: Report, result: ReportResult): string {
  const head = renderHead(report, result);
  const foot = writeSection('Evidence', facts(listFiles(result)));
  const part = (rank: number, title: string, describe: (detail: Detail) => ReportBlock[]): PagePart => ({
    rank,
    instead: `## ${title}\n\nToo long for this page: see report.json.`,
    render: (room) =>
      renderToFit(DETAILS, room, (detail) => {
        const rendered = writeSection(title, describe(detail));
        return { rendered, size: sizeOf(rendered) };
      }) ?? TOO_LONG,
  });
  // In the order of the page. Parts with a low rank get their space first.
  const parts = [
    part(1, 'First divergence', (detail) => describeDivergence(result, detail)),
    part(2, 'Expected and received', (detail) => checkBlocks(result, detail)),
    part(0, 'Reproduce', () => command(commandAnywhere(report, result.repeat_command))),
    part(3, 'Hypothesis', (detail) => describeHypothesis(result, detail)),
    part(7, 'Configuration', (detail) => quoteConfiguration(result, detail)),
    part(6, 'What Ralph logged', (detail) => logBlocks(result, detail)),
    part(8, 'Last events', ({ rows, line }) => describeEvents(result, 2 * rows, line)),
    part(5, 'What happened there', (detail) => describeDoings(result, detail)),
    part(4, 'What was not checked', () => describeUnchecked(report, result)),
  ];
  const limit = PAGE_LIMIT - sizeOf(head) - sizeOf(foot) - 5;
  return `${blocks(head, fitParts(parts, limit), foot)}\n`;
}

/** More than any page has room for. */
const TOO_LONG = ' '.repeat(PAGE_LIMIT);

function renderHead(report: Report, result: ReportResult): string {
  return blocks(
    titleOfPage(result),
    writeMarkdown(
      facts([
        ['Verdict', cut(describeBroken(result, 400), 500)],
        ...faultFacts(result, report.target),
        ['Promise', cut(result.scenario_description, 300)],
        ...knownIssueFacts(result),
        ...pageFacts(report),
      ]),
    ),
    DATA_NOTICE,
  );
}

function listFiles({ artifacts, workspace, context, ...result }: ReportResult) {
  return [
    ['everything, to read', inCode(testPagePath(result), 300)],
    ['everything, parsed', artifacts && inCode(`${artifacts}/evidence.json`, 400)],
    ['stdout', context && inCode(context.stdout_path, 400)],
    ['stderr', context && inCode(context.stderr_path, 400)],
    ['workspace', workspace === null ? own('removed') : inCode(workspace, 400)],
  ] as const;
}

/** Says where the run first went wrong: the failed check about the earliest moment, and other signs of trouble. */
function describeDivergence(result: ReportResult, { line }: Detail): ReportBlock[] {
  const { error, context } = result;
  const first = findDivergence(result);
  const signs = context === null ? [] : listSigns(context, line);
  return [
    ...(error === null ? [] : [paragraph(words`The harness itself broke off: ${cut(error, 600)}`)]),
    ...(first === undefined
      ? []
      : [
          paragraph(
            words`The failed check about the earliest moment of the run: ${strong(cut(first.name, 200))}.`,
          ),
        ]),
    ...bulleted(
      (first?.promises ?? [])
        .slice(0, 3)
        .map(
          ({ promise, source }) =>
            words`Ralph promises: ${cut(promise, 300)} It decides that in ${inCode(source, 200)}.`,
        ),
    ),
    ...(context === null ? [paragraph(own('The target never ran, or left nothing to read.'))] : []),
    ...(signs.length === 0 ? [] : [heading(5, own('Signs of trouble on the way')), ...bulleted(signs)]),
  ];
}

/** Lists signs of trouble during the run, with their place: often the cause of the failed check. */
function listSigns(context: ReportContext, limit: number): Item[] {
  const failedCall = context.iterations
    .flatMap(({ number, tool_calls }) => tool_calls.map((call) => ({ ...call, number })))
    .find(({ is_error }) => is_error);
  const [malformed] = context.malformed_lines;
  const [trouble] = context.backend_errors;
  return [
    ...(trouble === undefined ? [] : [words`the backend reported: ${inCode(trouble, limit)}`]),
    ...(failedCall === undefined
      ? []
      : [
          words`in ${own(unitOf(context))} ${failedCall.number} a tool call failed: ${inCode(`${failedCall.name} ${failedCall.input}`, limit)}`,
        ]),
    ...(malformed === undefined
      ? []
      : [
          words`${inCode(`${malformed.file}:${malformed.line}`, 200)} could not be read: ${inCode(malformed.text, limit)}`,
        ]),
    ...context.stopped_by_isolation
      .slice(0, 3)
      .map((what) => words`stopped by the isolation: ${inCode(what, limit)}`),
    ...context.processes_left_behind.slice(0, 1).map((left) => words`left running: ${inCode(left, limit)}`),
  ];
}

function describeHypothesis({ diagnosis }: ReportResult, detail: Detail): ReportBlock[] {
  return diagnosis === null ? [paragraph(own('None was made.'))] : diagnosisBlocks(diagnosis, detail);
}

function quoteConfiguration({ context }: ReportResult, { text }: Detail): ReportBlock[] {
  if (context === null || context.config_yaml.trim() === '') return [];
  return [
    quoteBlock('Configuration', context.config_yaml, { limit: text, whole: 'report.json', language: 'yaml' }),
  ];
}

/** Ralph's usage records are in the same file; they do not explain why a test failed. */
const ACCOUNTS = RALPH_TOPICS.summary;

/** Lists the last events that Ralph recorded. */
function describeEvents({ context, artifacts }: ReportResult, rows: number, limit: number): ReportBlock[] {
  if (context === null) return [];
  const all = context.events_emitted;
  const events = all.filter(({ topic, emitted_by }) => !(topic === ACCOUNTS && emitted_by === 'ralph'));
  const accounts = all.length - events.length;
  const shown = events.slice(-rows);
  const before = events.length + context.events_left_out - shown.length;
  const where = inCode(`${artifacts ?? ''}/evidence.json`, 420);
  return [
    ...eventTable(shown, limit),
    ...(accounts > 0
      ? [paragraph(words`Left out: ralph's own accounts (${inCode(ACCOUNTS)}, ${accounts} times).`)]
      : []),
    ...(before > 0 ? [paragraph(words`${before} came before, see ${where}.`)] : []),
  ];
}

/** Says how it ended, and what happened in the iteration in which the run went wrong. */
function describeDoings(result: ReportResult, detail: Detail): ReportBlock[] {
  const { context, artifacts, trace } = result;
  if (context === null) return [];
  const { text } = detail;
  const wrong = findDivergence(result)?.about?.iteration;
  const last = context.iterations.find(({ number }) => number === wrong) ?? context.iterations.at(-1);
  const unit = unitOf(context);
  const course: Line = testFacts(result).flatMap(([name, value]) =>
    name === 'Loop' || name === 'Conversation' ? [value] : [],
  );
  return [
    paragraph(words`${course}; exit: ${describeExitOf(result)}.`),
    ...(trace === null
      ? []
      : [
          quoteBlock('Trace', describeTrace(trace, text / 1_500).join('\n'), {
            limit: 2 * text,
            whole: artifacts,
          }),
        ]),
    ...(last === undefined
      ? [paragraph(own(`No ${unit} was recorded: the agent was perhaps never asked.`))]
      : trace === null
        ? [
            paragraph(words`${cut(titleOfIteration(last, unit), 200)}:`),
            ...describeIteration(last, detail, artifacts),
            ...(last.tool_calls.length === 0
              ? [paragraph(own('No tool call was recorded. (A CLI that prints plain text shows none.)'))]
              : []),
          ]
        : []),
    ...(context.stderr === ''
      ? []
      : [
          heading(5, own('End of stderr')),
          quoteBlock('stderr', context.stderr.slice(-2_000), { limit: text / 2, whole: context.stderr_path }),
        ]),
  ];
}

/** Lists what a reader might assume but this result does not show. */
function describeUnchecked({ target, lane }: Report, result: ReportResult): ReportBlock[] {
  const { assertions, attempts, context } = result;
  const missing = describeMissingRalph(target);
  return bulleted([
    ...(assertions.length === 0 ? [own('No check was judged at all.')] : []),
    ...(target.kind === 'stand-in' && involvesRalph(target)
      ? [joined([own('Ralph itself: a stand-in took its place.'), missing ?? ''], ' ')]
      : []),
    ...(lane === 'live' ? [] : [own(`A real model: ${LANE_GAPS[lane]}`)]),
    ...(attempts.length === 1 ? [own('Whether it fails every time: it was tried once.')] : []),
    ...(context?.timed_out ? [own('What would have come later: the time limit ended it.')] : []),
  ]);
}

const LANE_GAPS = {
  scripted: 'a script answered the real CLI.',
  sim: 'neither the real CLI nor a model took part.',
} as const;
