import type { Check } from '../../../domain/check.js';
import { aboutWanted, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import type { Evidence, Iteration } from '../../../domain/evidence/evidence.js';
import { hatsWorn, wornIn } from '../../../domain/evidence/facts.js';

/** The iterations belonged to exactly these hats, by id and in this order; `ralph` is where no hat is active. */
export function hatSequence(...hats: readonly string[]): Check {
  return {
    kind: 'hatSequence',
    name: `the hats are ${hats.join(', then ')}`,
    about: { hats },
    category: 'PromptContent',
    judge: (evidence) => {
      const worn = hatsWorn(evidence);
      return {
        passed: worn.length === hats.length && worn.every((hat, index) => hat === hats[index]),
        expected: list(hats),
        actual: list(worn),
        suggestion: 'Which event was pending before the first difference, and which hats wait for it?',
      };
    },
  };
}

/** No iteration belonged to this hat; and there were iterations that could have. */
export function hatNeverActive(hat: string): Check {
  return {
    kind: 'hatNeverActive',
    name: `hat ${hat} is never active`,
    about: { hat },
    category: 'PromptContent',
    judge: (evidence) => {
      const worn = hatsWorn(evidence);
      return {
        passed: worn.length > 0 && !worn.includes(hat),
        expected: `iterations without hat ${hat}`,
        actual: list(worn),
        suggestion: 'Events must wake the hats that wait for them and no others.',
      };
    },
  };
}

/** Every prompt of this hat has the text, and no prompt of anybody else. */
export function toldOnlyTo(hat: string, wanted: Wanted): Check {
  return onUncut('prompts', {
    kind: 'toldOnlyTo',
    name: `only hat ${hat} is told ${show(wanted)}`,
    about: { hat, ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const [own, others] = split(iterations, hat);
      const uninformed = own.filter(({ prompt }) => !holds(prompt ?? '', wanted));
      const eavesdropping = others.filter(({ prompt }) => holds(prompt ?? '', wanted));
      return {
        passed: own.length > 0 && uninformed.length === 0 && eavesdropping.length === 0,
        expected: `${show(wanted)} in every prompt of hat ${hat} and in no other`,
        actual: [
          own.length === 0 ? `hat ${hat} was never active` : `missing in ${name(uninformed)}`,
          `found elsewhere in ${name(eavesdropping)}`,
        ].join('; '),
        suggestion: 'Look at the section ACTIVE HAT of the prompts: whose instructions stand there?',
      };
    },
  });
}

/** ralph sent this to nobody, although it did send prompts. */
export function toldToNobody(wanted: Wanted): Check {
  return onUncut('prompts', {
    kind: 'toldToNobody',
    name: `nobody is told ${show(wanted)}`,
    about: aboutWanted(wanted),
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const sent = iterations.filter(({ prompt }) => prompt !== null);
      const found = sent.filter(({ prompt }) => holds(prompt ?? '', wanted));
      return {
        passed: sent.length > 0 && found.length === 0,
        expected: `prompts without ${show(wanted)}`,
        actual: sent.length === 0 ? 'ralph logged no prompt' : `found in ${name(found)}`,
      };
    },
  });
}

/** Exactly so many prompts had this text. */
export function toldTimes(times: number, wanted: Wanted): Check {
  return onUncut('prompts', {
    kind: 'toldTimes',
    name: `${show(wanted)} is told ${times} time${times === 1 ? '' : 's'}`,
    about: { limit: times, ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const found = iterations.filter(({ prompt }) => holds(prompt ?? '', wanted));
      return {
        passed: found.length === times,
        expected: `${show(wanted)} in ${times} prompt${times === 1 ? '' : 's'}`,
        actual: `found in ${name(found)} of ${iterations.length}`,
      };
    },
  });
}

/** A prompt announced this event although no agent had emitted it: ralph published it in its own name. */
export function publishedByRalph(topic: string, { iteration }: { readonly iteration: number }): Check {
  return onUncut('events', {
    kind: 'publishedByRalph',
    name: `ralph itself publishes ${topic} for iteration ${iteration}`,
    about: { topic, iteration },
    category: 'EventEmitted',
    judge: ({ iterations, events }) => {
      const pending = pendingTopics(iterations.find(({ number }) => number === iteration));
      const emitted = events.filter(({ source }) => source === 'agent').map((event) => event.topic);
      return {
        passed: pending.includes(topic) && !emitted.includes(topic),
        expected: `${topic} pending in iteration ${iteration}, and emitted by no agent`,
        actual: `pending: ${list(pending)}; agents emitted: ${list(emitted)}`,
        suggestion: 'Such events are in no file: the prompt of the next iteration is where they show.',
      };
    },
  });
}

