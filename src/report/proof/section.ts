import { involvesRalph, type Target } from '../../domain/attempt.js';
import type { ReportProof } from '../../domain/report/report.js';
import { blocks, fitItems } from '../markdown/parts.js';
import { codeSpan, inlineText } from '../text/safe-text.js';
import { countOf } from '../words/words.js';

const LIST_LIMIT = 2_000;

/** Renders how many of this run's checks were shown to fail. */
export function renderProofSection({
  proof,
  results,
  target: tested = {},
}: {
  readonly proof: ReportProof | null;
  readonly results: readonly { readonly scenario_id: string }[];
  /** The target of the run, not of the proof. */
  readonly target?: Pick<Target, 'because'>;
}): string {
  if (proof === null) return '';
  const ran = new Set(results.map(({ scenario_id }) => scenario_id));
  const weak = proof.scenarios.filter(
    ({ scenario_id, checks, proved }) => ran.has(scenario_id) && proved < checks,
  );
  const known = new Set(proof.scenarios.map(({ scenario_id }) => scenario_id));
  const unknown = [...ran].filter((id) => !known.has(id));
  const { target } = proof;
  const ralph = `${target.kind === 'stand-in' ? 'the stand-in ' : ''}ralph ${inlineText(target.version, 60)}`;
  const on = involvesRalph(tested) ? `on ${ralph}, ` : '';
  return blocks(
    '## 🧪 What this green is worth',
    [
      `- **Proof:** ${proof.passed ? '🟢 passed' : '🔴 not passed'}, ${inlineText(proof.timestamp, 40)}, ${on}${proof.lane} lane; the matrices are in ${codeSpan('prove.md')}`,
      `- **Checks shown to fail when what they test is broken:** ${proof.proved} of ${proof.checks}, by ${countOf(proof.saboteurs, 'saboteur')}; ${countOf(proof.guards, 'guard')}`,
      ...list(
        'Survivors',
        proof.survivors.map((name) => inlineText(name, 200)),
      ),
      ...list(
        'Scenarios of this run with unproved checks',
        weak.map(
          ({ scenario_id, checks, proved }) => `${codeSpan(scenario_id, 80)} (${proved} of ${checks})`,
        ),
      ),
      ...list(
        'Scenarios of this run that were not proved',
        unknown.map((id) => codeSpan(id, 80)),
      ),
    ].join('\n'),
  );
}

function list(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const text = fitItems(items, { limit: LIST_LIMIT, separator: ', ', more: (left) => `${left} more` });
  return [`- **${title}:** ${text}`];
}
