import type { Check } from '../../../domain/check.js';
import { says } from '../../../domain/checks/speech.js';
import { aboutWanted, countNoun, list, show, type Wanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import type { Evidence, Iteration, ProcessExit } from '../../../domain/evidence/evidence.js';
import { countFinished, describeEndOfProcess, isFinished } from '../../../domain/evidence/facts.js';
import { promiseOf } from '../../../domain/evidence/run-view.js';

/** Checks that the loop ended because the agent declared the work done: exit code 0, reason `completed`. */
export function completed(): Check {
  return {
    kind: 'completed',
    judges: 'course',
    name: 'the loop completes',
    about: { reason: 'completed' },
    category: 'TerminationReason',
    judge: (evidence) => {
      const ended = hasCode(evidence.exit, 0) && evidence.termination?.reason === 'completed';
      const declared = declaredCompletion(evidence);
      return {
        passed: ended && declared,
        expected: 'exit code 0 and termination reason "completed", after the agent declared completion',
        actual:
          ended && !declared
            ? `${describeEnding(evidence)}, but the agent did not declare completion in its last iteration`
            : describeEnding(evidence),
        suggestion:
          'Look at the last iteration: did the agent declare completion as the prompt asks, and did Ralph see it?',
      };
    },
  };
}

/** A loop that ends before its agent declares completion has not done its work, whatever it records. */
function declaredCompletion(evidence: Evidence): boolean {
  const { iterations, events } = evidence;
  const promise = promiseOf(evidence);
  return (
    lastLineOf(iterations.at(-1)) === promise ||
    events.some(({ topic, source }) => source === 'agent' && topic === promise)
  );
}

function lastLineOf(iteration: Iteration | undefined): string | undefined {
  return iteration?.said.trimEnd().split('\n').at(-1)?.trim();
}

/**
 * Checks that the loop ended with the first iteration in which the agent declared completion or, with `sign`, in which it
 * said this. How many iterations came before is the agent's choice.
 */
export function endedAtOnce(sign?: Wanted): Check {
  const does = sign === undefined ? 'declares completion' : `says ${show(sign)}`;
  return {
    kind: 'endedAtOnce',
    judges: 'course',
    name: `the loop ends with the iteration in which the agent ${does}`,
    about: sign === undefined ? {} : aboutWanted(sign),
    category: 'IterationCount',
    judge: (evidence) => {
      const { iterations } = evidence;
      const promise = promiseOf(evidence);
      const isSign = (iteration: Iteration) =>
        sign === undefined ? lastLineOf(iteration) === promise : says(iteration.said, sign);
      const last = iterations.at(-1);
      const said = iterations.filter(isSign).map(({ number }) => number);
      // Nothing records the iteration of an event. If it came only once, Ralph did not ask again.
      const emitted = evidence.events.filter(({ topic, source }) => source === 'agent' && topic === promise);
      const byEvent = sign === undefined && said.length === 0 && emitted.length === 1;
      const found = byEvent && last !== undefined ? [last.number] : said;
      // What was cut out of an earlier answer may be the sign. The last line of an answer is always kept.
      const known = sign === undefined || iterations.slice(0, -1).every(({ saidCut }) => saidCut !== true);
      return {
        passed: last !== undefined && isFinished(last) && found[0] === last.number && known,
        expected: `the agent ${does} in the last iteration and in none before`,
        actual: `in ${list(
          found.map((number) => `iteration ${number}`),
          'no iteration',
        )}; ${countFinished(evidence)} finished, ${iterations.length} started`,
        suggestion: 'An iteration too many costs time and money: what made Ralph start it?',
      };
    },
  };
}

/** Checks that Ralph finished this many iterations or more: it did not do in one what takes several. */
export function iterationsAtLeast(count: number): Check {
  return {
    kind: 'iterationsAtLeast',
    judges: 'course',
    name: `the loop takes at least ${countNoun(count, 'iteration')}`,
    about: { limit: count },
    category: 'IterationCount',
    judge: (evidence) => {
      const finished = countFinished(evidence);
      return {
        passed: finished >= count,
        expected: `at least ${countNoun(count, 'finished iteration')}`,
        actual: `${finished} finished, ${evidence.iterations.length} started`,
      };
    },
  };
}

/** Checks that the loop ended for this reason and with this exit code. */
export function terminatedBecause(reason: string, exitCode: number): Check {
  return {
    kind: 'terminatedBecause',
    judges: 'course',
    name: `the loop ends with reason ${reason}`,
    about: { reason, exitCode },
    category: 'TerminationReason',
    judge: (evidence) => ({
      passed: hasCode(evidence.exit, exitCode) && evidence.termination?.reason === reason,
      expected: `exit code ${exitCode} and termination reason "${reason}"`,
      actual: describeEnding(evidence),
    }),
  };
}

/** Checks that Ralph gave up before the loop started: this exit code, this message on stderr, no termination record. */
export function failedToRun(exitCode: number, message: RegExp): Check {
  return {
    kind: 'failedToRun',
    name: 'Ralph says why it cannot run and exits',
    about: aboutWanted(message),
    category: 'ExitCode',
    judge: (evidence) => ({
      passed:
        hasCode(evidence.exit, exitCode) &&
        evidence.termination === null &&
        message.test(evidence.stderr.text),
      expected: `exit code ${exitCode}, no termination record, and ${message} on stderr`,
      actual: `${describeEnd(evidence)}; stderr: ${evidence.stderr.text.trim().slice(0, 300) || 'empty'}`,
    }),
  };
}

/** Checks that Ralph finished exactly this many iterations. */
export function iterationCount(count: number): Check {
  return onUncut('events', {
    kind: 'iterationCount',
    judges: 'course',
    name: `the loop takes ${count} iteration${count === 1 ? '' : 's'}`,
    about: { limit: count },
    category: 'IterationCount',
    judge: (evidence) => {
      const finished = countFinished(evidence);
      return {
        passed: finished === count,
        expected: `${count} finished iteration${count === 1 ? '' : 's'}`,
        actual: `${finished} finished, ${evidence.iterations.length} started`,
      };
    },
  });
}

/** Checks that an iteration, or the last one, took at least this many seconds. */
export function iterationLasted(which: number | 'last', seconds: number): Check {
  const name = which === 'last' ? 'the last iteration' : `iteration ${which}`;
  return {
    kind: 'iterationLasted',
    name: `${name} lasts at least ${seconds} s`,
    about: { ...(which === 'last' ? {} : { iteration: which }), limit: seconds },
    category: 'IterationCount',
    judge: ({ iterations }) => {
      const found = which === 'last' ? iterations.at(-1) : iterations.find(({ number }) => number === which);
      const took = found?.durationSeconds ?? null;
      return {
        passed: took !== null && took >= seconds,
        expected: `at least ${seconds} s`,
        actual: took === null ? 'the iteration did not finish' : `${took} s`,
      };
    },
  };
}

function hasCode(exit: ProcessExit, code: number): boolean {
  return exit.kind === 'exited' && exit.code === code;
}

/** Describes how the process and the loop ended. Adds the end of stderr if the loop did not end in order. */
function describeEnding(evidence: Evidence): string {
  const { exit, termination, stderr } = evidence;
  const orderly = termination !== null && exit.kind === 'exited' && exit.code !== 101;
  return orderly ? describeEnd(evidence) : `${describeEnd(evidence)}; stderr: ${lastWords(stderr.text)}`;
}

function describeEnd({ exit, termination }: Evidence): string {
  const loop = termination === null ? 'no termination record' : `termination reason "${termination.reason}"`;
  return `${describeEndOfProcess(exit)}, ${loop}`;
}

/** Reports show 240 characters: this length leaves room for the rest of the sentence. */
const LAST_WORDS_LENGTH = 160;

/** Returns the last error or panic on one line, or else the end of the text. */
function lastWords(text: string): string {
  const fatal = [...text.matchAll(/^(?:Error: |thread .* panicked at )/gm)].at(-1);
  const line = text
    .slice(fatal?.index ?? 0)
    .trim()
    .replace(/\s+/g, ' ');
  if (line.length <= LAST_WORDS_LENGTH) return line === '' ? 'empty' : line;
  return fatal ? `${line.slice(0, LAST_WORDS_LENGTH)}…` : `…${line.slice(-LAST_WORDS_LENGTH)}`;
}
