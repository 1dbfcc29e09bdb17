import { toFault } from '../agent/server/faults.js';
import type { Printer } from '../agent/stand-in/plain-stand-in.js';
import type { Write } from '../agent/stand-in/surroundings.js';
import type { Failure } from '../domain/agent-script.js';

/**
 * Prints only the agent's last message on stdout, at the end, or a failure on stderr. What else a real CLI prints on
 * stderr, seconds earlier, is left out: Ralph reads the two pipes in any order, and a line on stderr that it reads after
 * the promise voids the promise.
 */
export function lastMessagePrinter(
  write: Write,
  {
    describeFailure,
    keepsEarlier,
  }: {
    readonly describeFailure: (failure: Failure) => string;
    /** Whether an earlier message is the last one, if the agent says nothing after its last tool call. */
    readonly keepsEarlier: boolean;
  },
): Printer {
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
        case 'failure':
          exitCode = 1;
          return write('stderr', `${describeFailure(action.failure)}\n`);
        case 'hang':
          return;
        default:
          action satisfies never;
      }
    },
    end() {
      const isShown = exitCode === 0 && message.length > 0 && (keepsEarlier || !isOver);
      if (isShown) write('stdout', `${message.join('\n')}\n`);
      return exitCode;
    },
  };
}

/** Describes a failure for CLIs that pass on the status and the message of their service. */
export function describeServiceFailure(failure: Failure): string {
  const fault = toFault(failure);
  return fault.kind === 'refuse' ? `${fault.status} ${fault.message}` : `Connection error (${failure.type})`;
}
