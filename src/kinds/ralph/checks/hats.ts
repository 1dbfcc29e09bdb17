import type { Check } from '../../../domain/check.js';
import { aboutWanted, countNoun, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import type { Evidence, Iteration } from '../../../domain/evidence/evidence.js';
import { hatsWorn, wornIn } from '../../../domain/evidence/facts.js';

/** Checks that the iterations belonged to exactly these hats (ids), in this order. `ralph` means that no hat was active. */
export function hatSequence(...hats: readonly string[]): Check {
  return {
    kind: 'hatSequence',
    judges: 'course',
    name: `the hats are ${hats.join(', then ')}`,
    about: { hats },
    category: 'PromptContent',
    judge: (evidence) => {
      const worn = hatsWorn(evidence);
      return {
        passed: worn.length === hats.length && worn.every((hat, index) => hat === hats[index]),
        expected: list(hats),
        actual: list(worn),
        suggestion: 'Which event was pending before the first difference, and which hats does it trigger?',
      };
    },
  };
}

/** Checks that no iteration belonged to this hat. Fails if there were no iterations. */
export function hatNeverActive(hat: string): Check {
  return {
    kind: 'hatNeverActive',
    judges: 'course',
    name: `hat ${hat} is never active`,
    about: { hat },
    category: 'PromptContent',
    judge: (evidence) => {
      const worn = hatsWorn(evidence);
      return {
        passed: worn.length > 0 && !worn.includes(hat),
        expected: `iterations without hat ${hat}`,
        actual: list(worn),
        suggestion: 'An event must activate only the hats that it triggers.',
      };
    },
  };
}

/** Checks that every prompt for this hat contains this text, and that no other prompt does. */
export function toldOnlyTo(hat: string, wanted: Wanted): Check {
  return onUncut('prompts', {
    kind: 'toldOnlyTo',
    judges: 'course',
    name: `only the prompts of hat ${hat} contain ${show(wanted)}`,
    about: { hat, ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const [own, others] = split(iterations, hat);
      const uninformed = own.filter(({ prompt }) => !holds(prompt ?? '', wanted));
      const eavesdropping = others.filter(({ prompt }) => holds(prompt ?? '', wanted));
      return {
        passed: own.length > 0 && uninformed.length === 0 && eavesdropping.length === 0,
        expected: `${show(wanted)} in every prompt of hat ${hat} and in no other`,
        actual: list(
          [
            ...(own.length === 0 ? [`hat ${hat} was never active`] : []),
            ...(uninformed.length === 0 ? [] : [`missing in ${name(uninformed)}`]),
            ...(eavesdropping.length === 0 ? [] : [`also found in ${name(eavesdropping)}`]),
          ],
          `in every prompt of hat ${hat} and in no other`,
        ),
        suggestion: 'Look at the ACTIVE HAT section of the prompts: whose instructions does it contain?',
      };
    },
  });
}

/** Checks that no prompt contains this text. Fails if Ralph sent no prompt. */
export function toldToNobody(wanted: Wanted): Check {
  return onUncut('prompts', {
    kind: 'toldToNobody',
    judges: 'course',
    name: `no prompt contains ${show(wanted)}`,
    about: aboutWanted(wanted),
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const sent = iterations.filter(({ prompt }) => prompt !== null);
      const found = sent.filter(({ prompt }) => holds(prompt ?? '', wanted));
      return {
        passed: sent.length > 0 && found.length === 0,
        expected: `prompts without ${show(wanted)}`,
        actual: sent.length === 0 ? 'Ralph logged no prompt' : `found in ${name(found)}`,
      };
    },
  });
}

/** Checks that exactly this many prompts contain this text. */
export function toldTimes(times: number, wanted: Wanted): Check {
  return onUncut('prompts', {
    kind: 'toldTimes',
    judges: 'course',
    name: `${show(wanted)} is in ${countNoun(times, 'prompt')}`,
    about: { limit: times, ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const found = iterations.filter(({ prompt }) => holds(prompt ?? '', wanted));
      return {
        passed: found.length === times,
        expected: `${show(wanted)} in ${countNoun(times, 'prompt')}`,
        actual: `found in ${name(found)}; the loop had ${countNoun(iterations.length, 'iteration')}`,
      };
    },
  });
}

/** Checks that every prompt from this iteration on contains this text, and no earlier one. There must be such a prompt. */
export function toldFrom(iteration: number, wanted: Wanted): Check {
  return onUncut('prompts', {
    kind: 'toldFrom',
    judges: 'course',
    name: `${show(wanted)} is in every prompt from iteration ${iteration} on, and in none before`,
    about: { iteration, ...aboutWanted(wanted) },
    category: 'PromptContent',
    judge: ({ iterations }) => {
      const found = iterations.filter(({ prompt }) => holds(prompt ?? '', wanted));
      const later = iterations.filter(({ number }) => number >= iteration);
      return {
        passed:
          later.length > 0 && found.length === later.length && found.every((one) => later.includes(one)),
        expected: `${show(wanted)} in the prompts from iteration ${iteration} on, and only there`,
        actual: `found in ${name(found)}; the loop had ${countNoun(iterations.length, 'iteration')}`,
      };
    },
  });
}

