import type { Check } from '../../../domain/check.js';
import { checkConversation } from './check-turn.js';

/** Checks that the dev server of the scenario ran until the end of the conversation, whatever the agent did to it. */
export function devServerRan(): Check {
  return checkConversation({
    kind: 'devServerRan',
    name: 'the dev server runs until the end of the conversation',
    category: 'Processes',
    judge: ({ devServer }) => ({
      passed: devServer !== undefined && devServer.endedEarly === null,
      expected: 'a dev server that runs until the end of the conversation',
      actual:
        devServer === undefined
          ? 'a conversation without a dev server'
          : devServer.endedEarly === null
            ? `${devServer.url} until the end`
            : `${devServer.url} until it ended: ${devServer.endedEarly}`,
    }),
  });
}
