import { testPagePath } from '../../domain/report/failure-pages.js';
import type { ReportContext, ReportResult } from '../../domain/report/report.js';
import { unitOf } from '../model/conversation-context.js';
import { type ContextSection, contextSections } from '../model/sections.js';
import { codeSpan, fencedBlock, inlineText } from '../text/safe-text.js';
import { modelUsage } from '../words/money-words.js';
import { describeTrace } from '../words/trace-words.js';
import { countOf, formatDuration } from '../words/words.js';
import { blocks, details, foldedText, headAndTail, table } from './parts.js';

/** How much of each text a page shows; the file has the rest. Failed tests get more. */
interface ContextLimits {
  readonly text: number;
  readonly rows: number;
  readonly iterations: number;
}
const FAILED_LIMITS: ContextLimits = { text: 16_000, rows: 60, iterations: 12 };
const PASSED_LIMITS: ContextLimits = { text: 4_000, rows: 20, iterations: 6 };

/** Renders everything about a test's last attempt, folded. */
export function renderContext(result: ReportResult): string {
  const limits = result.passed ? PASSED_LIMITS : FAILED_LIMITS;
  const { context, artifacts, workspace, error } = result;
  if (!context)
    return fencedBlock(error ?? 'Nothing was recorded.', { limit: limits.text, whole: artifacts });
  const usage = modelUsage(result);
  return blocks(
    [
      `- **Output and evidence:** ${codeSpan(artifacts ?? 'none', 400)}`,
      `- **Workspace:** ${workspace === null ? 'removed' : codeSpan(workspace, 400)}`,
      ...(usage === null ? [] : [`- **Usage:** ${describeUsage(usage)}`]),
    ].join('\n'),
    ...contextSections(result).map((section) => renderSection(section, limits, artifacts)),
  );
}

/** Renders what is needed to follow a failure: the iteration that went wrong, and the configuration. */
export function renderBriefContext(result: ReportResult, scale: number): string {
  const { context, trace } = result;
  if (context === null) return '';
  const cap = (limit: number) => ({ limit: Math.ceil(limit * scale), whole: testPagePath(result) });
  return blocks(
    trace === null
      ? ''
      : foldedText(
          `🔁 What happened in ${unitOf(context)} ${trace.iteration}`,
          describeTrace(trace, scale).join('\n'),
          cap(2_500),
        ),
    context.conversation === undefined
      ? foldedText('📄 Configuration (ralph.yml)', context.config_yaml, { ...cap(900), language: 'yaml' })
      : '',
    context.stopped_by_isolation.length === 0
      ? ''
      : foldedText('🚧 Stopped by the isolation', context.stopped_by_isolation.join('\n'), cap(2_000)),
  );
}

function renderSection(section: ContextSection, limits: ContextLimits, whole: string | null): string {
  switch (section.kind) {
    case 'command':
      return `${section.title}:\n\n${fencedBlock(section.command, { limit: limits.text, whole, language: 'bash' })}`;
    case 'text':
      return foldedText(`${section.mark} ${section.title}`, section.text, {
        limit: limits.text,
        whole: section.path ?? whole,
        ...(section.language && { language: section.language }),
      });
    case 'turns':
      return renderTurns(section.talk);
    case 'iterations':
      return renderIterations(section.context, limits, whole);
    case 'events':
      return renderEvents(section.context, limits, whole);
    case 'files':
      return renderFiles(section.files, limits, whole);
    default:
      return section satisfies never;
  }
}

/** Renders what the user said and how each turn ended, before the full turns. */
function renderTurns({
  turns,
  planned_turns,
  plugins,
  plugin_errors,
}: NonNullable<ReportContext['conversation']>) {
  const rows = turns.map(({ number, asked, outcome }) => [String(number), inlineText(asked, 200), outcome]);
  const missing = planned_turns - turns.length;
  return blocks(
    `Plugins: ${plugins.map((name) => codeSpan(name, 80)).join(', ') || 'none'}`,
    ...plugin_errors.map((error) => `- ⚠️ ${inlineText(error, 400)}`),
    table(['Turn', 'The user said', 'Ended'], rows),
    missing === 0 ? '' : `${countOf(missing, 'turn')} did not take place.`,
  );
}

