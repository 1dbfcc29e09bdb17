import { countNoun, list } from '../../../../domain/checks/text.js';
import { hasWording } from '../../../../domain/diagnosis/check-facts.js';
import { firstDifference } from '../../../../domain/diagnosis/divergence.js';
import { countFinished, hatsWorn, promiseOf, wornIn } from '../../../../domain/evidence/facts.js';
import { describeEnd, type Observe, showWanted } from './words.js';

const hatSequence: Observe = ({ about = {} }, evidence) => {
  const wanted = about.hats ?? [];
  const worn = hatsWorn(evidence);
  const at = firstDifference(wanted, worn);
  if (at !== null) {
    const number = evidence.iterations[at]?.number ?? at + 1;
    return { text: `Iteration ${number} has hat ${worn[at]}; expected ${wanted[at]}.`, direction: 'other' };
  }
  if (worn.length < wanted.length)
    return {
      text: `${describeEnd(evidence)} The test expects ${list(wanted.slice(worn.length))} after that.`,
      direction: 'early',
    };
  const more = countNoun(worn.length - wanted.length, 'iteration');
  return {
    text: `The loop went on for ${more} more than expected (${list(worn.slice(wanted.length).slice(0, 4))}).`,
    direction: 'late',
  };
};

const hatActive: Observe = ({ about = {} }, { iterations }) => {
  const turn = iterations.find(({ number }) => number === about.iteration);
  if (turn === undefined) return { text: `Hat ${about.hat} had no turn.`, direction: 'missing' };
  return {
    text: `Iteration ${turn.number} has hat ${wornIn(turn)}; expected ${about.hat}.`,
    direction: 'other',
  };
};

const hatNeverActive: Observe = ({ about = {} }, { iterations }) => {
  const turn = iterations.find((iteration) => wornIn(iteration) === about.hat);
  if (turn === undefined) return null;
  return { text: `Hat ${about.hat} had iteration ${turn.number}, and must have none.`, direction: 'excess' };
};

const counted: Observe = ({ about = {}, kind }, evidence) => {
  const finished = countFinished(evidence);
  const { limit = finished } = about;
  if (finished === limit) return null;
  const bound = BOUNDS[kind] ?? '';
  return {
    text: `The loop finished ${countNoun(finished, 'iteration')}; expected ${bound}${limit}.`,
    direction: finished > limit ? 'late' : 'early',
  };
};

const BOUNDS: Readonly<Record<string, string>> = {
  iterationsAtLeast: 'at least ',
  iterationsAtMost: 'at most ',
};

const ended: Observe = ({ about = {}, kind }, evidence) => {
  const reason = evidence.termination?.reason;
  if (
    kind === 'completed' &&
    reason === about.reason &&
    evidence.exit.kind === 'exited' &&
    evidence.exit.code === 0
  )
    return {
      text: 'The loop completed, and the agent had not declared completion in its last iteration.',
      direction: 'early',
    };
  if (reason === undefined || reason === about.reason) return null;
  return {
    text: `${describeEnd(evidence)} The test expects ${about.reason}.`,
    direction: about.reason === 'completed' && RUNS_OUT.has(reason) ? 'late' : 'other',
  };
};

/** Limits that a loop reaches if nothing else ends it. */
const RUNS_OUT: ReadonlySet<string> = new Set(['max_iterations', 'max_runtime']);

const endedAtOnce: Observe = (check, evidence) => {
  const { iterations } = evidence;
  const last = iterations.at(-1);
  const hasSign = check.about?.text !== undefined || check.about?.pattern !== undefined;
  const promise = promiseOf(evidence);
  const first = iterations.find(({ said }) =>
    hasSign ? hasWording(said, check) : said.trimEnd().split('\n').at(-1)?.trim() === promise,
  );
  if (first === undefined || last === undefined || first === last) return null;
  const deed = hasSign ? `said ${showWanted(check)}` : 'declared completion';
  return {
    text: `The agent ${deed} in iteration ${first.number}, and the loop went on to iteration ${last.number}.`,
    direction: 'late',
  };
};

const countedOn: Observe = ({ about = {} }, { iterations }) => {
  const first = iterations[0]?.number;
  if (first === undefined || first === about.limit) return null;
  return {
    text: `This run begins with iteration ${first}; expected ${about.limit}. The earlier session had another number of iterations, or they are counted on in another way.`,
    direction: 'other',
  };
};

/** Checks on whose turn it was, how many turns there were, and how the loop ended. */
export const LOOP_OBSERVERS: Readonly<Record<string, Observe>> = {
  hatSequence,
  hatActive,
  hatNeverActive,
  iterationCount: counted,
  iterationsAtLeast: counted,
  iterationsAtMost: counted,
  completed: ended,
  terminatedBecause: ended,
  endedAtOnce,
  countsOnFrom: countedOn,
};
