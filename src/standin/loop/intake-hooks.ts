import type { Hooks } from '../hooks/hooks.js';
import type { Log } from '../log.js';
import type { ReadResult } from '../store/events-file.js';
import { previewActiveHat } from './bus.js';
import { type IntakeContext, takeInEvents, warnOfMalformed } from './intake.js';

/** Reads the events of an iteration, and runs the hooks for plans and questions around it. */
export function takeInWithHooks(
  read: ReadResult,
  context: IntakeContext,
  hooks: Hooks,
  displayHat: string,
): boolean {
  const { iteration } = context.state;
  const moment = { iteration, activeHat: displayHat, selectedHat: displayHat };
  const planned = read.events.some(({ topic }) => topic.startsWith('plan.'));
  const payload = read.events.find(({ topic }) => topic === 'human.interact')?.payload;
  const question = payload === undefined ? undefined : readQuestion(payload);

  // The real Ralph inspects the file twice before it reads it: for plans, and for questions.
  warnOfLook(read, context.log, 'semantic plan.* topics');
  if (planned) hooks.run('pre.plan.created', moment);
  warnOfLook(read, context.log, 'human.interact boundary');
  if (question !== undefined) hooks.run('pre.human.interact', { ...moment, humanInteract: question });
  const hat = previewActiveHat(context.config, context.bus);
  const published = takeInEvents(read, context);
  if (question !== undefined) {
    // Nobody can answer, so the question is passed on.
    const outcome = { hat, iteration, ...question, outcome: 'no_robot_service' };
    hooks.run('post.human.interact', { ...moment, humanInteract: outcome });
  }
  if (planned) hooks.run('post.plan.created', moment);
  return published;
}

function warnOfLook(read: ReadResult, log: Log, what: string): void {
  if (read.problem !== undefined)
    log.warn('ralph::loop_runner', `Failed to inspect unread JSONL events for ${what} error=${read.problem}`);
  warnOfMalformed(read, log);
}

/** A question can be JSON with its own fields; anything else is the question itself. */
function readQuestion(payload: string): Readonly<Record<string, unknown>> {
  let value: unknown = payload;
  try {
    value = JSON.parse(payload);
  } catch {
    // Most questions are plain text.
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { question: payload, ...value }
    : { question: value };
}
