import type { Check } from '../../../domain/check.js';
import { aboutWanted } from '../../../domain/checks/text.js';
import { onUncut } from '../../../domain/checks/uncut.js';
import type { Evidence, ProcessExit } from '../../../domain/evidence/evidence.js';
import { countFinished } from '../../../domain/evidence/facts.js';

/** Checks that the loop ended because the agent declared the work done: exit code 0, reason `completed`. */
export function completed(): Check {
  return {
    kind: 'completed',
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
function declaredCompletion({ configYaml, iterations, events }: Evidence): boolean {
  const promise = /^\s*completion_promise:\s*["']?(.+?)["']?\s*$/m.exec(configYaml)?.[1] ?? 'LOOP_COMPLETE';
  const lastLine = iterations.at(-1)?.said.trimEnd().split('\n').at(-1)?.trim();
  return lastLine === promise || events.some(({ topic, source }) => source === 'agent' && topic === promise);
}

/** Checks that the loop ended for this reason and with this exit code. */
export function terminatedBecause(reason: string, exitCode: number): Check {
  return {
    kind: 'terminatedBecause',
    name: `the loop ends with reason ${reason}`,
    about: { reason },
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

/** Checks that an iteration took at least this many seconds. */
export function iterationLasted(number: number, seconds: number): Check {
  return {
    kind: 'iterationLasted',
    name: `iteration ${number} lasts at least ${seconds} s`,
    about: { iteration: number, limit: seconds },
    category: 'IterationCount',
    judge: ({ iterations }) => {
      const took = iterations.find((iteration) => iteration.number === number)?.durationSeconds ?? null;
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
  return `${describeExit(exit)}, ${loop}`;
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

function describeExit(exit: ProcessExit): string {
  switch (exit.kind) {
    case 'exited':
      return `exit code ${exit.code}`;
    case 'killed':
      return `killed by ${exit.signal}`;
    case 'timed-out':
      return `still running after ${exit.afterSeconds} s, ended by the harness`;
    case 'interrupted':
      return 'interrupted by the user';
    default:
      return exit satisfies never;
  }
}
