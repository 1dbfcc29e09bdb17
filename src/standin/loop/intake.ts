import { RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import type { RalphConfig } from '../config/config.js';
import type { Diagnostics } from '../diagnostics.js';
import { faulty } from '../faults.js';
import { attempt, type Log } from '../log.js';
import type { FileEvent, ReadResult } from '../store/events-file.js';
import { type Files, writeTextFile } from '../store/files.js';
import { quoteList } from '../text.js';
import { type BusEvent, type EventBus, matchTopic } from './bus.js';
import { applyGate } from './gates.js';
import type { LoopState } from './state.js';

const TARGET = 'ralph_core::event_loop';
const ABANDON_AFTER = 3;

/** What the intake of events needs. */
export interface IntakeContext {
  readonly config: RalphConfig;
  readonly files: Files;
  readonly bus: EventBus;
  readonly state: LoopState;
  readonly diagnostics: Diagnostics;
  readonly log: Log;
}

/** Passes new events through the gates to the bus; returns whether any was published. */
export function takeInEvents(read: ReadResult, context: IntakeContext): boolean {
  const { bus, state, diagnostics, files, log } = context;
  if (read.problem !== undefined) {
    log.warn('ralph::loop_runner', `Failed to read events from JSONL error=${read.problem}`);
  }
  warnOfMalformed(read, log);
  for (const { line, error, content } of read.malformed) {
    bus.publish({ topic: RALPH_TOPICS.malformed, payload: `Line ${line}: ${error}\nContent: ${content}` });
    state.consecutiveMalformed += 1;
    log.warn(TARGET, `Malformed event line detected line=${line} consecutive=${state.consecutiveMalformed}`);
  }
  // The loop's own summary rows are valid lines: they come with every iteration and reset the counter.
  if (read.events.length > 0 && !faulty('keep-malformed-count')) state.consecutiveMalformed = 0;

  const proposed = read.events.filter(({ topic }) => topic !== RALPH_TOPICS.summary);
  const accepted = judge(dropOutOfScope(proposed, context), context);
  abandonBlockedTasks(accepted, context);
  for (const event of accepted) {
    state.recordEvent(event);
    if (asksForRestart(event)) {
      attempt(log, TARGET, 'write restart-requested signal', () => {
        writeTextFile(files.restartRequested, 'human_text');
        const about = `source="human_text" path=${files.restartRequested}`;
        log.info(TARGET, `Restart requested from human text ${about}`);
      });
    }
    diagnostics.orchestration(state.iteration, 'jsonl', { type: 'event_published', topic: event.topic });
    bus.publish(event);
  }
  return accepted.length > 0;
}

/** Warns about lines that are not events; every read of the file repeats the warning. */
export function warnOfMalformed(read: ReadResult, log: Log): void {
  for (const { line, error } of read.malformed)
    log.warn('ralph_core::event_reader', `Malformed JSON line error=${error} line_number=${line}`);
}

/** With `enforce_hat_scope`, an active hat may publish only what it declared; that includes the completion topic. */
function dropOutOfScope(events: readonly FileEvent[], context: IntakeContext): readonly FileEvent[] {
  const { config, bus, state, log } = context;
  const active = config.hats.filter(({ id }) => state.lastActiveHats.includes(id));
  if (!config.eventLoop.enforceHatScope || active.length === 0) return events;
  if (faulty('ignore-hat-scope')) return events;
  return events.filter((event) => {
    if (active.some((hat) => hat.publishes.some((pattern) => matchTopic(pattern, event.topic)))) return true;
    log.warn(
      TARGET,
      `Scope violation: active hat(s) cannot publish this topic — dropping event active_hats=${quoteList(state.lastActiveHats)} topic=${event.topic}`,
    );
    bus.publish({
      topic: `${state.lastActiveHats[0] ?? 'unknown'}.scope_violation`,
      payload: `Attempted to publish '${event.topic}': ${event.payload}`,
    });
    return false;
  });
}

function judge(events: readonly FileEvent[], context: IntakeContext): readonly BusEvent[] {
  const { config, state, diagnostics, log } = context;
  const { completionPromise, cancellationPromise } = config.eventLoop;
  return events.flatMap((event, index): readonly BusEvent[] => {
    const { topic, payload } = event;
    if (cancellationPromise !== '' && topic === cancellationPromise) {
      log.info(TARGET, 'loop.cancel event detected — scheduling graceful termination');
      state.cancellationRequested = true;
      return [];
    }
    if (topic === RALPH_TOPICS.guidance) state.unacknowledgedGuidance.push(payload);
    if (topic === RALPH_TOPICS.guidanceRead) state.unacknowledgedGuidance = [];
    if (topic === completionPromise) {
      if (index + 1 < events.length) {
        log.warn(
          TARGET,
          `Completion event ignored because it was not the last event topic=${topic} index=${index}`,
        );
        return [];
      }
      state.completionRequested = true;
      diagnostics.orchestration(state.iteration, 'jsonl', { type: 'event_published', topic });
      log.info(TARGET, `Completion event detected in JSONL topic=${topic}`);
      return [];
    }
    const verdict = applyGate(event, config.eventLoop.mutationScoreWarnThreshold);
    if (verdict.warning !== undefined) log.warn(TARGET, verdict.warning);
    if (verdict.rejection !== undefined) {
      log.warn(TARGET, verdict.rejection);
      diagnostics.orchestration(state.iteration, 'jsonl', {
        type: 'backpressure_triggered',
        reason: verdict.rejection,
      });
    }
    return [{ topic: verdict.topic, payload: verdict.payload }];
  });
}

/** The third `build.blocked` with the same first line abandons its task. */
function abandonBlockedTasks(
  events: readonly BusEvent[],
  { bus, state, log, diagnostics }: IntakeContext,
): void {
  for (const { payload } of events.filter(({ topic }) => topic === 'build.blocked')) {
    const task = payload.split('\n')[0]?.trim() ?? '';
    const count = (state.blockCounts.get(task) ?? 0) + 1;
    state.blockCounts.set(task, count);
    if (count !== ABANDON_AFTER || faulty('forget-abandoned-tasks')) continue;
    log.warn(TARGET, `Task abandoned after 3 consecutive blocks task_id=${task}`);
    diagnostics.orchestration(state.iteration, 'jsonl', {
      type: 'task_abandoned',
      reason: `3 consecutive build.blocked events for task '${task}'`,
    });
    bus.publish({
      topic: 'build.task.abandoned',
      payload: `Task '${task}' abandoned after 3 consecutive build.blocked events`,
    });
  }
}

function asksForRestart({ topic, payload }: BusEvent): boolean {
  return /^(human\.response|user\.prompt)$/.test(topic) && /restart (yourself|ralph)/i.test(payload);
}
