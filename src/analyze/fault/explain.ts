import type { CheckResult } from '../../domain/check.js';
import { contentOf } from '../../domain/checks/file-content.js';
import { says } from '../../domain/checks/speech.js';
import { hasWording, topicsOf } from '../../domain/diagnosis/check-facts.js';
import { countFinished, hatsWorn } from '../../domain/evidence/facts.js';
import {
  changed,
  emittedExactly,
  leftAlone,
  mayHaveWritten,
  misdeclares,
  ranRalph,
  reliedOnRalph,
  touched,
  triedToEmit,
  wroteItself,
} from './deeds.js';
import {
  findIdleHat,
  findUnpublished,
  isAllVisible,
  isHeard,
  isOfIdleHat,
  isOnlyWriter,
  type Loop,
  neverTriggered,
  soughtEvent,
  wasAsked,
  wasAskedFor,
} from './loop.js';
import { explainInjected, explainKeptMemory, explainListed, explainMemory } from './memories.js';

/** How an agent parted from what it was told. */
export interface Deviation {
  /** The iteration or turn in which it did so; the first one if nothing shows when. */
  readonly at: number;
  readonly because: string;
  /** Whether it may alter what Ralph does next: an event, the end of the loop, or a hat without a turn. */
  readonly altersCourse: boolean;
}

/** Shows, by one failed check, where the agent parted from what it was told; null if the check does not show it. */
export function findDeviation(check: CheckResult, loop: Loop): Deviation | null {
  const found = DEVIATIONS[check.kind]?.(check, loop) ?? null;
  if (typeof found !== 'string') return found;
  return {
    at: check.about?.iteration ?? firstOf(loop),
    because: found,
    altersCourse: !WORK.has(check.kind),
  };
}

function firstOf({ evidence }: Loop): number {
  return evidence.iterations[0]?.number ?? 1;
}

/** Checks on what the agent made. Ralph does the same whatever it is. */
const WORK: ReadonlySet<string> = new Set([
  ...['agentSaid', 'toolUsed', 'taskIs', 'scratchpadContains'],
  ...['fileEquals', 'fileContains', 'fileUntouched', 'fileLacks'],
  ...['memoryStored', 'memoryInjected', 'memoriesListed', 'memoryAbsent'],
]);

type Find = (check: CheckResult, loop: Loop) => Deviation | string | null;

/**
 * How a deviation shows in each kind of check. Checks of other kinds can only fail as a consequence of one, or judge what Ralph
 * owes whatever the agent does.
 */
export const DEVIATIONS: Readonly<Record<string, Find>> = {
  agentSaid: explainSilence,
  eventEmitted: explainEvent,
  eventsInOrder: explainEvents,
  completed: explainNoCompletion,
  terminatedBecause: explainEarlyEnd,
  iterationCount: explainCount,
  iterationsAtMost: explainCount,
  iterationsAtLeast: explainCount,
  endedAtOnce: explainLateEnd,
  fileEquals: explainFile,
  fileContains: explainFile,
  fileUntouched: explainTouch,
  fileLacks: explainTouch,
  scratchpadContains: explainNote,
  memoryStored: explainMemory,
  memoryInjected: explainInjected,
  memoriesListed: explainListed,
  memoryAbsent: explainKeptMemory,
  taskIs: explainTask,
  toolUsed: explainTool,
  promptContained: explainPrompt,
  pendingEvents: explainEvents,
  pendingAfter: explainEvents,
  hatActive: explainHat,
  hatSequence: explainHats,
  toldOnlyTo: explainUntold,
  hatRanOn: explainHat,
  hatCalledWith: explainHat,
};

function explainSilence(check: CheckResult, loop: Loop): Deviation | string | null {
  const { iteration } = check.about ?? {};
  if (!isHeard(loop, iteration) || reliedOnRalph(loop.evidence)) return null;
  if (!wasAsked(loop, check)) return explainIdleHat(check, loop);
  if (mayHaveLostWords(loop, iteration)) return null;
  if (iteration === undefined) return `No iteration said ${wording(check)}; the prompt asked for it.`;
  return hasIteration(loop, iteration)
    ? `Iteration ${iteration} never said ${wording(check)}; its prompt asked for it.`
    : explainUnreached(loop, iteration);
}

/** Only the last words of an answer are repeated in the CLI's summary: words before a tool may be lost unseen. */
function mayHaveLostWords({ evidence }: Loop, iteration: number | undefined): boolean {
  return evidence.iterations.some(
    ({ number, toolCalls }) => (iteration === undefined || number === iteration) && toolCalls.length > 0,
  );
}

