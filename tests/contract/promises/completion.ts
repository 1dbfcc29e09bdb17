import type { Promises } from '../promise.js';

export const completion: Promises = {
  'promise-on-last-line': {
    promise: 'A loop completes when the promise stands alone on the last non-empty line of the output.',
    source: 'ralph-core/src/event_parser.rs: contains_promise',
    heldBy: { 'claude-completion': ['ends', 'iterations'] },
    about: ['config event_loop.completion_promise', 'reason completed'],
  },
};
