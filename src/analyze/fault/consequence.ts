import type { About, CheckResult } from '../../domain/check.js';
import { isAskedIn } from '../../domain/checks/asked.js';
import { hasWording } from '../../domain/diagnosis/check-facts.js';
import { pendingIn, wornIn } from '../../domain/evidence/facts.js';
import { triggersHat } from '../../domain/evidence/run-view.js';
import { eventsOf, mayHaveWritten, ranRalph, touched, triedToEmit } from './deeds.js';
import { type Loop, soughtEvent, textsOf } from './loop.js';

/**
 * Whether the failure of a check can follow from how the agent altered the course in an iteration: by an event, by the end of
 * the loop, or by a hat that it never gave its turn. A wrong file or answer alters nothing that Ralph does. What is judged must
 * come after it: the prompt of that very iteration was sent before.
 */
export function mayFollow(
  check: CheckResult,
  from: number,
  loop: Loop,
  red: readonly CheckResult[],
): boolean {
  const { judges, category, about = {}, kind } = check;
  const { iteration } = about;
  if (judges === undefined || !Number.isFinite(from)) return false;
  if (iteration !== undefined && (category === 'PromptContent' ? iteration <= from : iteration < from))
    return false;
  return judges === 'agent' ? isUndone(check, loop) : (COURSE[kind]?.({ check, about, loop, red }) ?? false);
}

/** Whether something asks the agent for what a check wants, in a text or in a hat's, and nothing shows that it tried. */
function isUndone(check: CheckResult, { evidence, sent, arranged }: Loop): boolean {
  const { kind, about = {} } = check;
  if (!isAskedIn([...sent, ...arranged.hats.flatMap(textsOf)], check)) return false;
  const { topic = '', topics = [], path = '', text = '' } = about;
  switch (kind) {
    case 'eventEmitted':
      return !triedToEmit(evidence, topic);
    case 'eventsInOrder':
      return topics.some((one) => !triedToEmit(evidence, one));
    case 'fileEquals':
    case 'fileContains':
      return !mayHaveWritten(evidence, path);
    case 'scratchpadContains':
      return !touched(evidence, text);
    case 'taskIs':
      return !ranRalph(evidence, 'task');
    default:
      return true;
  }
}

interface Judged {
  readonly check: CheckResult;
  readonly about: About;
  readonly loop: Loop;
  readonly red: readonly CheckResult[];
}

type Follows = (judged: Judged) => boolean;

/**
 * When the failure of each kind of check can follow from an altered course. All others cannot, or show the deviation themselves.
 * That an end fits what the agent declared, and a hat its events, is a part of Ralph's: see `findBrokenPart`.
 */
const COURSE: Readonly<Record<string, Follows>> = {
  completed: () => true,
  terminatedBecause: () => true,
  iterationCount: () => true,
  iterationsAtMost: () => true,
  iterationsAtLeast: () => true,
  endedAtOnce: ({ about }) => about.text === undefined,
  endReported: reportsOtherEnd,
  hatActive: isIdle,
  hatSequence: partsByEvents,
  hatNeverActive: ({ about, loop }) => ledTo(loop, about.hat),
  toldOnlyTo: (judged) =>
    (isIdle(judged) || isUnwritten(judged)) && !judged.loop.evidence.iterations.some(isToldBy(judged)),
  toldToNobody: isToldByHat,
  toldTimes: ({ about, loop }) => loop.evidence.iterations.length < (about.limit ?? 0),
  toldFrom: isUnreached,
  memoryInjected: isUnreached,
  pendingEvents: isUnreached,
  pendingAfter: ({ about, loop: { evidence } }) =>
    evidence.iterations.every(({ number }) =>
      (pendingIn(evidence, number) ?? []).every(({ topic }) => topic !== about.topics?.[0]),
    ),
  promptContained: (judged) =>
    isUnreached(judged) ||
    isUnpublished(judged) ||
    isUnwritten(judged) ||
    isEventOfEnd(judged) ||
    isAmongMissing(judged),
};

/** Whether the iteration never took place. */
function isUnreached({ about: { iteration }, loop }: Judged): boolean {
  return iteration !== undefined && !loop.evidence.iterations.some(({ number }) => number === iteration);
}

function isIdle({ about: { hat }, loop }: Judged): boolean {
  return !loop.evidence.iterations.some((one) => wornIn(one) === hat);
}

/** Whether the agent published an event that triggers a hat. */
function ledTo({ evidence, arranged }: Loop, id: string | undefined): boolean {
  const hat = arranged.hats.find((one) => one.id === id);
  return (
    hat !== undefined &&
    evidence.events.some(({ topic, source }) => source === 'agent' && triggersHat(hat, topic))
  );
}