function explainEvent(check: CheckResult, loop: Loop): Deviation | string | null {
  const { topic = '', text } = check.about ?? {};
  const { evidence } = loop;
  if (!isAllVisible(loop)) return null;
  if (!wasAsked(loop, check) || isOfIdleHat(loop, topic)) return explainIdleHat(check, loop);
  const byTag = loop.sent.some((text) => text.includes(`<event topic="${topic}"`));
  if (byTag && mayHaveLostWords(loop, undefined)) return null;
  if (!triedToEmit(evidence, topic)) return `No iteration emitted ${topic}; the prompt asked for it.`;
  const recorded = evidence.events.filter((event) => event.source === 'agent' && event.topic === topic);
  const isOwn = recorded.every(({ payload }) => emittedExactly(evidence, topic, payload ?? ''));
  if (recorded.length === 0 || !isOwn || reliedOnRalph(evidence)) return null;
  if (text !== undefined && ranRalph(evidence, 'emit', text)) return null;
  return `The agent emitted ${topic} without ${wording(check)} in its payload; the prompt asked for it.`;
}

function explainEvents(check: CheckResult, loop: Loop): Deviation | string | null {
  if (!isAllVisible(loop)) return null;
  const missing = topicsOf(check).find(
    (topic) => !triedToEmit(loop.evidence, topic) && wasAskedFor(loop, topic) && !isOfIdleHat(loop, topic),
  );
  return missing === undefined ? null : `No iteration emitted ${missing}; the prompt asked for it.`;
}

function explainNoCompletion(_: CheckResult, loop: Loop): Deviation | string | null {
  const { evidence, arranged, declared } = loop;
  const { promise } = arranged;
  if (!isAllVisible(loop) || declared !== null || evidence.termination?.reason !== 'max_iterations')
    return null;
  if (!evidence.iterations.some(({ prompt }) => prompt?.includes(promise) === true)) return null;
  const decorated = evidence.iterations.find((iteration) => misdeclares(evidence, iteration, promise));
  return decorated === undefined
    ? `No iteration declared completion with ${promise} on its last line, as the prompt asks.`
    : `Iteration ${decorated.number} said ${promise}, but not alone on its last line, as the prompt asks.`;
}

/** If nobody gave the sign, the agent kept it back. If somebody did, Ralph went on all the same. */
function explainLateEnd(check: CheckResult, loop: Loop): Deviation | string | null {
  const { text } = check.about ?? {};
  if (text === undefined) return explainNoCompletion(check, loop);
  return loop.evidence.iterations.some(({ said }) => says(said, text)) ? null : explainSilence(check, loop);
}

/** The agent may declare completion before Ralph's limit of iterations. */
function explainEarlyEnd({ about }: CheckResult, loop: Loop): Deviation | string | null {
  return about?.reason === 'max_iterations' ? explainDeclared(loop) : null;
}

/** The agent ended the loop before its work was done. */
function explainDeclared({ declared, evidence }: Loop): Deviation | null {
  return declared !== null && evidence.termination?.reason === 'completed'
    ? {
        at: declared.number,
        because: `The agent declared completion in iteration ${declared.number}.`,
        altersCourse: true,
      }
    : null;
}

function explainCount(check: CheckResult, loop: Loop): Deviation | string | null {
  const limit = check.about?.limit ?? 0;
  const { evidence, arranged } = loop;
  if (countFinished(evidence) < limit) return explainDeclared(loop);
  const decorated = evidence.iterations.find((one) => misdeclares(evidence, one, arranged.promise));
  if (decorated === undefined || decorated.number > limit || !isAllVisible(loop)) return null;
  return `Iteration ${decorated.number} said ${arranged.promise}, but not alone on its last line.`;
}

function explainFile(check: CheckResult, loop: Loop): Deviation | string | null {
  const path = check.about?.path ?? '';
  const { evidence } = loop;
  const isOnly = isOnlyWriter(loop);
  if (!(isOnly || isAllVisible(loop)) || reliedOnRalph(evidence)) return null;
  if (!wasAsked(loop, check)) return mayHaveWritten(evidence, path) ? null : explainIdleHat(check, loop);
  const content = contentOf(evidence, path);
  switch (content.kind) {
    case 'unknown':
      return null;
    case 'absent':
      return mayHaveWritten(evidence, path) ? null : `No iteration wrote ${path}; the prompt asked for it.`;
    case 'whole':
      if (isOnly || wroteItself(evidence, path, content.text))
        return `The agent wrote something else into ${path} than the prompt asked for.`;
      return leftAlone(evidence, path) ? `No iteration changed ${path}; the prompt asked for it.` : null;
    default:
      return content satisfies never;
  }
}

