import type { ConversationRecord, StageChange } from '../../domain/evidence/conversation.js';
import type { Evidence, LogLine } from '../../domain/evidence/evidence.js';
import { endsOfIterations, iterationOf } from '../../domain/evidence/facts.js';
import { describeStopped } from '../../domain/evidence/isolation.js';
import { RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import type { ReportContext } from '../../domain/report/result.js';
import { headAndTail } from '../../domain/text/fit.js';
import type { Lane } from '../../domain/vocabulary.js';
import { quoteCommand } from '../text/safe-text.js';

/** A limit, so that an agent that emits in a loop cannot make a report too large to open. */
const MAX_EVENTS = 500;
const MAX_LOG_LINES = 60;

/** Converts evidence to the terms of the report. */
export function describeContext(evidence: Evidence, lane: Lane): ReportContext {
  const { exit, stdout, stderr, termination, usage, conversation } = evidence;
  const events = headAndTail(listEvents(evidence), MAX_EVENTS);
  return {
    config_yaml: evidence.configYaml,
    ralph_log: headAndTail(evidence.log ?? [], MAX_LOG_LINES).kept.map(describeLogLine),
    prompt_content: evidence.promptText,
    command_line: quoteCommand(evidence.command),
    exit_code: exit.kind === 'exited' ? exit.code : null,
    exit_signal: exit.kind === 'killed' ? exit.signal : null,
    timed_out: exit.kind === 'timed-out',
    stdout: stdout.text,
    stdout_path: stdout.path,
    stderr: stderr.text,
    stderr_path: stderr.path,
    scratchpad_before: evidence.scratchpad.before,
    scratchpad_after: evidence.scratchpad.after,
    events_emitted: events.kept,
    events_left_out: events.left + (evidence.eventsLeftOut ?? 0),
    malformed_lines: evidence.malformedLines,
    iterations_completed: termination?.iterations ?? evidence.iterations.length,
    iterations: evidence.iterations.map(({ number, hat, prompt, said, toolCalls, durationSeconds }) => ({
      number,
      hat: conversation === undefined ? hat : stageAfter(conversation, number),
      prompt,
      said,
      tool_calls: toolCalls.map(({ name, input, isError }) => ({ name, input, is_error: isError })),
      duration_seconds: durationSeconds,
      answered_by: findAnswer(evidence, number),
    })),
    termination_reason: termination?.reason ?? null,
    workspace_files: evidence.files.map(({ path, change, preview, sizeBytes }) => ({
      path,
      change,
      content_preview: preview,
      size_bytes: sizeBytes,
    })),
    usage: usage && {
      model: usage.model,
      turns: usage.turns,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      // CLIs compute a price for scripted answers too, but nobody pays it.
      cost_usd: lane === 'live' ? usage.costUsd : 0,
    },
    backend_errors: evidence.backendErrors,
    stopped_by_isolation: (evidence.isolation?.stopped ?? []).map(describeStopped),
    processes_left_behind: evidence.leftBehind.map(({ pid, command }) => `${pid} ${command}`),
    ...(conversation === undefined ? {} : { conversation: describeConversation(conversation) }),
  };
}

/** Returns the place in the agent script that answered an iteration, if each iteration was one call of the agent. */
function findAnswer({ invocations, iterations }: Evidence, number: number): string | null {
  if (invocations.length !== iterations.length) return null;
  return invocations[iterations.findIndex((iteration) => iteration.number === number)]?.matched ?? null;
}

/** Describes a line of Ralph's log, without its time. */
export function describeLogLine({ level, module, text }: LogLine): string {
  return `${level} ${module}: ${text}`;
}

function listEvents({ conversation, events }: Evidence): ReportContext['events_emitted'] {
  if (conversation !== undefined) return describeMoments(conversation);
  const ends = endsOfIterations(events);
  return events.map((event) => ({
    topic: event.topic,
    payload: event.payload,
    timestamp: event.timestamp,
    source_hat: event.hat,
    iteration: iterationOf(event, ends),
    emitted_by: event.source,
  }));
}

type Moment = ReportContext['events_emitted'][number];

/** Returns the events without Ralph's own accounts, which say what stands elsewhere anyway, and the number of those. */
export function withoutAccounts({ events_emitted: all }: ReportContext) {
  const events = all.filter(
    ({ topic, emitted_by }) => topic !== RALPH_TOPICS.summary || emitted_by !== 'ralph',
  );
  return { events, accounts: all.length - events.length };
}

/** Returns the unit in which a run is counted. */
export function unitOf({ conversation }: ReportContext): 'turn' | 'iteration' {
  return conversation === undefined ? 'iteration' : 'turn';
}

/** Describes a conversation except for its turns. */
function describeConversation(record: ConversationRecord): NonNullable<ReportContext['conversation']> {
  const { planned, turns, workflow, stage, init } = record;
  return {
    planned_turns: planned,
    turns: turns.map(({ number, asked, outcome }) => ({ number, asked, outcome: outcome.kind })),
    workflow,
    stage,
    plugins: (init?.plugins ?? []).map(({ name }) => name),
    plugin_errors: (init?.pluginErrors ?? []).map(
      ({ plugin, type, message }) => `${plugin} ${type}: ${message}`,
    ),
  };
}

/** Lists what happened in the turns, in place of a loop's events: stages, blocking hooks, commits. */
function describeMoments({ turns, stages, commits, findings }: ConversationRecord): Moment[] {
  const moments = [
    ...turns.flatMap((turn) =>
      turn.hooks
        .filter(({ blocked }) => blocked)
        .map(({ name, reason }) => moment(turn.number, `hook.blocked ${name}`, reason)),
    ),
    ...stages.map((change) => moment(change.turn, `stage.${change.to}`, describeStage(change))),
    ...commits.map(({ turn, message }) => moment(turn, 'commit', message)),
    ...findings.map(({ kind, turn, ...rest }) =>
      moment(turn, `finding.${kind}`, Object.values(rest).join(', ')),
    ),
  ];
  return moments.sort((one, other) => (one.iteration ?? 0) - (other.iteration ?? 0));

  function moment(iteration: number, topic: string, payload: string | null): Moment {
    const timestamp = turns.find(({ number }) => number === iteration)?.startedAt ?? '';
    return { topic, payload, timestamp, source_hat: null, iteration, emitted_by: 'agent' };
  }
}

/** Returns the stage in which a turn ended. */
function stageAfter({ stages }: ConversationRecord, turn: number): string | null {
  return stages.findLast((change) => change.turn <= turn)?.to ?? null;
}

function describeStage({ from, proofs, observed, valid }: StageChange): string {
  const how = proofs.join(', ') || 'not proved';
  const seen = observed.length === 0 ? '' : `: ${observed.join('; ')}`;
  return `from ${from}, ${how}${seen}${valid ? '' : ' (the workflow does not allow this step)'}`;
}
