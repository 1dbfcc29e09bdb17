import type { Check } from '../../../domain/check.js';
import { list } from '../../../domain/checks/text.js';
import { type ChainedCommand, listCommandChain } from '../stages/command-chain.js';
import { checkConversation } from './check-turn.js';

/** Checks that exactly these commands ran and completed, in this order. Names may leave out the plugin. */
export function commandsWere(...commands: readonly [string, ...string[]]): Check {
  const wanted = commands.map((name) => name.replace(/^\//, ''));
  return checkConversation({
    kind: 'commandsWere',
    name: `the commands are ${wanted.join(' → ')}`,
    about: { names: wanted },
    category: 'PromptEffectiveness',
    judge: ({ turns }) => {
      const chain = listCommandChain(turns);
      const done = chain.filter(({ outcome }) => outcome === 'completed');
      return {
        passed:
          done.length === wanted.length &&
          done.every(({ name }, index) => name === wanted[index] || name.endsWith(`:${wanted[index]}`)),
        expected: wanted.join(' → '),
        actual: describeChain(chain),
      };
    },
  });
}

/** Checks that the agent led from command to command: an answer suggested each one before the user sent it. */
export function commandsChained(): Check {
  return checkConversation({
    kind: 'commandsChained',
    name: 'each command was suggested by an answer before it',
    category: 'PromptEffectiveness',
    judge: ({ turns }) => {
      const chain = listCommandChain(turns);
      return {
        passed: chain.length > 1 && chain.slice(1).every(({ suggestedIn }) => suggestedIn !== null),
        expected: 'at least two commands, and a suggestion of each but the first',
        actual: describeChain(chain),
      };
    },
  });
}

function describeChain(chain: readonly ChainedCommand[]): string {
  return list(
    chain.map(({ turn, name, outcome, suggestedIn }) => {
      const led = suggestedIn === null ? 'not suggested' : `suggested in turn ${suggestedIn}`;
      return `turn ${turn}: /${name} (${outcome}, ${led})`;
    }),
    'no commands',
  );
}
