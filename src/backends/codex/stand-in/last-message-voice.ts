import type { Voice } from '../../../agent/face/plain-face.js';
import type { Write } from '../../../agent/face/surroundings.js';
import { toFault } from '../../../agent/server/faults.js';
import type { Failure } from '../../../domain/agent-script.js';

/**
 * Prints only the agent's last message on stdout, at the end. The real CLI prints the rest, including the prompt, on
 * stderr, seconds earlier. The stand-in would print both at once, and Ralph reads the two pipes in any order: a line on
 * stderr that it reads after the promise voids the promise.
 */
export function lastMessageVoice(write: Write): Voice {
  let message: string[] = [];
  let isOver = false;
  let exitCode = 0;
  return {
    show(action) {
      switch (action.kind) {
        case 'text':
          message = isOver ? [action.text] : [...message, action.text];
          isOver = false;
          return;
        case 'tool':
          isOver = true;
          return;
        case 'failure': {
          exitCode = 1;
          const line = `ERROR: ${describeFailure(action.failure)}\n`;
          // Once when it happens, and once as the result of the turn.
          return write('stderr', line + line);
        }
        case 'hang':
          return;
        default:
          action satisfies never;
      }
    },
    end() {
      if (exitCode === 0 && message.length > 0) write('stdout', `${message.join('\n')}\n`);
      return exitCode;
    },
  };
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  413: 'Payload Too Large',
  529: '<unknown status code>',
};

function describeFailure(failure: Failure): string {
  const fault = toFault(failure);
  if (fault.kind !== 'refuse') return 'stream disconnected before completion: error sending request';
  const { status, message } = fault;
  if (status === 429) return 'exceeded retry limit, last status: 429 Too Many Requests';
  if (status === 500) return 'We’re currently experiencing high demand, which may cause temporary errors.';
  const text = STATUS_TEXTS[status];
  return text === undefined ? message : `unexpected status ${status} ${text}: ${message}`;
}
