import type { CheckResult } from '../../../../domain/check.js';
import { countNoun, list, quote } from '../../../../domain/checks/text.js';
import { awaitedEvent, handedOn, hasWording, topicsOf } from '../../../../domain/diagnosis/check-facts.js';
import { confirmedEmits } from '../../../../domain/diagnosis/clues.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { pendingIn, wornIn } from '../../../../domain/evidence/facts.js';
import { matchesTopic } from '../../../../domain/evidence/topics.js';
import { readRouting } from '../trace/expected-hats.js';
import { subtract } from './differences.js';
import { type CheckObservation, type Observe, showWanted, toShortLine } from './words.js';

const promptWith: Observe = (check, evidence) => {
  const { about = {} } = check;
  const { iterations } = evidence;
  const prompts = promptsIn(about.iteration, iterations);
  const where = about.iteration === undefined ? 'No prompt' : `The prompt of iteration ${about.iteration}`;
  if (prompts.length === 0) return null;
  const event = awaitedEvent(check);
  if (event !== null) return describeAwaited(event, prompts, evidence);
  const verb = about.iteration === undefined ? 'has' : 'lacks';
  return { text: `${where} ${verb} ${showWanted(check)}.`, direction: 'missing' };
};

/** Says whether the event came with another payload, or not at all. */
function describeAwaited(
  { topic, payload }: { readonly topic: string; readonly payload: string },
  prompts: Evidence['iterations'],
  evidence: Evidence,
): CheckObservation {
  const wanted = payload === '' ? 'no payload' : `the payload ${quote(payload, 80)}`;
  for (const { number } of prompts) {
    const found = pendingIn(evidence, number)?.find((event) => event.topic === topic);
    if (found !== undefined)
      return {
        text: `${topic} is in the prompt of iteration ${number} with another payload: ${quote(found.payload, 80)}; expected ${wanted}.`,
        direction: 'other',
      };
  }
  const where =
    prompts.length === 1 ? `The prompt of iteration ${prompts[0]?.number} lacks` : 'No prompt has';
  return {
    text: `${where} the event ${topic} with ${wanted}.${describeRecords([topic], evidence)}`,
    direction: 'missing',
  };
}

const promptWithout: Observe = (check, { iterations }) => {
  const [found] = promptsIn(check.about?.iteration, iterations).filter(({ prompt }) =>
    hasWording(prompt ?? '', check),
  );
  if (found === undefined) return null;
  return {
    text: `The prompt of iteration ${found.number} has ${showWanted(check)}, and must not.`,
    direction: 'excess',
  };
};

function promptsIn(iteration: number | undefined, iterations: Evidence['iterations']) {
  return iterations.filter(
    ({ number, prompt }) => prompt !== null && (iteration === undefined || number === iteration),
  );
}

const toldTimes: Observe = (check, { iterations }) => {
  const limit = check.about?.limit ?? 0;
  const found = iterations.filter(({ prompt }) => prompt !== null && hasWording(prompt, check));
  const where = found.length === 0 ? '' : ` (iterations ${found.map(({ number }) => number).join(', ')})`;
  return {
    text: `${showWanted(check)} is in ${countNoun(found.length, 'prompt')}${where}; expected ${limit}.`,
    direction: found.length > limit ? 'excess' : 'missing',
  };
};

const toldOnlyTo: Observe = (check, { iterations }) => {
  const { hat } = check.about ?? {};
  const isOwn = (iteration: Evidence['iterations'][number]) => wornIn(iteration) === hat;
  const others = iterations.filter((one) => !isOwn(one) && hasWording(one.prompt ?? '', check));
  const own = iterations.filter((one) => isOwn(one) && !hasWording(one.prompt ?? '', check));
  const [first] = others.length > 0 ? others : own;
  if (first === undefined) return { text: `Hat ${hat} had no turn.`, direction: 'missing' };
  return others.length > 0
    ? {
        text: `The prompt of iteration ${first.number} (hat ${wornIn(first)}) has ${showWanted(check)}, which is for hat ${hat} only.`,
        direction: 'excess',
      }
    : {
        text: `The prompt of iteration ${first.number} (hat ${hat}) lacks ${showWanted(check)}.`,
        direction: 'missing',
      };
};

