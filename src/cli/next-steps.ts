import { quoteCommand } from '../report/text/safe-text.js';
import { describeProgram } from './program-name.js';

/** A command of this program to run next: what it is for, and its words. */
export type NextStep = readonly [purpose: string, words: readonly string[]];

/** Lists commands to run next, each with its purpose as a comment. */
export function listNextSteps(steps: readonly NextStep[]): string[] {
  const program = describeProgram(process.argv[1] ?? '', process.env.PATH);
  const commands = steps.map(([purpose, words]) => ({
    purpose,
    command: quoteCommand([...program, ...words]),
  }));
  const width = Math.max(...commands.map(({ command }) => command.length));
  return ['Next:', ...commands.map(({ purpose, command }) => `  ${command.padEnd(width)}   # ${purpose}`)];
}