/** Every iteration of this hat was answered by this backend, and by no other. */
export function hatRanOn(hat: string, backend: string): Check {
  return {
    kind: 'hatRanOn',
    name: `hat ${hat} runs on ${backend}`,
    about: { hat, names: [backend] },
    category: 'Processes',
    judge: (evidence) => {
      const answered = listCallers(evidence);
      const own = evidence.iterations.flatMap((iteration, index) =>
        wornIn(iteration) === hat ? [answered[index] ?? 'nobody'] : [],
      );
      return {
        passed: own.length > 0 && own.every((caller) => isTold(caller, backend)),
        expected: `${backend} in every iteration of hat ${hat}`,
        actual: own.length === 0 ? `hat ${hat} was never active` : list(own),
        suggestion: 'A hat with a backend of its own runs on it; every other on cli.backend.',
      };
    },
  };
}

/** The CLI of this hat was started with these arguments, one after the other. */
export function hatCalledWith(hat: string, ...wanted: readonly string[]): Check {
  return {
    kind: 'hatCalledWith',
    name: `hat ${hat} is called with ${wanted.join(' ')}`,
    about: { hat, texts: wanted },
    category: 'Processes',
    judge: (evidence) => {
      const calls = prompts(evidence);
      const own = evidence.iterations.flatMap((iteration, index) =>
        wornIn(iteration) === hat ? [calls[index]?.argv ?? []] : [],
      );
      return {
        passed: own.length > 0 && own.every((argv) => hasRun(argv, wanted)),
        expected: `${wanted.join(' ')} among the arguments of every call for hat ${hat}`,
        actual: own.length === 0 ? `hat ${hat} was never active` : own.map(showCall).join(' | '),
      };
    },
  };
}

function split(iterations: readonly Iteration[], hat: string): [readonly Iteration[], readonly Iteration[]] {
  const own = iterations.filter((iteration) => wornIn(iteration) === hat);
  return [own, iterations.filter((iteration) => !own.includes(iteration))];
}

function name(iterations: readonly Iteration[]): string {
  return iterations.length === 0 ? 'none' : `iteration ${list(iterations.map(({ number }) => `${number}`))}`;
}

function pendingTopics(iteration: Iteration | undefined): readonly string[] {
  return [...(iteration?.prompt ?? '').matchAll(/^Event: (\S+) - /gm)].map((match) => match[1] ?? '');
}

/** What asks our model server which API: in the scripted lane this is how the real CLIs are told apart. */
const CALLER_OF_API: Readonly<Record<string, string>> = {
  messages: 'claude',
  'chat-completions': 'opencode',
};

/** All that is known of a live answer that is not in Claude's form. */
const PLAIN_TEXT = 'a CLI that prints plain text';

/** Which backend answered each iteration: told by the stand-ins, by requests to the model server, or by the answer. */
function listCallers(evidence: Evidence): readonly string[] {
  const { requests, iterations } = evidence;
  const calls = prompts(evidence);
  if (calls.length > 0) return calls.map(({ backend }) => backend);
  if (requests.length === 0)
    return iterations.map(({ form }) => (form === 'claude-stream' ? 'claude' : PLAIN_TEXT));
  // A conversation stays in the place of its first request.
  const begun = new Map<string, string>();
  for (const { kind, conversation, api } of requests)
    if (kind === 'main') begun.set(conversation, CALLER_OF_API[api] ?? api);
  return [...begun.values()];
}

function isTold(caller: string, backend: string): boolean {
  return caller === backend || (caller === PLAIN_TEXT && backend !== 'claude');
}

/** The calls that carried a prompt; others ask for a version or a login. */
function prompts({ invocations }: Evidence): Evidence['invocations'] {
  return invocations.filter(({ promptSource, afterTool }) => promptSource !== 'none' && afterTool !== true);
}

/** The last argument can be a whole prompt. */
function showCall(argv: readonly string[]): string {
  return argv.length === 0 ? 'a call that nobody recorded' : argv.map((word) => word.slice(0, 40)).join(' ');
}

function hasRun(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, start) => wanted.every((word, offset) => words[start + offset] === word));
}
