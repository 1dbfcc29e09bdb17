import type { Report, ReportResult } from '../../domain/report/report.js';
import { testLabel } from '../../domain/vocabulary.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import {
  DEFECT,
  describeFailedRepeats,
  describeRate,
  describeThreshold,
  describeTotals,
  listSpread,
} from '../words/repeat-words.js';
import { countOf } from '../words/words.js';
import { blocks, table } from './parts.js';

const SHOWN_TESTS = 40;

/** Renders what the repeats of each test show: the tests that vary first. */
export function renderRepeats({ repeat, results }: Report): string {
  if (repeat === null) return '';
  const tests = results
    .filter(({ repeats }) => repeats !== null)
    .toSorted((a, b) => (a.repeats?.rate ?? 0) - (b.repeats?.rate ?? 0));
  const left = tests.length - SHOWN_TESTS;
  return blocks(
    '## 🎲 Repeats',
    `${describeTotals(repeat)}.`,
    table(
      ['Test', 'Rate', 'Not passed', 'Spread'],
      tests.slice(0, SHOWN_TESTS).map((result) => describeRow(result, repeat.threshold)),
    ),
    left > 0 ? `${countOf(left, 'more test')} in report.json.` : '',
  );
}

function describeRow({ scenario_id, backend, repeats }: ReportResult, threshold: number | null): string[] {
  if (repeats === null) return [];
  const reached = describeThreshold(repeats, threshold);
  return [
    codeSpan(testLabel(scenario_id, backend), 120),
    [describeRate(repeats), ...(reached === '' ? [] : [reached])].join('; '),
    [
      describeFailedRepeats(repeats),
      ...(repeats.defect ? [`**Defect:** ${DEFECT}`] : []),
      ...(repeats.left_reason === null ? [] : [inlineText(repeats.left_reason, 160)]),
    ]
      .filter((part) => part !== '')
      .join('; '),
    listSpread(repeats)
      .map(({ name, text }) => `${name} ${text}`)
      .join('; '),
  ];
}
