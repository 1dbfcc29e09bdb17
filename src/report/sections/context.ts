import { RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import type { ReportContext, ReportResult } from '../../domain/report/result.js';
import { headAndTail } from '../../domain/text/fit.js';
import {
  command,
  cut,
  type Detail,
  facts,
  fold,
  inCode,
  joined,
  own,
  paragraph,
  quoteBlock,
  type ReportBlock,
  table,
  words,
} from '../content/content.js';
import { unitOf, withoutAccounts } from '../model/context.js';
import { findDivergence } from '../model/divergence.js';
import { chooseLogLines, describeTrace } from '../words/evidence.js';
import { countOf, formatDuration } from '../words/words.js';
import { partOf, type TestPart } from './test.js';

/** What the run of a test left behind: what went in, what happened, what came out. */

/** Lists all of it, in the order in which a reader needs it. A page with a timeline has the iterations and events there. */
export function contextBlocks(result: ReportResult, detail: Detail, hasTimeline = false): ReportBlock[] {
  const { context, artifacts } = result;
  if (context === null) return [];
  const text = (mark: string, title: string, body: string | null, language = '', whole = artifacts) =>
    foldedText(mark, title, body, { limit: detail.text, whole, language });
  const { stdout_path, stderr_path } = context;
  return [
    ...fold('▶️', 'Command', command(context.command_line)),
    ...(context.conversation === undefined
      ? [
          ...text('📄', 'Configuration (ralph.yml)', context.config_yaml, 'yaml'),
          ...text('📝', 'Prompt given to Ralph', context.prompt_content, 'markdown'),
        ]
      : conversationBlocks(context.conversation, detail)),
    ...(hasTimeline
      ? []
      : [...iterationBlocks(context, detail, artifacts), ...eventFold(context, detail, artifacts)]),
    ...text('📣', "Ralph's log", context.ralph_log.join('\n')),
    ...text('📤', 'Output (stdout)', context.stdout, '', stdout_path),
    ...text('📤', 'Errors (stderr)', context.stderr, '', stderr_path),
    ...text('🗒️', 'Scratchpad before', context.scratchpad_before, 'markdown'),
    ...text('📋', 'Scratchpad after', context.scratchpad_after, 'markdown'),
    ...fileBlocks(context, detail, artifacts),
    ...troubleBlocks(result, detail),
  ];
}

/** Quotes what went wrong on the way, whatever the checks say. */
function troubleBlocks({ context, artifacts }: ReportResult, { text }: Detail): ReportBlock[] {
  if (context === null) return [];
  const { malformed_lines, backend_errors, processes_left_behind, stopped_by_isolation } = context;
  const torn = malformed_lines.map(({ file, line, text: read }) => `${file}:${line}: ${read}`);
  const lists = [
    ['⚠️', 'Lines that could not be read', torn],
    ['🔌', 'Errors of the backend', backend_errors],
    ['👻', 'Processes left behind', processes_left_behind],
    ['🚧', 'Stopped by the isolation', stopped_by_isolation],
  ] as const;
  return lists.flatMap(([mark, title, lines]) =>
    foldedText(mark, title, lines.join('\n'), { limit: text, whole: artifacts, language: '' }),
  );
}

/** Lists what is needed to follow a failure: the iteration that went wrong, trouble, the configuration, the log, the events. */
export function listCourseParts(result: ReportResult, detail: Detail): TestPart[] {
  const { context, artifacts } = result;
  if (context === null) return [];
  const { config_yaml, conversation, stderr, stderr_path, events_emitted } = context;
  const quote = (name: string, text: string, language = '', whole = artifacts) =>
    text.trim() === '' ? [] : [quoteBlock(name, text, { limit: detail.text, whole, language })];
  const config = conversation === undefined ? config_yaml : '';
  const events = events_emitted.length === 0 ? [] : eventBlocks(context, detail, artifacts);
  return [
    partOf(4, own('What happened there'), courseBlocks(result, detail)),
    partOf(5, own('Trouble on the way'), troubleBlocks(result, detail)),
    partOf(7, own('Configuration (ralph.yml)'), quote('Configuration', config, 'yaml')),
    partOf(6, own('What Ralph logged'), logBlocks(result, detail)),
    partOf(8, own('Events'), events),
    partOf(8, own('Errors (stderr)'), quote('stderr', stderr, '', stderr_path)),
  ];
}

/** Says what happened in the iteration in which the run went wrong. */
function courseBlocks(result: ReportResult, detail: Detail): ReportBlock[] {
  const { context, artifacts, trace } = result;
  if (context === null) return [];
  if (trace !== null) {
    const lines = describeTrace(trace, Math.min(1, detail.text / 1_500));
    return [quoteBlock('Trace', lines.join('\n'), { limit: 2 * detail.text, whole: artifacts })];
  }
  const wrong = findDivergence(result)?.about?.iteration;
  const unit = unitOf(context);
  const last = context.iterations.find(({ number }) => number === wrong) ?? context.iterations.at(-1);
  if (last === undefined)
    return [paragraph(own(`No ${unit} was recorded: the agent was perhaps never asked.`))];
  return [
    paragraph(words`${cut(titleOfIteration(last, unit), 200)}:`),
    ...describeIteration(last, detail, artifacts),
    ...(last.tool_calls.length === 0
      ? [paragraph(own('No tool call was recorded. (A CLI that prints plain text shows none.)'))]
      : []),
  ];
}

type TextOptions = { readonly limit: number; readonly whole: string | null; readonly language: string };

function foldedText(mark: string, title: string, text: string | null, options: TextOptions): ReportBlock[] {
  if (text === null || text === '') return [];
  return fold(mark, title, [quoteBlock(title, text, options)], countOf(text.length, 'character'));
}

/** Lists what the user said and how each turn ended. */
function conversationBlocks(talk: NonNullable<ReportContext['conversation']>, detail: Detail): ReportBlock[] {
  const { turns, planned_turns, workflow, stage, plugins, plugin_errors } = talk;
  const { kept, left } = headAndTail(turns, detail.rows);
  const missing = planned_turns - turns.length;
  return fold(
    '💬',
    'Conversation',
    [
      ...facts([
        ['Planned', own(countOf(planned_turns, 'turn'))],
        ['Workflow', workflow && cut(workflow, 120)],
        ['Last stage', stage && cut(stage, 120)],
        ['Plugins', plugins.length === 0 ? 'none' : joined(plugins.map((name) => inCode(name, 80)))],
      ]),
      ...plugin_errors
        .slice(0, detail.rows)
        .map((error) => paragraph(words`⚠️ Error of a plugin: ${cut(error, 400)}`)),
      ...table(
        ['Turn', 'The user said', 'Ended'],
        kept.map(({ number, asked, outcome }) => [number, cut(asked, 200), cut(outcome, 60)]),
      ),
      ...(left > 0 ? [paragraph(own(`${countOf(left, 'turn')} left out here.`))] : []),
      ...(missing > 0 ? [paragraph(own(`${countOf(missing, 'turn')} did not take place.`))] : []),
    ],
    countOf(turns.length, 'turn'),
  );
}

function iterationBlocks(context: ReportContext, detail: Detail, whole: string | null): ReportBlock[] {
  const { kept, left } = headAndTail(context.iterations, detail.iterations);
  const unit = unitOf(context);
  const folds = kept.flatMap((iteration) => {
    const { duration_seconds } = iteration;
    const time = duration_seconds === null ? '' : `, ${formatDuration(duration_seconds)}`;
    return fold(
      '🔁',
      `${titleOfIteration(iteration, unit)}${time}`,
      describeIteration(iteration, detail, whole),
    );
  });
  return left === 0 ? folds : [...folds, paragraph(own(`${countOf(left, unit)} left out here.`))];
}

/** Names an iteration or a turn: `Turn 1 (stage exploring)`. */
function titleOfIteration(
  { number, hat }: Pick<ReportContext['iterations'][number], 'number' | 'hat'>,
  unit: ReturnType<typeof unitOf>,
): string {
  const where = hat === null ? '' : ` (${unit === 'turn' ? 'stage' : 'hat'} ${hat})`;
  return `${unit === 'turn' ? 'Turn' : 'Iteration'} ${number}${where}`;
}

/** Quotes what the agent was sent, what it said and what it did, each in its own box, so that a long one hides no other. */
function describeIteration(
  { prompt, said, tool_calls }: ReportContext['iterations'][number],
  { text, rows }: Detail,
  whole: string | null,
): ReportBlock[] {
  const calls = headAndTail(tool_calls, rows);
  const callLines = calls.kept.map(
    ({ name, input, is_error }) => `${is_error ? 'ERROR ' : ''}${name} ${input.slice(0, 500)}`,
  );
  const left = calls.left === 0 ? '' : ` (${calls.left} left out)`;
  const parts = [
    ['what the agent was sent', prompt ?? '(not recorded)'],
    ['what the agent said', said === '' ? '(nothing)' : said],
    ...(tool_calls.length === 0
      ? []
      : [[`tools that the agent called${left}`, callLines.join('\n')] as const]),
  ] as const;
  return parts.map(([title, body]) => quoteBlock(title, `=== ${title} ===\n${body}`, { limit: text, whole }));
}

function eventFold(context: ReportContext, detail: Detail, whole: string | null): ReportBlock[] {
  const count = context.events_emitted.length + context.events_left_out;
  return fold('📊', `Events (${count})`, eventBlocks(context, detail, whole));
}

/** Lists events: by whom, in which iteration, with what. */
function eventBlocks(context: ReportContext, { rows }: Detail, whole: string | null): ReportBlock[] {
  const { events, accounts } = withoutAccounts(context);
  const { kept, left: cutOff } = headAndTail(events, rows);
  const left = cutOff + context.events_left_out;
  const where = whole === null ? own('.') : words`; all are in ${inCode(`${whole}/evidence.json`, 420)}.`;
  return [
    ...(kept.length === 0 ? [paragraph(own('No event was recorded.'))] : []),
    ...table(
      ['Topic', 'Payload', 'By', 'Hat', 'Iteration', 'Time'],
      kept.map(({ topic, payload, timestamp, source_hat, iteration, emitted_by }) => [
        ...[inCode(topic, 80), cut(payload ?? '', 300), own(emitted_by), cut(source_hat ?? '', 60)],
        ...[iteration ?? '', cut(timestamp, 40)],
      ]),
    ),
    ...(left === 0 ? [] : [paragraph([own(`${countOf(left, 'event')} left out here`), where])]),
    ...(accounts === 0
      ? []
      : [
          paragraph(
            words`Left out: ralph's own accounts (${inCode(RALPH_TOPICS.summary)}, ${accounts} times).`,
          ),
        ]),
  ];
}

function fileBlocks(
  { workspace_files }: ReportContext,
  { rows, text }: Detail,
  whole: string | null,
): ReportBlock[] {
  const changed = workspace_files.filter(({ change }) => change !== 'unchanged');
  const { kept, left } = headAndTail(changed, rows);
  const where = whole === null ? own('.') : words`; see ${inCode(whole, 400)}.`;
  return fold(
    '📁',
    `Files changed (${changed.length})`,
    [
      ...(changed.length === 0 ? [paragraph(own('No file was changed.'))] : []),
      ...kept.flatMap(({ path, change, size_bytes, content_preview }) => [
        paragraph(words`${inCode(path, 200)} ${own(`${change}, ${formatBytes(size_bytes)}`)}`),
        ...(content_preview === ''
          ? []
          : [quoteBlock(`Content of ${path.slice(0, 80)}`, content_preview, { limit: text, whole })]),
      ]),
      ...(left === 0 ? [] : [paragraph([own(`${countOf(left, 'file')} left out here`), where])]),
    ],
    changed
      .slice(0, 3)
      .map(({ path }) => path.slice(0, 40))
      .join(', '),
  );
}

/** Formats a size: `1.5 KB`, `340 bytes`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Quotes Ralph's own log. If the test ran again for it, also its debug log of the iteration that went wrong. */
function logBlocks({ context, examined, trace }: ReportResult, { text, rows }: Detail): ReportBlock[] {
  const choose = (lines: readonly string[]) => chooseLogLines(lines, trace?.iteration ?? null, rows);
  const cap = { limit: text, whole: 'report.json' };
  const box = (lines: readonly string[]) =>
    lines.length === 0 ? [] : [quoteBlock("Ralph's log", lines.join('\n'), cap)];
  return [
    ...box(choose(context?.ralph_log ?? [])),
    ...(examined === null
      ? []
      : [
          paragraph(
            words`The test ran once more with ${inCode('--verbose')}, to see the debug log, and ${own(examined.recurred ? 'failed again' : 'did not fail again')}.`,
          ),
          ...box(choose(examined.log)),
        ]),
  ];
}