const pendingEvents: Observe = (check, evidence) => {
  const wanted = check.about?.topics ?? [];
  const prompts = evidence.iterations.flatMap(({ number }) => {
    const pending = pendingIn(evidence, number);
    const isAsked = check.about?.iteration === undefined || number === check.about.iteration;
    return pending === null || !isAsked ? [] : [{ number, topics: pending.map(({ topic }) => topic) }];
  });
  const overlap = (topics: readonly string[]) => wanted.length - subtract(wanted, topics).length;
  const [nearest] = prompts.toSorted((a, b) => overlap(b.topics) - overlap(a.topics));
  if (nearest === undefined) return null;
  if (prompts.length > 1 && overlap(nearest.topics) === 0) {
    const shown = prompts.map(({ topics }) => list(topics, 'nothing')).join(' | ');
    return { text: `No prompt has ${list(wanted)} pending: ${toShortLine(shown)}.`, direction: 'missing' };
  }
  const found = nearest.topics;
  const where = ` in iteration ${nearest.number}`;
  const more = subtract(found, wanted);
  const again = more.filter((topic) => wanted.includes(topic) && isRepeated(topic, nearest.number, evidence));
  const extra = subtract(more, again);
  const lacking = subtract(wanted, found);
  const parts = [
    ...(lacking.length === 0
      ? []
      : [`${list(lacking.slice(0, 6).map((topic) => addressed(topic, evidence)))} missing`]),
    ...(again.length === 0 ? [] : [`${list([...new Set(again)].slice(0, 6))} more than once`]),
    ...(extra.length === 0 ? [] : [`${list(extra.slice(0, 6))} too many`]),
    ...(lacking.length + more.length > 0 ? [] : ['another order or another payload']),
  ];
  return {
    text: `Pending events${where} differ: ${parts.join(', ')}.${describeRepeated(again)}${describeRecords(lacking, evidence)}`,
    direction:
      lacking.length > 0 ? 'missing' : extra.length > 0 ? 'excess' : again.length > 0 ? 'again' : 'other',
  };
};

/** A topic with the hat that it is for, if hats are known and ask for it. */
function addressed(topic: string, evidence: Evidence): string {
  const { triggers } = readRouting(evidence) ?? { triggers: new Map<string, readonly string[]>() };
  if (triggers.size === 0) return topic;
  const hats = [...triggers].flatMap(([hat, patterns]) =>
    patterns.some((pattern) => matchesTopic(pattern, topic)) ? [hat] : [],
  );
  return `${topic} (${hats.length === 0 ? 'for no hat' : `for ${list(hats)}`})`;
}

/** Whether a prompt has an event more often than the events file: the same event came again, and not another one. */
function isRepeated(topic: string, number: number, evidence: Evidence): boolean {
  const pending = (pendingIn(evidence, number) ?? []).filter((event) => event.topic === topic);
  const recorded = evidence.events.filter((event) => event.topic === topic);
  return (
    new Set(pending.map(({ payload }) => payload)).size < pending.length && recorded.length < pending.length
  );
}

function describeRepeated(again: readonly string[]): string {
  return again.length === 0 ? '' : ' It is the same event each time, and the events file has it less often.';
}

/** Says what became of events that a prompt lacks, if an agent published them. */
function describeRecords(lacking: readonly string[], evidence: Evidence): string {
  const [recorded] = lacking.filter((topic) => evidence.events.some((event) => event.topic === topic));
  const [lost] = lacking.filter((topic) => isLost(topic, evidence));
  if (lost !== undefined) return ` Ralph confirmed ${lost}, but the events file does not have it.`;
  return recorded === undefined ? '' : ` The events file has ${recorded}.`;
}

/** The events of a check on prompts that Ralph confirmed and did not record. */
export function lostEmits(check: CheckResult, evidence: Evidence): string[] {
  if (check.category !== 'PromptContent') return [];
  const topics = [...topicsOf(check), awaitedEvent(check)?.topic ?? ''];
  return topics.filter((topic) => isLost(topic, evidence));
}

function isLost(topic: string, evidence: Evidence): boolean {
  return (
    confirmedEmits(evidence).some((emit) => emit.topic === topic) &&
    !evidence.events.some((event) => event.topic === topic)
  );
}

const pendingAfter: Observe = (check, evidence) => {
  const [marker, wanted] = check.about?.topics ?? [];
  const [next] = handedOn(check, evidence);
  if (next === undefined || next === wanted || next === marker) return null;
  return { text: `After ${marker} Ralph hands on ${next}; expected ${wanted}.`, direction: 'other' };
};

/** Checks on what stands in the prompts. */
export const PROMPT_OBSERVERS: Readonly<Record<string, Observe>> = {
  promptContained: promptWith,
  memoryInjected: promptWith,
  promptLacked: promptWithout,
  keptOutOfPrompt: promptWithout,
  toldToNobody: promptWithout,
  toldTimes,
  toldOnlyTo,
  pendingEvents,
  pendingAfter,
};
