import type { Turn } from '../../../domain/evidence/conversation.js';
import { assertCommandSuggested } from '../strategies/command-suggested.js';

/** A command of a conversation as a link in a chain. */
export interface ChainedCommand {
  readonly turn: number;
  /** The whole name, such as `agent-loop:plan`. */
  readonly name: string;
  readonly args: string;
  readonly outcome: Turn['outcome']['kind'];
  /** The turn whose answer suggested it, since the command before; null for the first one, and if none did. */
  readonly suggestedIn: number | null;
}

/** Lists the commands that the CLI ran, in order, and which answer led to each. */
export function listCommandChain(turns: readonly Turn[]): ChainedCommand[] {
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