/** Checks that Ralph itself published this event: a prompt lists it as pending, and no agent emitted it. */
export function publishedByRalph(topic: string, { iteration }: { readonly iteration: number }): Check {
  return onUncut('events', {
    kind: 'publishedByRalph',
    name: `Ralph itself publishes ${topic} for iteration ${iteration}`,
    about: { topic, iteration },
    category: 'EventEmitted',
    judge: ({ iterations, events }) => {
      const pending = pendingTopics(iterations.find(({ number }) => number === iteration));
      const emitted = events.filter(({ source }) => source === 'agent').map((event) => event.topic);
      return {
        passed: pending.includes(topic) && !emitted.includes(topic),
        expected: `${topic} pending in iteration ${iteration} and emitted by no agent`,
        actual: `pending: ${list(pending)}; agents emitted: ${list(emitted)}`,
        suggestion: 'No file records such events. They appear only in the prompt of the next iteration.',
      };
    },
  });
}

/** Checks that this backend answered every iteration of this hat. */
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
        suggestion: 'A hat with its own backend runs on that backend. Every other hat runs on cli.backend.',
      };
    },
  };
}

/** Checks that this hat's CLI was always started with these arguments, one right after the other. */
export function hatCalledWith(hat: string, ...wanted: readonly string[]): Check {
  return {
    kind: 'hatCalledWith',
    name: `the CLI of hat ${hat} is called with ${wanted.join(' ')}`,
    about: { hat, texts: wanted },
    category: 'Processes',
    judge: (evidence) => {
      const own = listCalls(evidence, hat);
      return {
        passed: own.length > 0 && own.every((argv) => hasRun(argv, wanted)),
        expected: `${wanted.join(' ')} among the arguments of every call for hat ${hat}`,
        actual: own.length === 0 ? `hat ${hat} was never active` : own.map(showCall).join(' | '),
      };
    },
  };
}

/** Checks that this hat's CLI was never started with this argument. Fails if the hat was never active. */
export function hatCalledWithout(hat: string, unwanted: string): Check {
  return {
    kind: 'hatCalledWithout',
    name: `the CLI of hat ${hat} is not called with ${unwanted}`,
    about: { hat, texts: [unwanted] },
    category: 'Processes',
    judge: (evidence) => {
      const own = listCalls(evidence, hat);
      return {
        passed: own.length > 0 && own.every((argv) => argv.length > 0 && !argv.includes(unwanted)),
        expected: `no call for hat ${hat} with ${unwanted}`,
        actual: own.length === 0 ? `hat ${hat} was never active` : own.map(showCall).join(' | '),
      };
    },
  };
}

/** Returns the arguments of each call for this hat; empty for a call that was not recorded. */
function listCalls(evidence: Evidence, hat: string): readonly (readonly string[])[] {
  const calls = prompts(evidence);
  return evidence.iterations.flatMap((iteration, index) =>
    wornIn(iteration) === hat ? [calls[index]?.argv ?? []] : [],
  );
}

function split(iterations: readonly Iteration[], hat: string): [readonly Iteration[], readonly Iteration[]] {
  const own = iterations.filter((iteration) => wornIn(iteration) === hat);
  return [own, iterations.filter((iteration) => !own.includes(iteration))];
}

function name(iterations: readonly Iteration[]): string {
  return iterations.length === 0
    ? 'no prompt'
    : `iteration${iterations.length === 1 ? '' : 's'} ${list(iterations.map(({ number }) => `${number}`))}`;
}

function pendingTopics(iteration: Iteration | undefined): readonly string[] {
  return [...(iteration?.prompt ?? '').matchAll(/^Event: (\S+) - /gm)].map((match) => match[1] ?? '');
}

/** Which CLI uses which API of the model server. The scripted lane tells the real CLIs apart by this. */
const CALLER_OF_API: Readonly<Record<string, string>> = {
  messages: 'claude',
  'chat-completions': 'opencode',
};

/** The only fact known about a live answer that is not a Claude stream. */
const PLAIN_TEXT = 'a CLI that prints plain text';

/** Lists the backend of each iteration, from records of the stand-ins, requests to the model server, or the answers. */
function listCallers(evidence: Evidence): readonly string[] {
  const { requests, iterations } = evidence;
  const calls = prompts(evidence);
  if (calls.length > 0) return calls.map(({ backend }) => backend);
  if (requests.length === 0)
    return iterations.map(({ form }) => (form === 'claude-stream' ? 'claude' : PLAIN_TEXT));
  // The Map keeps a conversation at the position of its first request.
  const begun = new Map<string, string>();
  for (const { kind, conversation, api } of requests)
    if (kind === 'main') begun.set(conversation, CALLER_OF_API[api] ?? api);
  return [...begun.values()];
}

function isTold(caller: string, backend: string): boolean {
  return caller === backend || (caller === PLAIN_TEXT && backend !== 'claude');
}

/** Returns the calls that carried a prompt. Other calls ask for a version or a login. */
function prompts({ invocations }: Evidence): Evidence['invocations'] {
  return invocations.filter(({ promptSource, afterTool }) => promptSource !== 'none' && afterTool !== true);
}

/** The last argument can be a whole prompt. */
function showCall(argv: readonly string[]): string {
  return argv.length === 0 ? 'a call that was not recorded' : argv.map((word) => word.slice(0, 40)).join(' ');
}

function hasRun(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_, start) => wanted.every((word, offset) => words[start + offset] === word));
}
