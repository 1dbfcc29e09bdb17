import type { Check } from '../../../domain/check.js';
import { list } from '../../../domain/checks/text.js';
import type { Turn } from '../../../domain/evidence/conversation.js';
import { assertCommandSuggested } from '../strategies/command-suggested.js';
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

/** A command of a conversation as a link in a chain. */
interface ChainedCommand {
  readonly turn: number;
  /** The whole name, such as `agent-loop:plan`. */
  readonly name: string;
  readonly args: string;
  readonly outcome: Turn['outcome']['kind'];
  /** The turn whose answer suggested it, since the command before; null for the first one, and if none did. */
  readonly suggestedIn: number | null;
}

/** Lists the commands that the CLI ran, in order, and which answer led to each. */
function listCommandChain(turns: readonly Turn[]): ChainedCommand[] {
  const chain: ChainedCommand[] = [];
  for (const { number, command, outcome } of turns) {
    if (command === null) continue;
    const { turn: previous } = chain.at(-1) ?? { turn: number };
    const suggestedIn = turns
      .filter((turn) => turn.number >= previous && turn.number < number)
      .findLast(({ text }) => suggests(text, command.name))?.number;
    const { name, args } = command;
    chain.push({ turn: number, name, args, outcome: outcome.kind, suggestedIn: suggestedIn ?? null });
  }
  return chain;
}

/** Whether an answer suggests a command, by its whole name or without the name of its plugin. */
function suggests(text: string, name: string): boolean {
  const bare = name.slice(name.indexOf(':') + 1);
  return [name, bare].some((known) => assertCommandSuggested(text, known, { allowVariations: false }).passed);
}
