import type { Check } from '../check.js';
import type { Evidence } from '../evidence/evidence.js';
import { countFinished } from '../evidence/facts.js';
import { describeStopped } from '../evidence/isolation.js';
import { aboutWanted, countNoun, list } from './text.js';

/**
 * Checks that the harness would skip a backend that cannot be ready, and give this reason. The arrangement needs
 * `probe`.
 */
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
          ? 'the probe did not run'
          : readiness.ready
            ? 'ready'
            : `not ready: ${readiness.reason}`,
    }),
  };
}

/** Checks that Ralph never called an agent. */
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
        expected: 'no agent call and no finished iteration',
        actual: `${countNoun(invocations.length + requests.length, 'agent call')} and ${countNoun(answered, 'finished iteration')}`,
      };
    },
  };
}

/** Checks that no process that the run started outlives it. The harness adds this check to every scenario. */
export function nothingLeftBehind(): Check {
  return {
    kind: 'nothingLeftBehind',
    name: 'no process is left behind',
    category: 'Processes',
    judge: ({ leftBehind }) => ({
      passed: leftBehind.length === 0,
      expected: 'no process left after the run',
      actual: list(
        leftBehind.map(({ pid, command }) => `${pid}: ${command.slice(0, 120)}`),
        'none',
      ),
      suggestion: 'The target exited and left these processes running. The harness ended them.',
    }),
  };
}

/** Checks that the target exited on its own, within the time limit. The harness adds this check to every scenario. */
export function endedByItself(who = 'Ralph'): Check {
  return {
    kind: 'endedByItself',
    name: `${who} exits on its own`,
    category: 'Processes',
    judge: ({ exit }) => ({
      passed: exit.kind === 'exited' && exit.code !== 101,
      expected: 'an exit on its own within the time limit',
      actual:
        exit.kind === 'timed-out'
          ? `still running after ${exit.afterSeconds} s; the harness ended it and its children`
          : exit.kind === 'killed'
            ? `killed by ${exit.signal}`
            : exit.kind === 'interrupted'
              ? 'interrupted by the user'
              : `exit code ${exit.code}${exit.code === 101 ? ' (a Rust panic)' : ''}`,
    }),
  };
}

/**
 * Checks that Ralph's files say what Ralph printed and sent. The harness adds this check to every loop: an agent can write
 * to the files, and checks read them.
 */
export function recordsAgree(): Check {
  return {
    kind: 'recordsAgree',
    name: "Ralph's records agree with what it printed and sent",
    category: 'Harness',
    guard: 'only forged records break it, and `npm run attack` forges them',
    judge: ({ contradictions = [] }) => ({
      passed: contradictions.length === 0,
      expected: 'no contradiction between the files in .ralph, the output and the prompts',
      actual: list(contradictions, 'no contradiction'),
      suggestion:
        'Either Ralph recorded something that did not happen, or the agent wrote to the files of Ralph.',
    }),
  };
}

/** Checks that the agent script had a rule for every prompt. The harness adds this check in the offline lanes. */
export function scriptAnswered(who = 'Ralph'): Check {
  return {
    kind: 'scriptAnswered',
    name: 'the agent script answers every prompt',
    category: 'Harness',
    judge: (evidence) => {
      const unanswered = findUnanswered(evidence);
      const expected = 'a rule for every prompt, and only calls that the stand-in supports';
      if (unanswered === undefined) return { passed: true, expected, actual: 'every prompt answered' };
      const { detail = 'a prompt without an answer', unanswered: prompt } = unanswered;
      return {
        passed: false,
        expected,
        actual: prompt === undefined ? detail : `${detail}\nThe whole prompt is in ${UNANSWERED_FILE}.`,
        suggestion: `The prompt lacks the text that the script expects: ${who} did not send it, or the script is wrong.`,
        about: { unanswered: momentOf(unanswered, evidence) },
      };
    },
  };
}

/** The file in the folder of an attempt that keeps the first prompt without an answer. */
export const UNANSWERED_FILE = 'unanswered-prompt.txt';

type ScriptedCall = Evidence['invocations'][number] | Evidence['requests'][number];

/** Returns the first call that the agent script has no answer to. */
export function findUnanswered({ invocations, requests }: Evidence): ScriptedCall | undefined {
  return (
    invocations.find(({ outcome }) => outcome !== 'played' && outcome !== 'not-a-prompt') ??
    requests.find(({ outcome }) => outcome === 'no-match' || outcome === 'script-error')
  );
}

/** Returns the turn or the iteration of a call. In a loop, each iteration is a conversation of its own. */
function momentOf(call: ScriptedCall, { conversation, startedAt, invocations, requests }: Evidence): number {
  if (conversation !== undefined)
    return conversation.turns.findLast((turn) => turn.startedAt <= call.at)?.number ?? 1;
  const prompts = [
    ...invocations.filter(({ promptSource }) => promptSource !== 'none'),
    ...requests.filter(({ kind }) => kind === 'main'),
  ];
  const before = prompts.filter(({ at }) => at >= startedAt && at <= call.at);
  return new Set([...before, call].map((prompt) => prompt.conversation)).size;
}

/** Checks that nothing tried to write, connect or look up a name outside the sandbox. Fails if the run was not isolated. */
export function stayedInside(): Check {
  return {
    kind: 'stayedInside',
    name: 'nothing tries to leave the sandbox',
    category: 'Harness',
    judge: ({ isolation }) => ({
      passed: isolation !== undefined && isolation.stopped.length === 0,
      expected: 'an isolated run with no attempt to leave the sandbox',
      actual:
        isolation === undefined
          ? 'the run was not isolated'
          : list(isolation.stopped.map(describeStopped), 'nothing'),
      suggestion:
        isolation === undefined
          ? 'Run with --isolation bwrap or --isolation docker. Without isolation, attempts cannot be seen.'
          : 'The agent, or a process that it started, tried to get out. The sandbox stopped it.',
    }),
  };
}
