import type { Report } from '../../domain/report/report.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { formatDuration } from '../words/words.js';
import { blocks, fitItems } from './parts.js';

type Analyst = NonNullable<Report['analyst']>;

/** Renders Ralph's own analysis of the run. It is next to the rules' diagnosis and changes no verdict. */
export function renderAnalyst({ analyst }: Report): string {
  if (analyst === null) return '';
  return blocks(
    `## 🧠 Analysis by Ralph${analyst.by === 'script' ? ' (scripted: no model was asked)' : ''}`,
    describeRun(analyst),
    analyst.notes.map((note) => `- ${inlineText(note, 300)}`).join('\n'),
    analyst.answer === null ? '' : renderAnswer(analyst.answer),
  );
}

function describeRun({ outcome, backend, duration_seconds }: Analyst): string {
  const on = backend === null ? '' : ` on ${inlineText(backend, 40)}`;
  if (outcome === 'done') return `Done${on} in ${formatDuration(duration_seconds)}.`;
  return `${outcome === 'failed' ? 'It failed' : 'It was skipped'}${on}. That says nothing about the tests.`;
}

function renderAnswer(answer: NonNullable<Analyst['answer']>): string {
  const failed = answer.failed_analyses.map(
    ({ scenario_id, backend, failure_type, root_cause_hypothesis, potential_fixes }) =>
      [
        `- ❌ ${codeSpan(scenario_id, 80)}${backend === null ? '' : ` on ${inlineText(backend, 40)}`}: ${failure_type ?? 'no type'}, ${inlineText(root_cause_hypothesis ?? 'no hypothesis', 400)}`,
        ...potential_fixes
          .slice(0, 3)
          .map(
            ({ description, confidence }) =>
              `  - fix (${confidence.toFixed(1)}): ${inlineText(description, 240)}`,
          ),
      ].join('\n'),
  );
  const patterns = answer.patterns.map(
    ({ description, affected_tests }) =>
      `- 🔗 ${inlineText(description, 300)}${affected_tests.length === 0 ? '' : ` (${inlineText(affected_tests.join(', '), 200)})`}`,
  );
  const advice = answer.recommendations.map(
    ({ severity, title, description }) =>
      `- ${severity}: ${inlineText(title, 160)}. ${inlineText(description, 240)}`,
  );
  const weak = answer.passed_analyses
    .filter(({ quality_score, warnings }) => quality_score === 'Suboptimal' || warnings.length > 0)
    .map(
      ({ scenario_id, quality_score, warnings }) =>
        `- ${codeSpan(scenario_id, 80)}: ${quality_score ?? 'not scored'}${warnings.map(({ message }) => `, ${inlineText(message, 160)}`).join('')}`,
    );
  return fitItems([...failed, ...patterns, ...advice, ...weak], {
    limit: 4_000,
    separator: '\n',
    more: (left) => `- ${left} more in report.json`,
  });
}
