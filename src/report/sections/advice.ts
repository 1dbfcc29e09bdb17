import { groupBy } from '../../domain/common/group-by.js';
import type { Loophole, Rationalization, Recommendation } from '../../domain/report/analysis.js';
import type { Report } from '../../domain/report/report.js';
import type { ReportResult } from '../../domain/report/result.js';
import { headAndTail } from '../../domain/text/fit.js';
import { isFailure } from '../../domain/vocabulary.js';
import {
  bulleted,
  command,
  cut,
  type Item,
  inCode,
  joined,
  type Line,
  listed,
  own,
  paragraph,
  type ReportBlock,
  strong,
  table,
  testName,
  words,
} from '../content/content.js';
import { groupSkips } from '../model/describe-run.js';
import { commandAnywhere } from '../model/places.js';
import { describeGone, isGoodNews } from '../words/outcomes.js';
import { backendName, formatDuration } from '../words/words.js';

const SEVERITIES = ['Critical', 'Warning', 'Info'] as const satisfies readonly Recommendation['severity'][];
const SEVERITY_MARKS = { Critical: '🔴', Warning: '🟡', Info: 'ℹ️' } as const;

/** Says what to do, most urgent first. What only repeats a cause stands there. */
export function recommendationBlocks(
  { recommendations, causes }: Report,
  { limit, tests }: { readonly limit: number; readonly tests: number },
): ReportBlock[] {
  const repeats = ({ affected_tests }: Recommendation) =>
    causes.some(({ tests }) => tests.toSorted().join() === affected_tests.toSorted().join());
  const items = SEVERITIES.flatMap((severity) =>
    recommendations
      .filter((item) => item.severity === severity && !repeats(item))
      .map((item) => describeRecommendation(item, tests)),
  );
  return bulleted(items, { limit });
}

function describeRecommendation(item: Recommendation, shown: number): Item {
  const { severity, title, category, description, suggested_fix } = item;
  const tests = headAndTail([...new Set(item.affected_tests)], shown);
  return {
    line: words`${own(SEVERITY_MARKS[severity])} ${strong(cut(title, 160))} (${own(severity)}, ${cut(category, 40)})`,
    below: [
      cut(description, 400),
      ...(tests.kept.length === 0
        ? []
        : [words`Affects ${listed({ ...tests, kept: tests.kept.map(testName) })}`]),
      ...(suggested_fix === null ? [] : [words`Fix: ${cut(suggested_fix, 400)}`]),
    ],
  };
}

/** Lists promises that this version is known to break, each once. They do not fail the run. */
export function knownIssueBlocks(results: readonly ReportResult[], limit: number): ReportBlock[] {
  const items = [...groupBy(results, keyOfIssue).values()].map((group): Line => {
    const [first] = group;
    const issue = first?.known_issue;
    const on = joined(group.map((test) => ({ kind: 'page', test, line: own(backendName(test.backend)) })));
    return words`${inCode(first?.scenario_id ?? '', 80)} on ${on}: ${cut(issue?.reason ?? '', 400)} (known up to ${cut(issue?.up_to ?? '', 40)})`;
  });
  return bulleted(items, { limit });
}

/** The same scenario has the same issue on several backends. */
function keyOfIssue({ scenario_id, known_issue }: ReportResult): string {
  return JSON.stringify([scenario_id, known_issue]);
}

/** Lists known issues that no longer occur: their scenarios should be updated. */
export function goneBlocks(results: readonly ReportResult[], limit: number): ReportBlock[] {
  const items = results
    .filter(isGoodNews)
    .map((result): Line => words`🎉 ${nameOf(result)}: ${cut(describeGone(result), 600)}`);
  return bulleted(items, { limit });
}

function nameOf(test: ReportResult): Line {
  return {
    kind: 'page',
    test,
    line: words`${inCode(test.scenario_id, 80)} on ${own(backendName(test.backend))}`,
  };
}

/** Lists what did not run, and why; each reason once per backend, the most frequent first. */
export function skipBlocks(
  results: readonly ReportResult[],
  { rows, tests }: { readonly rows: number; readonly tests: number },
): ReportBlock[] {
  const groups = groupSkips(results).toSorted((a, b) => b.ids.length - a.ids.length);
  return table(
    ['Backend', 'Count', 'Reason', 'Tests'],
    groups.map(({ backend, reason, ids }) => {
      const { kept, left } = headAndTail(ids, tests);
      const names = listed({ kept: kept.map((id) => inCode(id, 80)), left });
      return [own(backendName(backend)), ids.length, cut(reason, 400), names];
    }),
    { most: rows, more: 'more reasons in report.json.' },
  );
}

/** Lists claims of agents that the evidence contradicts. */
export function rationalizationBlocks({ rationalizations }: Pick<Report, 'rationalizations'>): ReportBlock[] {
  return table(['Test', 'Rationalization', 'Reality', 'Action'], rationalizations.map(describeClaim), {
    most: 40,
  });
}

