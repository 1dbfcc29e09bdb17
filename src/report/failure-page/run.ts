import { involvesRalph } from '../../domain/attempt.js';
import type { Report, ReportContext, ReportResult } from '../../domain/report/report.js';
import { describeExitInMarkdown } from '../markdown/failed.js';
import { blocks, table } from '../markdown/parts.js';
import { unitOf } from '../model/conversation-context.js';
import { findDivergence } from '../model/divergence.js';
import { codeSpan, fencedBlock, inlineText } from '../text/safe-text.js';
import { describeTrace } from '../words/trace-words.js';
import { countOf, describeMissingRalph } from '../words/words.js';

const LAST_EVENTS = 20;

/** Ralph's usage records are in the same file; they do not explain why a test failed. */
const ACCOUNTS = 'iteration.summary';

/** Renders the last events that Ralph recorded. */
export function renderEvents({ context, artifacts }: ReportResult, scale: number): string {
  if (context === null) return '';
  const all = context.events_emitted;
  const events = all.filter(({ topic, emitted_by }) => !(topic === ACCOUNTS && emitted_by === 'ralph'));
  const accounts = all.length - events.length;
  if (all.length === 0) return 'None was recorded.';
  const shown = events.slice(-Math.ceil(LAST_EVENTS * scale));
  const before = events.length + context.events_left_out - shown.length;
  const rows = shown.map(({ topic, payload, emitted_by, iteration, source_hat }) => [
    codeSpan(topic, 80),
    emitted_by,
    [iteration === null ? '' : String(iteration), source_hat === null ? '' : inlineText(source_hat, 40)]
      .filter((part) => part !== '')
      .join(' '),
    payload === null ? '' : inlineText(payload, Math.ceil(160 * scale)),
  ]);
  return blocks(
    table(['Topic', 'By', 'Iteration, hat', 'Payload'], rows),
    accounts > 0 ? `Left out: ralph's own accounts (${codeSpan(ACCOUNTS)}, ${accounts} times).` : '',
    before > 0 ? `${before} came before, see ${codeSpan(`${artifacts ?? ''}/evidence.json`, 420)}.` : '',
  );
}

/** Renders how it ended, and the iteration in which the run went wrong: the prompt, the answer and the tool calls. */
export function renderDoings(result: ReportResult, scale: number): string {
  const { context, artifacts, trace } = result;
  if (context === null) return '';
  const wrong = findDivergence(result)?.about?.iteration;
  const last = context.iterations.find(({ number }) => number === wrong) ?? context.iterations.at(-1);
  const cap = (limit: number, whole: string | null = artifacts) => ({
    limit: Math.ceil(limit * scale),
    whole,
  });
  const unit = unitOf(context);
  const where =
    last?.hat == null ? '' : ` (${unit === 'turn' ? 'stage' : 'hat'} ${inlineText(last.hat, 60)})`;
  return blocks(
    `${countOf(context.iterations_completed, unit)}, ${describeEnd(context)}; exit: ${describeExitInMarkdown(result)}.`,
    trace === null ? '' : fencedBlock(describeTrace(trace, scale).join('\n'), cap(4_000)),
    last === undefined
      ? `No ${unit} was recorded: the agent was perhaps never asked.`
      : trace !== null
        ? ''
        : blocks(
            `${unit === 'turn' ? 'Turn' : 'Iteration'} ${last.number}${where}, what the agent was sent:`,
            fencedBlock(last.prompt ?? '(not recorded)', cap(1_500)),
            'What it said:',
            fencedBlock(last.said === '' ? '(nothing)' : last.said, cap(1_200)),
            last.tool_calls.length === 0
              ? 'No tool call was recorded. (A CLI that prints plain text shows none.)'
              : fencedBlock(
                  last.tool_calls
                    .map(({ name, input, is_error }) => `${is_error ? 'ERROR ' : ''}${name} ${input}`)
                    .join('\n'),
                  cap(800),
                ),
          ),
    context.stderr === ''
      ? ''
      : `End of stderr:\n\n${fencedBlock(context.stderr.slice(-2_000), cap(700, context.stderr_path))}`,
  );
}

function describeEnd({ conversation, termination_reason }: ReportContext): string {
  if (conversation !== undefined) return `of ${conversation.planned_turns} planned`;
  return termination_reason === null
    ? 'no termination was recorded'
    : `ended with ${codeSpan(termination_reason, 80)}`;
}

/** Renders what a reader might assume but this result does not show. */
export function renderUnchecked(report: Report, result: ReportResult): string {
  return [
    ...(result.assertions.length === 0 ? ['- No assertion was judged at all.'] : []),
    ...(report.target.kind === 'stand-in' && involvesRalph(report.target)
      ? [`- Ralph itself: a stand-in took its place. ${describeMissingRalph(report.target) ?? ''}`.trimEnd()]
      : []),
    ...(report.lane === 'live' ? [] : [`- A real model: ${LANE_GAPS[report.lane]}`]),
    ...(result.attempts.length === 1 ? ['- Whether it fails every time: it was tried once.'] : []),
    ...(result.context?.timed_out ? ['- What would have come later: the time limit ended it.'] : []),
  ].join('\n');
}

const LANE_GAPS = {
  scripted: 'a script answered the real CLI.',
  sim: 'neither the real CLI nor a model took part.',
} as const;
