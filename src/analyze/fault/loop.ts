import type { CheckResult } from '../../domain/check.js';
import { isAskedIn } from '../../domain/checks/asked.js';
import type { Evidence, Iteration } from '../../domain/evidence/evidence.js';
import { pendingIn, wornIn } from '../../domain/evidence/facts.js';
import { isKickoff, RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import { type HatView, type RunView, triggersHat, viewRun } from '../../domain/evidence/run-view.js';
import { answersOfRalph, declares, eventsOf, isVisible, ranRalph, triedToEmit } from './deeds.js';

/** A loop in which Ralph did its part, laid out for the question what the agent made of it. */
export interface Loop {
  readonly evidence: Evidence;
  readonly arranged: RunView;
  /** The texts of the scenario that reached the agent. */
  readonly sent: readonly string[];
  /** The iteration in which the agent declared completion, if it did. */
  readonly declared: Iteration | null;
}

export function openLoop(evidence: Evidence): Loop | null {
  const arranged = viewRun(evidence);
  if (arranged === null) return null;
  const active = arranged.hats.filter(({ id }) => evidence.iterations.some((one) => wornIn(one) === id));
  const coordinated = evidence.iterations.some((one) => wornIn(one) === 'ralph');
  return {
    evidence,
    arranged,
    sent: [
      evidence.promptText,
      ...[
        ...active.flatMap(textsOf),
        ...(coordinated ? arranged.hats.flatMap(({ triggers }) => triggers) : []),
      ].filter((text) => evidence.iterations.some(({ prompt }) => prompt?.includes(text.trim()) === true)),
      ...evidence.iterations.flatMap(({ number }) => payloadsIn(evidence, number)),
      ...injectedMemories(evidence),
      ...(answersOfRalph(evidence) ?? []),
      ...untouchedFiles(evidence),
    ],
    declared: evidence.iterations.find((one) => declares(evidence, one, arranged.promise)) ?? null,
  };
}

export function textsOf({ instructions, publishes }: HatView): string[] {
  return [instructions, ...publishes];
}

function payloadsIn(evidence: Evidence, iteration: number): string[] {
  return (pendingIn(evidence, iteration) ?? [])
    .filter(({ topic }) => !isKickoff(topic))
    .map(({ payload }) => payload);
}

/** The memories that are in every prompt, and all if the agent was to look them up and ran no command for that. */
function injectedMemories(evidence: Evidence): string[] {
  const { memories, iterations, promptText } = evidence;
  const isPassedOver =
    /\bralph tools memory (?:search|list|show)\b/.test(promptText) && !ranRalph(evidence, 'memory');
  return memories
    .map(({ content }) => content)
    .filter(
      (content) => isPassedOver || iterations.every(({ prompt }) => prompt?.includes(content) === true),
    );
}

/** The files of the scenario that the agent could read. Those of Ralph itself are not texts for the agent. */
export function untouchedFiles({ files }: Evidence): string[] {
  return files
    .filter(({ path, change }) => change === 'unchanged' && !/^(?:\.|ralph\.yml|prompt\.md)/.test(path))
    .flatMap(({ path, preview }) => [path, preview]);
}

/** Whether the agent was asked for what a check wants. */
export function wasAsked({ sent }: Loop, check: CheckResult): boolean {
  return isAskedIn(sent, check);
}

/** Whether only hats that had no turn publish an event: then no agent was asked for it yet. */
export function isOfIdleHat({ arranged, evidence }: Loop, topic: string): boolean {
  const publishers = arranged.hats.filter(({ publishes }) => publishes.includes(topic));
  return (
    publishers.length > 0 &&
    !publishers.some(({ id }) => evidence.iterations.some((one) => wornIn(one) === id))
  );
}

/** The hat whose instructions ask for what a check wants, and which the agent never gave its turn. */
export function findIdleHat(loop: Loop, check: CheckResult): string | null {
  const idle = loop.arranged.hats.find(
    (hat) => isAskedIn([...loop.sent, ...textsOf(hat)], check) && neverTriggered(loop, hat.id),
  );
  return idle?.id ?? null;
}

/** Whether the agent was asked for a text. */
export function wasAskedFor({ sent }: Loop, text: string): boolean {
  return isAskedIn(sent, { kind: 'scratchpadContains', name: '', about: { text } });
}

/** The event that a check looks for in a prompt, such as `Event: build.done - 12` or `/^Event: build\\.done - .*12$/m`. */
export function soughtEvent({ about = {} }: CheckResult): { topic: string; text?: string } | null {
  const { text = '', pattern = '' } = about;
  const [, literal, payload] = /^Event: ([\w.-]+)(?: - ([\s\S]+))?/.exec(text) ?? [];
  if (literal !== undefined) return { topic: literal, ...(payload === undefined ? {} : { text: payload }) };
  const [, topic] = /^\/\^Event: ((?:\w|\\\.|-)+) - /.exec(pattern) ?? [];
  return topic === undefined ? null : { topic: topic.replaceAll('\\', '') };
}

/** Whether everything that the agent did in all iterations is known. */
export function isAllVisible({ evidence }: Loop): boolean {
  return evidence.iterations.every(isVisible);
}

/**
 * Whether everything that the agent said is known, in one iteration or in all. Of a CLI that prints plain text it is if its
 * answer arrived up to the promise on its last line, and nothing that it says can be Ralph's answer to a command.
 */
export function isHeard({ evidence, arranged, sent }: Loop, iteration?: number): boolean {
  return evidence.iterations
    .filter(({ number }) => iteration === undefined || number === iteration)
    .every(
      (one) =>
        isVisible(one) || (isPlainText(one) && declares(evidence, one, arranged.promise) && !asksRalph(sent)),
    );
}

/**
 * Whether only the agent can have written the files of the workspace, although its CLI prints plain text: it used its tools, no
 * hook and no other loop ran, and no answer of Ralph went into them.
 */
export function isOnlyWriter({ evidence, sent }: Loop): boolean {
  const { iterations, events, files, configYaml, errands } = evidence;
  const hasHands =
    events.some(({ source }) => source === 'agent') ||
    files.some(({ path, change }) => (change === 'added' || change === 'modified') && !path.startsWith('.'));
  const hadCompany = /^hooks:/m.test(configYaml) || errands.some(({ command }) => command.includes('run'));
  return iterations.every(isPlainText) && hasHands && !hadCompany && !asksRalph(sent);
}

function isPlainText({ form, saidCut, durationSeconds }: Iteration): boolean {
  return form === 'text' && saidCut === undefined && durationSeconds !== null;
}

/** Whether the agent was to use an answer of Ralph. */
function asksRalph(sent: readonly string[]): boolean {
  return sent.some((text) => /\bralph (?:tools|wave|loops)\b/.test(text));
}

/**
 * Whether the agent shows that its prompt arrived: it declared completion, used something that only the scenario could
 * tell it, or did another thing that it was asked for.
 */
export function isEngaged(loop: Loop, checks: readonly CheckResult[]): boolean {
  const { evidence, arranged, sent } = loop;
  if (checks.some((check) => check.passed && wasAsked(loop, check))) return true;
  const marks = new Set(
    sent.flatMap(
      (text) => text.match(/(?<![\w-])[\w-]+\.[a-z]+\b|\b(?=\w*\d)(?=\w*[a-z])\w{6,}|\b\d{3,}\b/gi) ?? [],
    ),
  );
  return evidence.iterations.some(({ said, toolCalls }) => {
    const done = [said, ...toolCalls.map(({ input }) => input)].join('\n');
    return done.includes(arranged.promise) || [...marks].some((mark) => done.includes(mark));
  });
}

/**
 * Whether a hat was never triggered although the agent was told of an event that triggers it. If another hat had its turn, the
 * agent chose an event: whether it was the wrong one, only a check on that event can tell.
 */
export function neverTriggered(loop: Loop, id: string): boolean {
  const { evidence, arranged } = loop;
  const hat = arranged.hats.find((one) => one.id === id);
  if (hat === undefined || arranged.ownTopics.some((topic) => triggersHat(hat, topic))) return false;
  const others = evidence.iterations.map(wornIn).filter((worn) => worn !== 'ralph');
  return (
    others.length === 0 &&
    hat.triggers.some((topic) => wasAskedFor(loop, topic)) &&
    !evidence.events.some(({ topic, source }) => source === 'agent' && triggersHat(hat, topic))
  );
}

/**
 * The event for the next hat that an iteration was asked for, by its hat and by Ralph's guide, and did not try to publish. Null
 * if there is none, or if Ralph gave that iteration any other event than those of the iteration before: they may have led it
 * elsewhere.
 */
export function findUnpublished(loop: Loop, iteration: Iteration, next: string): string | null {
  const { evidence, arranged } = loop;
  const { number, prompt } = iteration;
  const worn = arranged.hats.find(({ id }) => id === wornIn(iteration));
  const wanted = arranged.hats.find(({ id }) => id === next);
  if (worn === undefined || wanted === undefined || !isAllVisible(loop)) return null;
  const given =
    iteration === evidence.iterations[0]
      ? [RALPH_TOPICS.start, arranged.startingEvent]
      : eventsOf(evidence, number - 1).map(({ topic }) => topic);
  const events = eventsOf(evidence, number);
  if (!(pendingIn(evidence, number) ?? []).every(({ topic }) => given.includes(topic))) return null;
  if ([...arranged.ownTopics, ...events.map(({ topic }) => topic)].some((one) => triggersHat(wanted, one)))
    return null;
  const guide = prompt?.replace(worn.instructions.trim(), '');
  const asked = worn.publishes.find(
    (topic) =>
      triggersHat(wanted, topic) && worn.instructions.includes(topic) && guide?.includes(topic) === true,
  );
  const own = { ...evidence, iterations: [iteration], events };
  return asked === undefined || triedToEmit(own, asked) ? null : asked;
}
