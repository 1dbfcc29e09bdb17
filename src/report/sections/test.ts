import type { Target } from '../../domain/attempt.js';
import { quoteCheck } from '../../domain/diagnosis/clues.js';
import type { Diagnosis } from '../../domain/report/analysis.js';
import type { ReportContext, ReportResult } from '../../domain/report/result.js';
import { headAndTail } from '../../domain/text/fit.js';
import {
  bulleted,
  command,
  cut,
  type Detail,
  type Fact,
  facts,
  type Item,
  inCode,
  joined,
  type Line,
  listed,
  namedList,
  own,
  paragraph,
  quiet,
  quoteBlock,
  type ReportBlock,
  strong,
  testName,
  titled,
  words,
} from '../content/content.js';
import { splitFailed } from '../model/divergence.js';
import { oneLine } from '../text/safe-text.js';
import { describeFault, describeLasts, describeResultFault, markOf, spellOut } from '../words/outcomes.js';
import {
  backendName,
  countOf,
  describeBlame,
  formatDuration,
  formatNumber,
  formatUsd,
  modelUsage,
} from '../words/words.js';
import { quotes } from './causes.js';
import { pressureBlocks, qualityBlocks } from './quality.js';

/** What the reports say about one test. */

/** Lists what is known about a test besides its checks and its course. */
function testFacts(result: ReportResult, target?: Target): Fact[] {
  const { context, covers, placed, priority, phase } = result;
  const usage = modelUsage(result);
  return [
    ...faultFacts(result, target),
    ['Duration', own(formatDuration(result.duration_seconds))],
    ['Exit', context && describeExitOf(result)],
    ...(context === null ? [] : [courseFact(context)]),
    ['Usage', usage && describeUsage(usage)],
    ['Covers', covers.length > 0 && cut(covers.join(', '), 200)],
    ['Kind', placed && words`${cut(result.tier, 60)}, ${own(`${priority}, ${phase}`)}`],
  ];
}

/** Says whose fault a failure is, and the facts that decide it. */
function faultFacts(result: ReportResult, target?: Target): Fact[] {
  const fault = describeResultFault(result, target);
  const because = (result.fault?.because ?? []).map((fact) => cut(fact, 400));
  return [['Fault', fault && own(fault), because]];
}

/** Says where the files of a test are. */
function fileFacts({ artifacts, workspace, context }: ReportResult): Fact[] {
  const file = (text: string): Line => ({ kind: 'file', text });
  return [
    ['Evidence', artifacts === null ? own('none') : file(`${artifacts}/evidence.json`)],
    ['Output', context && joined([file(context.stdout_path), file(context.stderr_path)])],
    ['Workspace', workspace === null ? own('removed') : inCode(workspace, 400)],
  ];
}

/** Describes how the target's process ended. */
function describeExitOf({ context, outcome }: ReportResult): Line {
  if (context === null) return own('unknown');
  if (context.timed_out) return own('timed out, ended by the harness');
  if (context.exit_signal !== null) return words`killed by ${inCode(context.exit_signal, 20)}`;
  if (context.exit_code === null) return own('interrupted');
  const but = context.exit_code === 0 && outcome === 'failed' ? ' (but checks failed)' : '';
  return own(`code ${context.exit_code}${but}`);
}

/** Says how far the loop or the conversation got. */
function courseFact({ conversation, iterations_completed, termination_reason }: ReportContext): Fact {
  if (conversation !== undefined) {
    const { turns, planned_turns, stage } = conversation;
    const course = own(`${turns.length} of ${countOf(planned_turns, 'turn')}`);
    return ['Conversation', [course, stage !== null && words`, ended in stage ${inCode(stage, 80)}`]];
  }
  const end =
    termination_reason === null
      ? own('no termination recorded')
      : words`ended with ${inCode(termination_reason, 80)}`;
  return ['Loop', words`${own(countOf(iterations_completed, 'iteration'))}, ${end}`];
}

