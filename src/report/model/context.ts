import type { Evidence, LogLine } from '../../domain/evidence/evidence.js';
import { endsOfIterations, placeInTime } from '../../domain/evidence/facts.js';
import { describeStopped } from '../../domain/evidence/isolation.js';
import type { ReportContext } from '../../domain/report/report.js';
import type { Lane } from '../../domain/vocabulary.js';
import { headAndTail } from '../text/fit.js';
import { quoteCommand } from '../text/shell.js';
import { describeConversation, describeMoments, stageAfter } from './conversation-context.js';

/** A limit, so that an agent that emits in a loop cannot make a report too large to open. */
const MAX_EVENTS = 500;
const MAX_LOG_LINES = 60;

/** Converts evidence to the terms of the report. */
export function describeContext(evidence: Evidence, lane: Lane): ReportContext {
  const { exit, stdout, stderr, termination, usage, conversation } = evidence;
  const events = headAndTail(listEvents(evidence), MAX_EVENTS);
  return {
    config_yaml: evidence.configYaml,
    // Made when it is read: for ten thousand results, the lines take more memory than everything else.
    get ralph_log() {
      return headAndTail(evidence.log ?? [], MAX_LOG_LINES).kept.map(describeLogLine);
    },
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
    iteration: event.iteration ?? placeInTime(event, ends),
    emitted_by: event.source,
  }));
}
