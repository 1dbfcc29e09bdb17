import { RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import { orElse } from '../failure.js';
import { faulty } from '../faults.js';
import type { Files } from '../store/files.js';
import { isTerminal, readExistingTasks } from '../store/tasks.js';
import { quoteList } from '../text.js';
import type { IntakeContext } from './intake.js';

const TARGET = 'ralph_core::event_loop';
const PERSISTENT =
  'Persistent mode: loop staying alive after completion signal. Look for new tasks or wait for guidance.';

/** Decides whether to grant a requested completion; a refusal resumes the loop with its reason. */
export function grantCompletion(context: IntakeContext, files: Files, loopId: string): boolean {
  const { state, bus, diagnostics, log } = context;
  if (!state.completionRequested || faulty('ignore-completion')) return false;
  state.completionRequested = false;
  const refusal = findRefusal(context, files, loopId);
  if (refusal === PERSISTENT) {
    log.info(TARGET, 'Completion event suppressed - persistent mode active, loop staying alive');
    const reason = 'completion_event_suppressed_persistent';
    diagnostics.orchestration(state.iteration, 'loop', { type: 'loop_terminated', reason });
  } else if (refusal !== undefined) {
    log.warn(TARGET, `Rejecting completion: ${refusal}`);
  }
  if (refusal !== undefined) {
    bus.publish({ topic: RALPH_TOPICS.resume, payload: refusal });
    return false;
  }
  log.info(TARGET, 'Completion event detected - terminating');
  diagnostics.orchestration(state.iteration, 'loop', { type: 'loop_terminated', reason: 'completion_event' });
  return true;
}

/** Checks in the real order. Open tasks matter only while memories are on. */
function findRefusal(
  { config, state, log }: IntakeContext,
  files: Files,
  loopId: string,
): string | undefined {
  const { requiredEvents } = config.eventLoop;
  const required =
    requiredEvents.length > 1 && faulty('first-required-event-only')
      ? requiredEvents.slice(0, 1)
      : requiredEvents;
  const missing = required.filter((topic) => !state.seenTopics.has(topic));
  if (missing.length > 0 && !faulty('ignore-required-events')) {
    return `LOOP_COMPLETE rejected: missing required events: ${quoteList(missing)}. Finish every phase of the workflow before you emit LOOP_COMPLETE, or abort with loop.cancel.`;
  }
  if (state.unacknowledgedGuidance.length > 0) {
    return `Completion rejected: ${state.unacknowledgedGuidance.length} ${RALPH_TOPICS.guidance} message(s) remain unacknowledged. Act on them, then emit ${RALPH_TOPICS.guidanceRead} with a summary.`;
  }
  if (config.eventLoop.persistent) {
    return PERSISTENT;
  }
  if (!config.memories.enabled || faulty('ignore-open-tasks')) return undefined;
  const tasks = orElse(() => readExistingTasks(files.tasks, log), []);
  const open = tasks.filter(
    (task) => !isTerminal(task) && (task.loopId === loopId || faulty('count-foreign-tasks')),
  );
  if (open.length === 0) return undefined;
  const list = quoteList(open.map(({ id, title }) => `${id}: ${title}`));
  return `Completion rejected: runtime tasks remain open: ${list}. Close, fail or reopen them first.`;
}
