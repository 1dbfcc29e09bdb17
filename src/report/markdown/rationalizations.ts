import type { Loophole, Rationalization } from '../../domain/report/analysis.js';
import type { Report } from '../../domain/report/report.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { blocks, fitItems, table } from './parts.js';

const SHOWN_ROWS = 40;
const LOOPHOLES_LIMIT = 6_000;

/** Renders claims of agents that the evidence contradicts. */
export function renderRationalizations({ rationalizations }: Report): string {
  if (rationalizations.length === 0) return '';
  const left = rationalizations.length - SHOWN_ROWS;
  return blocks(
    '## 📋 Rationalization Analysis',
    '### Agent Rationalizations Detected',
    table(
      ['Test', 'Rationalization', 'Reality', 'Action'],
      rationalizations.slice(0, SHOWN_ROWS).map(renderRow),
    ),
    left > 0 ? `${left} more in report.json.` : '',
  );
}

function renderRow({ scenario_id, pattern, iteration, quote, reality, action }: Rationalization): string[] {
  return [
    codeSpan(scenario_id, 80),
    `"${inlineText(quote, 200)}" (${pattern.replaceAll('-', ' ')}, iteration ${iteration})`,
    inlineText(reality, 240),
    inlineText(action, 200),
  ];
}

/** Renders recurring ways around the instructions. */
export function renderLoopholes({ loopholes }: Report): string {
  if (loopholes.length === 0) return '';
  return blocks(
    '## 🔓 Discovered Loopholes',
    fitItems(loopholes.map(renderLoophole), {
      limit: LOOPHOLES_LIMIT,
      separator: '\n\n',
      more: (left) => `${left} more in report.json.`,
    }),
  );
}

function renderLoophole({ name, pattern, evidence, suggested_counter, new_test }: Loophole): string {
  return blocks(
    `### Loophole: ${inlineText(name, 120)}`,
    `**Pattern:** ${inlineText(pattern, 400)}`,
    `**Evidence:**\n\n${evidence
      .slice(0, 4)
      .map(({ scenario_id, text }) => `- ${codeSpan(scenario_id, 80)}: ${inlineText(text, 240)}`)
      .join('\n')}`,
    `**Suggested Counter:**\n\n${suggested_counter.map((text) => `- ${inlineText(text, 300)}`).join('\n')}`,
    `**New Test to Add:** ${codeSpan(new_test, 80)}`,
  );
}
