import { countNoun, list } from '../../../../domain/checks/text.js';
import { handedOn, hasWording } from '../../../../domain/diagnosis/check-facts.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { pendingIn, wornIn } from '../../../../domain/evidence/facts.js';
import { type Observe, showWanted, subtract, toShortLine } from './words.js';

const promptWith: Observe = (check, { iterations }) => {
  const { about = {} } = check;
  const prompts = promptsIn(about.iteration, iterations);
  const where = about.iteration === undefined ? 'No prompt' : `The prompt of iteration ${about.iteration}`;
  if (prompts.length === 0) return null;
  const verb = about.iteration === undefined ? 'has' : 'lacks';
  return { text: `${where} ${verb} ${showWanted(check)}.`, direction: 'missing' };
};

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
  const extra = subtract(found, wanted);
  const lacking = subtract(wanted, found);
  const parts = [
    ...(lacking.length === 0 ? [] : [`${list(lacking.slice(0, 6))} missing`]),
    ...(extra.length === 0 ? [] : [`${list(extra.slice(0, 6))} too many`]),
    ...(lacking.length + extra.length > 0 ? [] : ['another order or another payload']),
  ];
  return {
    text: `Pending events${where} differ: ${parts.join(', ')}.`,
    direction: lacking.length > 0 ? 'missing' : extra.length > 0 ? 'excess' : 'other',
  };
};

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