/** Whether no event asked for the hat that is missing first, or the agent asked for the one that came instead. */
function partsByEvents({ about: { hats = [] }, loop }: Judged): boolean {
  const { evidence, arranged } = loop;
  const at = evidence.iterations.findIndex((one, index) => wornIn(one) !== hats[index]);
  const [parted, wanted] = [evidence.iterations[at], hats[at]];
  if (parted === undefined || wanted === undefined) return true;
  if (wanted === 'ralph') return ledTo(loop, wornIn(parted));
  const hat = arranged.hats.find(({ id }) => id === wanted);
  const pending = pendingIn(evidence, parted.number) ?? [];
  return hat !== undefined && !pending.some(({ topic }) => triggersHat(hat, topic));
}

function isToldBy({ check }: Judged): (one: { readonly prompt: string | null }) => boolean {
  return ({ prompt }) => hasWording(prompt ?? '', check);
}

/** Whether only hats say it in their instructions, and the agent's events led to them. */
function isToldByHat(judged: Judged): boolean {
  const { check, loop } = judged;
  return loop.evidence.iterations.filter(isToldBy(judged)).every((one) => {
    const hat = loop.arranged.hats.find(({ id }) => id === wornIn(one));
    return hat !== undefined && hasWording(hat.instructions, check) && ledTo(loop, hat.id);
  });
}

/** Whether it is an event of a hat that no agent had published by then. */
function isUnpublished({ check, about, loop: { evidence, arranged } }: Judged): boolean {
  const topic = soughtEvent(check)?.topic ?? '';
  return (
    arranged.hats.some(({ publishes }) => publishes.includes(topic)) &&
    !arranged.ownTopics.includes(topic) &&
    evidence.iterations
      .filter(({ number }) => number < (about.iteration ?? Number.POSITIVE_INFINITY))
      .every(({ number }) => eventsOf(evidence, number).every((event) => event.topic !== topic))
  );
}

/** Whether it has a number or a code that the agent was to make of what it was told, and never brought up. */
function isUnwritten({ about: { text = '' }, loop: { evidence, sent, arranged } }: Judged): boolean {
  const told = [...sent, ...arranged.hats.flatMap(textsOf)];
  const known = [...told, evidence.configYaml, ...evidence.iterations.map(({ said }) => said)];
  const codes = (text.match(/\w+/g) ?? []).filter((word) => /\d/.test(word));
  return (
    codes.length > 0 &&
    isAskedIn(told, { kind: 'scratchpadContains', name: '', about: { text } }) &&
    codes.every((code) => !touched(evidence, code) && !known.some((one) => one.includes(code)))
  );
}

/** Whether it is an event that the agent published in its last iteration, so that no prompt came after it. */
function isEventOfEnd({ check, about, loop: { evidence } }: Judged): boolean {
  const topic = soughtEvent(check)?.topic;
  const emitted = evidence.iterations.filter(({ number }) =>
    eventsOf(evidence, number).some((event) => event.topic === topic),
  );
  return about.iteration === undefined && emitted.length > 0 && emitted[0] === evidence.iterations.at(-1);
}

/** Whether a prompt names one more event that the agent still owes, such as `["one", "two"]` instead of `["two"]`. */
function isAmongMissing({ check, loop: { evidence, arranged } }: Judged): boolean {
  const owed = arranged.requiredEvents.filter((topic) => !triedToEmit(evidence, topic));
  const without = (text: string, topic: string) =>
    [`"${topic}", `, `, "${topic}"`].reduce((rest, one) => rest.replaceAll(one, ''), text);
  return evidence.iterations.some(({ prompt }) =>
    owed.some((topic) => hasWording(without(prompt ?? '', topic), check)),
  );
}

/** How Ralph 2.10.1 reports an end: in the box that it prints, and in its record. */
const REPORTS: Readonly<Record<string, readonly [label: string, status: string]>> = {
  completed: ['Completion promise detected', 'All tasks completed successfully.'],
  max_iterations: ['Maximum iterations reached', 'Stopped at iteration limit.'],
};

/** Whether the end is another one than the check wants, and Ralph reports that one as it must. */
function reportsOtherEnd({ red, loop: { evidence } }: Judged): boolean {
  const { stdout, termination } = evidence;
  const [label, status] = REPORTS[termination?.reason ?? ''] ?? [];
  const [, count] = [...stdout.text.matchAll(/Iterations: +(\d+)/g)].at(-1) ?? [];
  return (
    red.some(({ kind }) => kind === 'completed' || kind === 'terminatedBecause') &&
    status === termination?.status &&
    Number(count) === termination?.iterations &&
    stdout.text.includes(`Loop terminated: ${label}\n`)
  );
}
