import type { ReportContext, ReportResult } from '../../../domain/report/report.js';
import { findWrongMoment } from '../../model/wrong-moment.js';
import { oneLine } from '../../text/safe-text.js';
import { describeAttemptFault, describeResultFault } from '../../words/fault-words.js';
import { modelUsage } from '../../words/money-words.js';
import { backendName, countOf, formatDuration, formatNumber } from '../../words/words.js';
import type { PageIndex } from '../page/address.js';
import { type Content, html, type Markup, NOTHING } from '../page/markup.js';
import { type LinkBase, pathLink } from '../page/paths.js';
import { bulletList, code, commandBox, factList, line, quoteBox } from '../parts.js';
import { renderTimeline } from '../timeline/timeline.js';
import { describeExitOnPage, nameOutcome, OUTCOME_WORDS, reasonOf } from '../words.js';
import { renderAssertions } from './assertions.js';
import { renderContextFolds } from './context.js';
import type { Detail } from './detail.js';
import { renderDiagnosisBox, renderPressure, renderQuality } from './judgement.js';

interface CardOptions {
  /** Null: there is space only for its row. */
  readonly detail: Detail | null;
  readonly isOpen: boolean;
  readonly index: PageIndex;
  readonly root: LinkBase;
}

/** Renders one test: a row with its outcome, and all its details behind that row. */
export function renderCard(result: ReportResult, options: CardOptions): Markup {
  const { detail, isOpen, index, root } = options;
  const { outcome, scenario_id, backend, tier } = result;
  const state = html`data-outcome="${outcome}" data-tier="${oneLine(tier, 60)}" data-backend="${backend}"`;
  return html`
<li ${state}><details class="test ${outcome}" id="${index.addressOf(result)}"${isOpen && html` open`}>
<summary><span class="badge ${outcome}">${nameOutcome(result)}</span>
<h3>${oneLine(scenario_id, 80)}</h3><span class="where">${backendName(backend)} <span class="quiet">${oneLine(tier, 60)}</span></span>
<span class="time">${outcome === 'skipped' ? '' : formatDuration(result.duration_seconds)}</span>${renderReason(result)}</summary>
<div class="body">
${detail === null ? renderBrief(result, root) : renderBody(result, { detail, index, root })}
</div></details></li>`;
}

function renderReason(result: ReportResult): Markup {
  const reason = reasonOf(result, 200);
  return reason === null || reason === ''
    ? NOTHING
    : html`\n<span class="reason">${line(reason, 200)}</span>`;
}

/** Renders a test for which the file has no more space. */
function renderBrief({ scenario_description, artifacts }: ReportResult, root: LinkBase): Markup {
  return html`<p>${line(scenario_description, 200)}</p><p class="quiet">This report is full: the whole is in report.json${
    artifacts !== null && html` and ${pathLink(artifacts, root)}`
  }.</p>`;
}

/** Renders what a reader of a failure needs first: the diagnosis, what failed, how to run it again, where it went wrong. */
function renderBody(
  result: ReportResult,
  { detail, index, root }: Omit<CardOptions, 'isOpen' | 'detail'> & { readonly detail: Detail },
): Markup {
  const { context, artifacts, workspace, error, trace } = result;
  const whole = artifacts === null ? null : pathLink(`${artifacts}/evidence.json`, root);
  const id = index.addressOf(result);
  return html`${renderFacts(result, { root, index })}
${error !== null && html`<h4>Error of the harness</h4>${quoteBox('Error of the harness', error, { limit: detail.text, whole })}`}
${renderKnownIssue(result)}
${renderDiagnosisBox(result, { detail, index })}
${renderAssertions(result, { detail, root })}
${renderRepeat(result, index)}
${context !== null && renderTimeline(context, { detail, whole, id, trace, wrong: findWrongMoment(result) })}
${renderQuality(result, detail)}
${renderPressure(result, detail)}
${renderContextFolds(result, { detail, root })}
${factList([
  ['Evidence', artifacts === null ? null : pathLink(artifacts, root)],
  ['Workspace', workspace === null ? null : code(workspace, 400)],
])}`;
}