function describeUsage(usage: NonNullable<ReportContext['usage']>): string {
  const model = usage.model === null ? '' : `${codeSpan(usage.model, 80)}, `;
  const tokens = `${usage.input_tokens} tokens in, ${usage.output_tokens} out`;
  const cost = usage.cost_usd > 0 ? `, $${usage.cost_usd.toFixed(4)}` : '';
  return `${model}${countOf(usage.turns, 'turn')}, ${tokens}${cost}`;
}

function renderIterations(context: ReportContext, limits: ContextLimits, whole: string | null): string {
  const { kept, left } = headAndTail(context.iterations, limits.iterations);
  const unit = unitOf(context);
  const talk = unit === 'turn';
  const folded = kept.map(({ number, hat, prompt, said, tool_calls, duration_seconds }) => {
    const where = hat === null ? '' : ` (${talk ? 'stage' : 'hat'} ${hat})`;
    const title = `🔁 ${talk ? 'Turn' : 'Iteration'} ${number}${where}${
      duration_seconds === null ? '' : `, ${formatDuration(duration_seconds)}`
    }`;
    const calls = headAndTail(tool_calls, limits.rows);
    const callText = calls.kept.map(
      ({ name, input, is_error }) => `${is_error ? 'ERROR ' : ''}${name} ${input.slice(0, 500)}`,
    );
    const parts = [
      `=== what the agent was sent ===\n${prompt ?? '(not recorded)'}`,
      `=== what the agent said ===\n${said === '' ? '(nothing)' : said}`,
      ...(tool_calls.length === 0
        ? []
        : [`=== tools that the agent called${leftOut(calls.left)} ===\n${callText.join('\n')}`]),
    ];
    // Each part has its own fence, so that a long prompt does not hide the agent's answer.
    const cap = { limit: limits.text, whole };
    return details(title, parts.map((part) => fencedBlock(part, cap)).join('\n\n'));
  });
  return blocks(...folded, left === 0 ? '' : `${countOf(left, unit)} left out here.`);
}

function renderEvents(context: ReportContext, limits: ContextLimits, whole: string | null): string {
  const { kept, left: cut } = headAndTail(context.events_emitted, limits.rows);
  const left = cut + context.events_left_out;
  const rows = kept.map(({ topic, payload, timestamp, source_hat, iteration, emitted_by }) => [
    codeSpan(topic, 80),
    payload === null ? '' : inlineText(payload, 300),
    emitted_by,
    source_hat === null ? '' : inlineText(source_hat, 60),
    iteration === null ? '' : String(iteration),
    inlineText(timestamp, 40),
  ]);
  return details(
    `📊 Events (${kept.length + left})`,
    rows.length === 0
      ? 'No event was recorded.'
      : blocks(
          table(['Topic', 'Payload', 'By', 'Hat', 'Iteration', 'Time'], rows),
          left === 0
            ? ''
            : `${countOf(left, 'event')} left out here${whole ? `; all are in ${codeSpan(`${whole}/evidence.json`, 420)}` : ''}.`,
        ),
  );
}

function renderFiles(
  changed: ReportContext['workspace_files'],
  limits: ContextLimits,
  whole: string | null,
): string {
  const { kept, left } = headAndTail(changed, limits.rows);
  const rows = kept.map(({ path, change, size_bytes, content_preview }) => [
    codeSpan(path, 200),
    change,
    String(size_bytes),
    inlineText(content_preview, 200),
  ]);
  return details(
    `📁 Files changed (${changed.length})`,
    rows.length === 0
      ? 'No file was changed.'
      : blocks(
          table(['File', 'Change', 'Bytes', 'Content'], rows),
          left === 0
            ? ''
            : `${countOf(left, 'file')} left out here${whole ? `; see ${codeSpan(whole, 400)}` : ''}.`,
        ),
  );
}

function leftOut(left: number): string {
  return left === 0 ? '' : ` (${left} left out)`;
}
