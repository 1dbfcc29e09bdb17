import type { CheckResult } from '../../../domain/check.js';
import { hasWording } from '../../../domain/diagnosis/check-facts.js';
import { PENDING_KINDS, ROUTING_KINDS } from '../../../domain/diagnosis/clues.js';
import { firstDifference } from '../../../domain/diagnosis/divergence.js';
import type { Evidence, Iteration } from '../../../domain/evidence/evidence.js';
import {
  countFinished,
  endsOfIterations,
  hatsWorn,
  iterationOf,
  placeInTime,
} from '../../../domain/evidence/facts.js';
import { promiseOf, viewRun } from '../../../domain/evidence/run-view.js';

/** The iteration that a failed check leads to, and the one before or after it if the decision fell between the two. */
interface Focus {
  readonly iteration: number;
  readonly between: readonly [number, number] | null;
}

/** Checks on commands that ran before or after the loop: no iteration shows why they fail. */
const OUTSIDE_THE_LOOP: ReadonlySet<string> = new Set([
  'errandAnswered',
  'memoriesListed',
  'earlierSessionEnded',
]);

/** What Ralph decides before an iteration begins: whose turn it is, and what stands in the prompt. */
const DECIDED_BEFORE: ReadonlySet<string> = new Set([...ROUTING_KINDS, ...PENDING_KINDS, 'publishedByRalph']);

/** Finds the iteration in which a failed check shows the problem. Null if the check is about something outside the loop. */
export function findFocus(check: CheckResult, evidence: Evidence): Focus | null {
  const { iterations } = evidence;
  if (OUTSIDE_THE_LOOP.has(check.kind) || iterations.length === 0) return null;
  const found = findIteration(check, evidence) ?? iterations.at(-1);
  if (found === undefined) return null;
  const isEarlier = DECIDED_BEFORE.has(check.kind) || check.category === 'PromptContent';
  const place = iterations.indexOf(found);
  const neighbor = iterations[isEarlier ? place - 1 : place + 1];
  if (neighbor === undefined) return { iteration: found.number, between: null };
  const [first, second] = isEarlier ? [neighbor, found] : [found, neighbor];
  return { iteration: found.number, between: [first.number, second.number] };
}

function findIteration(check: CheckResult, evidence: Evidence): Iteration | undefined {
  const { about = {}, kind } = check;
  const { iterations } = evidence;
  if (about.iteration !== undefined) return iterations.find(({ number }) => number === about.iteration);
  if (about.hats !== undefined) return findTurn(about.hats, evidence);
  if (COUNTS.has(kind) && about.limit !== undefined && countFinished(evidence) > about.limit)
    return iterations[about.limit - 1];
  if (about.hat !== undefined) return iterations.find(({ hat }) => hat === about.hat);
  if (about.topic !== undefined) return findEvent(about.topic, evidence);
  if (about.reason !== undefined || kind === 'completed') return findDeclaration(evidence);
  if (about.path !== undefined) return findCall(about.path, evidence);
  const told = iterations.filter(({ prompt }) => prompt !== null && hasWording(prompt, check));
  // One prompt too many shows the problem, not the first that has the text.
  return (kind === 'toldTimes' ? told[about.limit ?? 0] : undefined) ?? told[0];
}

const COUNTS: ReadonlySet<string> = new Set(['iterationCount', 'iterationsAtMost']);

/** The first turn of a hat that was not expected, or of none. */
function findTurn(wanted: readonly string[], evidence: Evidence): Iteration | undefined {
  const place = firstDifference(wanted, hatsWorn(evidence)) ?? wanted.length;
  return evidence.iterations[place];
}

/** The iteration in which the event was recorded, or else the first turn of a hat that may publish it. */
function findEvent(topic: string, evidence: Evidence): Iteration | undefined {
  const ends = endsOfIterations(evidence.events);
  const event = evidence.events.find((one) => one.topic === topic);
  const at = event === undefined ? null : iterationOf(event, ends);
  const hats = viewRun(evidence)?.hats ?? [];
  return (
    evidence.iterations.find(({ number }) => number === at) ??
    evidence.iterations.find(({ hat }) => hats.some((one) => one.id === hat && one.publishes.includes(topic)))
  );
}

/** The first iteration in which the agent declared completion, if the loop then went on. */
function findDeclaration(evidence: Evidence): Iteration | undefined {
  const promise = promiseOf(evidence);
  if (evidence.termination?.reason === 'completed') return undefined;
  const emitted = new Set(
    evidence.events
      .filter(({ topic }) => topic === promise)
      .map((event) => placeInTime(event, endsOfIterations(evidence.events))),
  );
  return evidence.iterations.find(
    ({ said, number }) => said.trimEnd().endsWith(promise) || emitted.has(number),
  );
}

function findCall(path: string, { iterations }: Evidence): Iteration | undefined {
  return iterations.find(({ toolCalls }) => toolCalls.some(({ input }) => input.includes(path)));
}