function describeUsage(usage: NonNullable<ReportContext['usage']>): Line {
  const tokens = `${formatNumber(usage.input_tokens)} tokens in, ${formatNumber(usage.output_tokens)} out`;
  const cost = usage.cost_usd > 0 ? `, ${formatUsd(usage.cost_usd)}` : '';
  return [
    usage.model !== null && words`${inCode(usage.model, 80)}, `,
    own(`${countOf(usage.turns, 'turn')}, ${tokens}${cost}`),
  ];
}

/** Lists the attempts of a test that ran several times: how each came out, whose fault that was, and why. */
function attemptLines({ attempts }: ReportResult, rows: number): Line[] {
  if (attempts.length < 2) return [];
  const { kept, left } = headAndTail(attempts, rows);
  const lines = kept.map((tried): Line => {
    const { attempt, outcome, error, fault, failed_assertions, duration_seconds, artifacts } = tried;
    const isOthers = outcome === 'failed' && fault && fault.whose !== 'target';
    const whose = isOthers ? ` (${describeFault(fault)})` : '';
    const why = error ?? failed_assertions.slice(0, rows).join('; ');
    return [
      words`Attempt ${attempt}: ${{ kind: 'badge', outcome }}`,
      own(`${whose}, ${formatDuration(duration_seconds)}`),
      why !== '' && words`: ${cut(why, 400)}`,
      words` ${quiet({ kind: 'file', text: artifacts })}`,
    ];
  });
  return left > 0 ? [...lines, own(`${left} more in report.json`)] : lines;
}

/** Lists the checks of a test. */
export function checkBlocks(result: ReportResult, detail: Detail): ReportBlock[] {
  const { assertions } = result;
  if (assertions.length === 0) return [];
  const { shown: failed, consequences } = splitFailed(result);
  const passed = headAndTail(
    assertions.filter((check) => check.passed).map(({ name }) => name),
    detail.checks ?? detail.rows,
  );
  return [
    {
      kind: 'checks',
      failed: failed.slice(0, detail.rows),
      failedLeft: Math.max(0, failed.length - detail.rows),
      consequences,
      passed: passed.kept,
      passedLeft: passed.left,
      detail,
    },
  ];
}

/** Says what probably went wrong, by which rule, and what to try. The checks that failed stand beside it. */
function diagnosisBlocks(result: ReportResult, diagnosis: Diagnosis, { rows, text }: Detail): ReportBlock[] {
  const { assertions } = result;
  const most = Math.min(900, text);
  const hypothesis = oneLine(diagnosis.root_cause_hypothesis, most);
  const promises = diagnosis.promises.filter((held) => !quotes(hypothesis, held));
  const checks = new Set(assertions.filter(({ passed }) => !passed).map(quoteCheck));
  const similar = headAndTail(diagnosis.similar_failures, rows);
  const evidence = headAndTail(
    diagnosis.evidence.filter((line) => !checks.has(line)),
    rows,
  );
  const more = (left: number) => (left > 0 ? [own(`${left} more in report.json`)] : []);
  return [
    ...facts([
      ['Failure Type', words`${own(spellOut(diagnosis.failure_type))} (rule ${inCode(diagnosis.rule, 80)})`],
      ['Blames', own(describeBlame(diagnosis.blames))],
      ['Root Cause Hypothesis', cut(diagnosis.root_cause_hypothesis, most)],
      ...promises
        .slice(0, 3)
        .map(({ promise, source }): Fact => ['Ralph promises', cut(promise, 300), [inCode(source, 200)]]),
    ]),
    ...namedList('Evidence', [
      ...evidence.kept.map((line) => inCode(line, Math.min(320, text))),
      ...more(evidence.left),
    ]),
    ...namedList(
      'Similar Failures',
      similar.kept.length === 0
        ? []
        : [
            listed({
              kept: similar.kept.map(testName),
              left: similar.left + diagnosis.similar_failures_left_out,
            }),
          ],
    ),
    ...namedList(
      'Suggested Investigations',
      diagnosis.suggested_investigations.slice(0, rows).map((line) => cut(line, 400)),
      { isNumbered: true },
    ),
    ...namedList('Potential Fixes', diagnosis.potential_fixes.slice(0, rows).map(describeFix), {
      isNumbered: true,
    }),
  ];
}