function explainTouch(check: CheckResult, loop: Loop): Deviation | string | null {
  const path = check.about?.path ?? '';
  return changed(loop.evidence, path) && wasAskedFor(loop, path) ? `The agent changed ${path}.` : null;
}

function explainNote(check: CheckResult, loop: Loop): Deviation | string | null {
  const { text } = check.about ?? {};
  if (!isAllVisible(loop) || !wasAsked(loop, check) || text === undefined) return null;
  return touched(loop.evidence, text)
    ? null
    : `No iteration noted ${JSON.stringify(text)} in the scratchpad.`;
}

function explainTask(check: CheckResult, loop: Loop): Deviation | string | null {
  if (!isAllVisible(loop) || !wasAsked(loop, check)) return null;
  return ranRalph(loop.evidence, 'task')
    ? null
    : `No iteration ran a command for tasks; the prompt asked for it.`;
}

function explainTool(check: CheckResult, loop: Loop): Deviation | string | null {
  const { tool = '', iteration } = check.about ?? {};
  const calls = loop.evidence.iterations.flatMap(({ toolCalls }) => toolCalls);
  if (!isAllVisible(loop) || !wasAsked(loop, check)) return null;
  if (iteration !== undefined && !hasIteration(loop, iteration)) return null;
  return calls.some(({ name }) => name === tool) ? null : `The agent had ${tool} and did not use it.`;
}

/** An event that no agent emitted cannot be in a prompt. */
function explainPrompt(check: CheckResult, loop: Loop): Deviation | string | null {
  const about = soughtEvent(check);
  return about === null ? null : explainEvent({ ...check, kind: 'eventEmitted', about }, loop);
}

function explainHat({ about }: CheckResult, loop: Loop): string | null {
  const { hat = '' } = about ?? {};
  return isAllVisible(loop) && neverTriggered(loop, hat)
    ? `No iteration emitted an event that triggers hat ${hat}; the prompt asked for it.`
    : null;
}

/** No hat without a turn can be told anything, but others must not be told instead. */
function explainUntold(check: CheckResult, loop: Loop): string | null {
  const { iterations } = loop.evidence;
  return iterations.some(({ prompt }) => hasWording(prompt ?? '', check)) ? null : explainHat(check, loop);
}

/** A hat that never had its turn did none of its work. */
function explainIdleHat(check: CheckResult, loop: Loop): Deviation | null {
  const hat = findIdleHat(loop, check);
  const because = hat === null ? null : explainHat({ ...check, about: { hat } }, loop);
  return because === null ? null : { at: firstOf(loop), because, altersCourse: true };
}

function explainHats(check: CheckResult, loop: Loop): Deviation | string | null {
  const wanted = check.about?.hats ?? [];
  const worn = hatsWorn(loop.evidence);
  const at = wanted.findIndex((hat, index) => worn[index] !== hat);
  const hat = wanted[at];
  if (hat === undefined) return explainNoCompletion(check, loop);
  return (
    explainHat({ ...check, about: { hat } }, loop) ??
    explainTurn(loop, at, hat) ??
    (worn.length === at ? explainDeclared(loop) : null)
  );
}

/** What an iteration was asked to publish for the next hat, and did not. */
function explainTurn(loop: Loop, next: number, hat: string): Deviation | null {
  const before = loop.evidence.iterations[next - 1];
  const topic = before === undefined ? null : findUnpublished(loop, before, hat);
  if (before === undefined || topic === null) return null;
  const because = `Iteration ${before.number} did not emit ${topic}; its prompt asked for it.`;
  return { at: before.number, because, altersCourse: true };
}

function explainUnreached(loop: Loop, iteration: number): Deviation | null {
  const early = explainDeclared(loop);
  return early === null
    ? null
    : {
        ...early,
        because: `Iteration ${iteration} never took place: the agent declared completion in iteration ${early.at}.`,
      };
}

function hasIteration({ evidence }: Loop, iteration: number): boolean {
  return evidence.iterations.some(({ number }) => number === iteration);
}

function wording({ about = {} }: CheckResult): string {
  return about.text === undefined ? (about.pattern ?? 'it') : JSON.stringify(about.text);
}
