import type { Change, ChangeKind, Comparison } from '../../domain/report/compare.js';
import type { Pieces } from '../text/pieces.js';
import { oneLine } from '../text/safe-text.js';
import {
  describeGroup,
  describeRun,
  groupByCause,
  groupChanges,
  KINDS,
  nameTests,
  summarise,
} from '../words/comparison-words.js';
import { countOf } from '../words/words.js';
import { html, type Markup, NOTHING } from './page/markup.js';
import { renderPage, type Section } from './page/page.js';
import { bulletList, factList, fitList, line } from './parts.js';
import { renderRates } from './rates.js';
import { nameStanding } from './words.js';

/** The size limit for one kind of change; nobody reads more. */
const KIND_LIMIT = 100_000;

/** Renders a comparison of two runs as one page that opens from disk. */
export function renderComparisonHtml(comparison: Comparison): Pieces {
  const worse = comparison.rates?.tests.filter(({ verdict }) => verdict === 'worse').length ?? 0;
  const { title, tone } = nameComparison(comparison, worse);
  const rates: Section[] =
    comparison.rates === null
      ? []
      : [{ id: 'rates', title: `Rates (${comparison.rates.tests.length})`, body: renderRates(comparison) }];
  const sections: Section[] = [
    ...rates,
    ...groupChanges(comparison).map(({ kind, changes }) => ({
      id: kind.replaceAll('_', '-'),
      title: `${KINDS[kind].title} (${changes.length})`,
      body: renderChanges(kind, changes),
    })),
  ];
  return renderPage({
    title: `${title}: ${oneLine(summarise(comparison), 200)}`,
    header: renderHeader(comparison, { title, tone }),
    sections: sections.length > 0 ? sections : [UNCHANGED],
    script: '',
  });
}

interface Named {
  readonly title: string;
  readonly tone: 'failed' | 'flaky' | 'passed';
}

function nameComparison({ changes, no_verdict }: Comparison, worse: number): Named {
  const broken = changes.new_failures.length;
  if (broken > 0) return { title: countOf(broken, 'new failure'), tone: 'failed' };
  if (worse > 0) return { title: `${countOf(worse, 'test')} worse`, tone: 'failed' };
  if (no_verdict.length > 0) return { title: 'No verdict', tone: 'flaky' };
  return { title: 'Nothing broke', tone: 'passed' };
}

const UNCHANGED: Section = {
  id: 'unchanged',
  title: 'No changes',
  body: html`<p>Every test came out as it did before.</p>`,
};

function renderHeader(comparison: Comparison, { title, tone }: Named): Markup {
  const { before, after, caveats, also_changed } = comparison;
  return html`<header class="verdict ${tone}">
<p class="kicker">Comparison of two runs of the Ralph end-to-end tests</p>
<h1>${title}</h1>
<p class="sentence">${summarise(comparison)}</p>
${caveats.map((caveat) => html`<p class="notice"><strong>Mind:</strong> ${line(caveat, 300)}</p>`)}
${factList([
  ['Before', line(describeRun(before), 300)],
  ['After', line(describeRun(after), 300)],
  ...also_changed.map((fact) => ['Also changed', line(fact, 200)] as const),
])}
</header>`;
}

function renderChanges(kind: ChangeKind, changes: readonly Change[]): Markup {
  const more = (left: number) => html`<span class="quiet">${left} more: see the JSON</span>`;
  return bulletList(
    fitList(
      groupByCause(changes).map((group) => renderGroup(kind, group)),
      { limit: KIND_LIMIT, more },
    ),
    'attention',
  );
}

function renderGroup(kind: ChangeKind, changes: readonly Change[]): Markup {
  const [first] = changes;
  if (first === undefined) return NOTHING;
  const detail = describeGroup(kind, first);
  return changes.length === 1
    ? renderChange({ ...first, detail })
    : html`<strong>${changes.length} tests</strong> <span class="quiet">${line(detail, 400)}</span><br>${line(nameTests(changes, changes.length), 4_000)}`;
}

function renderChange({ scenario_id, backend, before, after, detail }: Change): Markup {
  const badge = (outcome: Change['before']) =>
    outcome === null
      ? NOTHING
      : html`<span class="badge ${outcome === 'inconclusive' ? 'failed' : outcome}">${nameStanding(outcome)}</span>`;
  const changed = before !== null && after !== null && before !== after;
  const outcomes = changed ? html`${badge(before)} now ${badge(after)}` : badge(after ?? before);
  return html`${outcomes} <strong>${line(scenario_id, 120)}</strong> <span class="quiet">on ${line(backend, 40)}${
    detail !== '' && html`: ${line(detail, 400)}`
  }</span>`;
}