function renderFacts(result: ReportResult, { root, index }: Pick<CardOptions, 'root' | 'index'>): Markup {
  const { context, covers, placed, priority, phase } = result;
  const usage = modelUsage(result);
  return html`<p class="description">${line(result.scenario_description, 300)}</p>
${factList([
  ['Fault', describeFaultFact(result, index)],
  ['Exit', context === null ? null : describeExitOnPage(result)],
  context?.conversation === undefined
    ? ['Loop', context === null ? null : describeLoop(context)]
    : ['Conversation', describeTurns(context.iterations_completed, context.conversation)],
  ['Usage', usage === null ? null : describeUsage(usage)],
  ['Covers', covers.length === 0 ? null : line(covers.join(', '), 200)],
  ['Kind', placed ? `${priority}, ${phase}` : null],
])}
${renderAttempts(result, root)}`;
}

function describeFaultFact(result: ReportResult, { target }: PageIndex): Content {
  const words = describeResultFault(result, target);
  const facts = result.fault?.because ?? [];
  return words === null
    ? null
    : html`${words}${facts.length > 0 && html` <span class="quiet">${line(facts.join('; '), 400)}</span>`}`;
}

/** Renders the command that runs this test again, if the report has one and the test did not pass. */
function renderRepeat(result: ReportResult, { runAnywhere }: PageIndex): Markup {
  const { repeat_command, outcome } = result;
  if (repeat_command === '' || outcome === 'passed') return NOTHING;
  return html`<h4>Run it again</h4>${commandBox(runAnywhere(repeat_command))}`;
}

function describeLoop({ iterations_completed, termination_reason }: ReportContext): string {
  const end = termination_reason === null ? 'no termination recorded' : `ended with ${termination_reason}`;
  return oneLine(`${countOf(iterations_completed, 'iteration')}, ${end}`, 160);
}

function describeTurns(completed: number, talk: NonNullable<ReportContext['conversation']>): string {
  const planned = talk.planned_turns === completed ? '' : ` of ${talk.planned_turns} planned`;
  return `${countOf(completed, 'turn')}${planned}`;
}

function describeUsage(usage: NonNullable<ReportContext['usage']>): Content {
  const tokens = `${formatNumber(usage.input_tokens)} tokens in, ${formatNumber(usage.output_tokens)} out`;
  const model = usage.model === null ? null : html`${code(usage.model, 80)}, `;
  return html`${model}${countOf(usage.turns, 'turn')}, ${tokens}${usage.cost_usd > 0 && `, $${usage.cost_usd.toFixed(4)}`}`;
}

function renderAttempts({ attempts }: ReportResult, root: LinkBase): Markup {
  if (attempts.length < 2) return NOTHING;
  const items = attempts.slice(0, 20).map((tried) => {
    const { attempt, outcome, error, failed_assertions, duration_seconds, artifacts } = tried;
    const whose = describeAttemptFault(tried);
    const broken = error ?? failed_assertions.join('; ');
    const why = whose === '' ? broken : `${whose}: ${broken}`;
    return html`<span class="badge ${outcome}">${OUTCOME_WORDS[outcome]}</span> attempt ${attempt}, ${formatDuration(duration_seconds)}${
      why !== '' && html`: ${line(why, 300)}`
    } <span class="quiet">${pathLink(artifacts, root)}</span>`;
  });
  return html`<h4>Attempts</h4>${bulletList(items)}`;
}

function renderKnownIssue({ outcome, known_issue, known_issue_gone }: ReportResult): Markup {
  if (known_issue === null) return NOTHING;
  const lead = known_issue_gone
    ? 'This known issue no longer occurs.'
    : outcome === 'known-issue'
      ? 'Known issue.'
      : 'This target is known to break it.';
  return html`<p class="hint"><strong>${lead}</strong> ${line(known_issue.reason, 400)} <span class="quiet">Up to version ${line(known_issue.up_to, 40)}, see ${line(known_issue.link, 200)}</span></p>`;
}