function describeFix({
  confidence,
  description,
  file_to_modify,
  suggested_change,
}: Diagnosis['potential_fixes'][number]): Item {
  const level = confidence >= 0.7 ? 'High' : confidence >= 0.4 ? 'Medium' : 'Low';
  return {
    line: words`${strong(own(`[${level} Confidence]`))} ${cut(description, 400)}`,
    below: [
      ...(file_to_modify === null ? [] : [words`File: ${inCode(file_to_modify, 200)}`]),
      ...(suggested_change === null ? [] : [words`Change: ${cut(suggested_change, 400)}`]),
    ],
  };
}

/** Says which promise of the scenario the target is known to break. */
function knownIssueFacts(result: ReportResult): Fact[] {
  const { outcome, known_issue, known_issue_gone } = result;
  const lasts = describeLasts(result);
  if (known_issue === null) return lasts === null ? [] : [['Known issue', strong(cut(lasts, 200))]];
  const lead = known_issue_gone
    ? 'It no longer occurs. '
    : outcome === 'known-issue'
      ? ''
      : 'This target is known to break it. ';
  return [
    [
      'Known issue',
      words`${own(lead)}${cut(known_issue.reason, 400)} (up to version ${cut(known_issue.up_to, 40)}, see ${cut(known_issue.link, 200)})`,
    ],
  ];
}

interface TestLook {
  readonly detail: Detail;
  readonly target: Target;
  /** The command that runs the test again; null: it stands elsewhere on the page. */
  readonly again: string | null;
  /** Where the pages of the test are; null if links would lead nowhere. */
  readonly pages?: Line;
}

/** Says everything about a test except what its run left behind. */
export function testBlocks(result: ReportResult, look: TestLook): ReportBlock[] {
  return [
    ...headBlocks(result, look),
    ...listTestParts(result, look).flatMap(({ title, body }) => titled(title, body)),
  ];
}

/** Says in facts what a test is, how it ran, and where its files are. */
export function headBlocks(result: ReportResult, { target, pages = null }: TestLook): ReportBlock[] {
  return facts([
    ['Description', cut(result.scenario_description, 300)],
    ...testFacts(result, target),
    ...knownIssueFacts(result),
    ['Pages', pages],
    ...fileFacts(result),
  ]);
}

/** A part of what is said about a test. Parts with a low rank get their space first. */
export interface TestPart {
  readonly rank: number;
  readonly title: Line;
  readonly body: readonly ReportBlock[];
}

export function partOf(rank: number, title: Line, body: readonly ReportBlock[]): TestPart {
  return { rank, title, body };
}

/** Lists what is said about a test below its facts. */
export function listTestParts(result: ReportResult, { detail, again }: TestLook): TestPart[] {
  const { error, diagnosis, assertions, passed } = result;
  const held = assertions.filter((check) => check.passed).length;
  const checks = words`Checks ${quiet(own(`(${held} of ${assertions.length} passed)`))}`;
  return [
    partOf(6, own('Attempts'), bulleted(attemptLines(result, detail.rows))),
    partOf(1, own('Error of the harness'), error === null ? [] : quoteError(error, detail.text)),
    partOf(3, own('Diagnosis'), diagnosis === null ? [] : diagnosisBlocks(result, diagnosis, detail)),
    partOf(2, checks, checkBlocks(result, detail)),
    partOf(0, own('Run it again'), passed || again === null ? [] : command(again)),
    partOf(8, own('Quality'), qualityBlocks(result, detail.rows)),
    partOf(8, own('Under pressure'), pressureBlocks(result, detail.rows)),
  ];
}

const ERROR_LINE = 600;

/** Quotes an error as it is, unless one line says all of it. */
function quoteError(error: string, limit: number): ReportBlock[] {
  return error.length <= Math.min(ERROR_LINE, limit) && !error.trimEnd().includes('\n')
    ? [paragraph(cut(error, limit))]
    : [quoteBlock('Error of the harness', error, { limit, whole: 'report.json' })];
}

/** Names a test, with its mark and its place in the catalog. */
export function testTitle(result: ReportResult): Line {
  const { scenario_id, backend, placed, tier } = result;
  return words`${own(markOf(result))} ${inCode(scenario_id, 80)} on ${own(backendName(backend))}${placed && words` (${cut(tier, 60)})`}`;
}
