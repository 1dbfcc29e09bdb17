import type { Voice } from '../../../agent/face/plain-face.js';
import type { Write } from '../../../agent/face/surroundings.js';
import { describePiFailure } from './failures.js';

/** The voice of `pi -p`: the last message on stdout at the end, or the failure on stderr. */
export function textVoice(write: Write): Voice {
  let message: string[] = [];
  let failed = false;
  return {
    show(action) {
      switch (action.kind) {
        case 'text':
          message.push(action.text);
          return;
        case 'tool':
          message = [];
          return;
        case 'failure':
          failed = true;
          return write('stderr', `${describePiFailure(action.failure)}\n`);
        case 'hang':
          return;
        default:
          action satisfies never;
      }
    },
    end() {
      if (failed) return 1;
      if (message.length > 0) write('stdout', `${message.join('\n')}\n`);
      return 0;
    },
  };
}
