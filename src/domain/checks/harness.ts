import type { Check } from '../check.js';
import { countFinished } from '../evidence/facts.js';
import { describeStopped } from '../evidence/isolation.js';
import { aboutWanted, list } from './text.js';

/** The harness, asked in an environment where the backend cannot be ready, would skip it and say why. */
export function harnessWouldSkip(reason: RegExp): Check {
  return {
    kind: 'harnessWouldSkip',
    name: 'the harness would skip the backend and say why',
    about: aboutWanted(reason),
    category: 'Harness',
    judge: ({ readiness }) => ({
      passed: readiness !== null && !readiness.ready && reason.test(readiness.reason ?? ''),
      expected: `not ready, with a reason that matches ${reason}`,
      actual:
        readiness === null
          ? 'the probe was not asked'
          : readiness.ready
            ? 'ready'
            : `not ready: ${readiness.reason}`,
    }),
  };
}

/** ralph never got as far as its backend. */
export function backendNeverCalled(): Check {
  return {
    kind: 'backendNeverCalled',
    name: 'no agent is called',
    category: 'Processes',
    judge: (evidence) => {
      const { invocations, requests } = evidence;
      const answered = countFinished(evidence);
      return {
        passed: invocations.length + requests.length === 0 && answered === 0,
        expected: 'no call of an agent and no finished iteration',
        actual: `${invocations.length + requests.length} call(s) and ${answered} finished iteration(s)`,
      };
    },
  };
}

/** Nothing that the target started outlives it. Every scenario is held to this. */
export function nothingLeftBehind(): Check {
  return {
    kind: 'nothingLeftBehind',
    name: 'no process is left behind',
    category: 'Processes',
    judge: ({ leftBehind }) => ({
      passed: leftBehind.length === 0,
      expected: 'no process of the run after its end',
      actual: list(
        leftBehind.map(({ pid, command }) => `${pid}: ${command.slice(0, 120)}`),
        'none',
      ),
      suggestion: 'ralph ended and left these running; the harness has ended them.',
    }),
  };
}

/** The target ended by itself, in time. Every scenario is held to this. */
export function endedByItself(who = 'ralph'): Check {
  return {
    kind: 'endedByItself',
    name: `${who} ends by itself`,
    category: 'Processes',
    judge: ({ exit }) => ({
      passed: exit.kind === 'exited' && exit.code !== 101,
      expected: 'an exit of its own within the time limit',
      actual:
        exit.kind === 'timed-out'
          ? `still running after ${exit.afterSeconds} s; the harness ended it and all its children`
          : exit.kind === 'killed'
            ? `killed by ${exit.signal}`
            : exit.kind === 'interrupted'
              ? 'interrupted by the user'
              : `exit code ${exit.code}${exit.code === 101 ? ' (a Rust panic)' : ''}`,
    }),
  };
}

/** In offline lanes: every prompt found its rule in the agent script. Every scenario is held to this. */
export function scriptAnswered(): Check {
  return {
    kind: 'scriptAnswered',
    name: 'the agent script answers every prompt',
    category: 'Harness',
    judge: ({ invocations, requests }) => {
      const unanswered = [
        ...invocations.filter(({ outcome }) => outcome !== 'played' && outcome !== 'not-a-prompt'),
        ...requests.filter(({ outcome }) => outcome === 'no-match' || outcome === 'script-error'),
      ];
      return {
        passed: unanswered.length === 0,
        expected: 'a rule for every prompt, and only calls that the stand-in plays',
        actual: unanswered.length === 0 ? 'all answered' : (unanswered[0]?.detail ?? 'unanswered'),
        suggestion:
          'The prompt lacks what the script waits for: ralph did not send it, or the script is wrong.',
      };
    },
  };
}

/** Nothing was tried outside the sandbox: no write, no connection, no name. Only an isolated run can tell. */
export function stayedInside(): Check {
  return {
    kind: 'stayedInside',
    name: 'nothing is tried outside the sandbox',
    category: 'Harness',
    judge: ({ isolation }) => ({
      passed: isolation !== undefined && isolation.stopped.length === 0,
      expected: 'an isolated run in which nothing had to be stopped',
      actual:
        isolation === undefined
          ? 'the run was not isolated'
          : list(isolation.stopped.map(describeStopped), 'nothing'),
      suggestion:
        isolation === undefined
          ? 'Run it with --isolation bwrap or --isolation docker: on the host nobody sees what is tried.'
          : 'The agent, or what it started, tried to get out; the sandbox stopped it.',
    }),
  };
}