function describeClaim({ scenario_id, pattern, iteration, quote, reality, action }: Rationalization): Line[] {
  return [
    inCode(scenario_id, 80),
    words`"${cut(quote, 200)}" (${cut(pattern.replaceAll('-', ' '), 80)}, iteration ${iteration})`,
    cut(reality, 240),
    cut(action, 200),
  ];
}

/** Lists recurring ways around the instructions. */
export function loopholeBlocks({ loopholes }: Pick<Report, 'loopholes'>, limit: number): ReportBlock[] {
  return bulleted(loopholes.map(describeLoophole), { limit });
}

function describeLoophole({ name, pattern, evidence, suggested_counter, new_test }: Loophole): Item {
  return {
    line: words`${strong(cut(name, 120))}: ${cut(pattern, 400)}`,
    below: [
      ...evidence
        .slice(0, 4)
        .map(({ scenario_id, text }) => words`Evidence: ${inCode(scenario_id, 80)}: ${cut(text, 240)}`),
      ...suggested_counter.slice(0, 6).map((text) => words`Suggested counter: ${cut(text, 300)}`),
      words`New test to add: ${inCode(new_test, 80)}`,
    ],
  };
}

type Analyst = NonNullable<Report['analyst']>;

/** Says what Ralph's own analysis found. It is next to the rules' diagnosis and changes no verdict. */
export function analystBlocks({ analyst }: Report, limit: number): ReportBlock[] {
  if (analyst === null) return [];
  const { outcome, by, backend, duration_seconds, notes, answer } = analyst;
  const on = backend !== null && words` on ${cut(backend, 40)}`;
  const course =
    outcome === 'done'
      ? words`Done${on} in ${own(formatDuration(duration_seconds))}.`
      : words`${own(outcome === 'failed' ? 'It failed' : 'It was skipped')}${on}. That says nothing about the tests.`;
  return [
    paragraph([by === 'script' && own('Scripted: no model was asked. '), course]),
    ...bulleted(
      [...notes.slice(0, 20).map((note) => cut(note, 300)), ...(answer === null ? [] : listFindings(answer))],
      {
        limit,
      },
    ),
  ];
}

function listFindings(answer: NonNullable<Analyst['answer']>): Item[] {
  return [
    ...answer.failed_analyses.map(
      ({ scenario_id, backend, failure_type, root_cause_hypothesis, potential_fixes }): Item => ({
        line: words`❌ ${inCode(scenario_id, 80)}${backend !== null && words` on ${cut(backend, 40)}`}: ${own(failure_type ?? 'no type')}, ${cut(root_cause_hypothesis ?? 'no hypothesis', 400)}`,
        below: potential_fixes
          .slice(0, 3)
          .map(
            ({ description, confidence }) =>
              words`fix (${own(confidence.toFixed(1))}): ${cut(description, 240)}`,
          ),
      }),
    ),
    ...answer.patterns.map(
      ({ description, affected_tests, suggested_fix }): Item => ({
        line: words`🔗 ${cut(description, 300)}${affected_tests.length > 0 && words` (${cut(affected_tests.join(', '), 200)})`}`,
        below: suggested_fix === null ? [] : [words`fix: ${cut(suggested_fix, 300)}`],
      }),
    ),
    ...answer.recommendations.map(
      ({ severity, title, description }): Item =>
        words`${own(severity)}: ${cut(title, 160)}. ${cut(description, 240)}`,
    ),
    ...answer.passed_analyses
      .filter(({ quality_score, warnings }) => quality_score === 'Suboptimal' || warnings.length > 0)
      .map(
        ({ scenario_id, quality_score, warnings }): Item => ({
          line: words`${inCode(scenario_id, 80)}: ${own(quality_score ?? 'not scored')}`,
          below: warnings.slice(0, 5).map(({ message }) => cut(message, 240)),
        }),
      ),
  ];
}

/** So many commands are shown. */
const SHOWN_COMMANDS = 3;

/** Lists commands to paste. Those of tests that failed stand with their causes. */
export function commandBlocks(report: Report): ReportBlock[] {
  const { resume_command, causes, results, quick_fix_commands } = report;
  const failed = results.filter(isFailure);
  const explained = new Set(causes.length === 0 ? [] : failed.map(({ repeat_command }) => repeat_command));
  const all = [
    ...(resume_command === null ? [] : [{ description: 'Go on with this run', command: resume_command }]),
    ...quick_fix_commands.filter((fix) => !explained.has(fix.command)),
  ];
  const left = all.length - SHOWN_COMMANDS;
  return [
    ...all
      .slice(0, SHOWN_COMMANDS)
      .flatMap((fix) => [
        paragraph(words`${cut(fix.description, 200)}:`),
        ...command(commandAnywhere(report, fix.command)),
      ]),
    ...(left > 0 ? [paragraph(own(`${left} more in report.json.`))] : []),
  ];
}
