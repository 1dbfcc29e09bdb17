import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { findExecutable } from '../exec/find-executable.js';
import { quoteCommand } from '../report/text/safe-text.js';

const NAME = 'ralph-e2e';

/** Returns the words that start this program again from here: its name, npx with its name, or node with its path. */
export function describeProgram(script: string, pathVariable: string | undefined): string[] {
  const found = findExecutable(NAME, pathVariable);
  const inModules = script.includes(`${sep}node_modules${sep}`);
  // npx puts node_modules/.bin on PATH only for its child: the user's shell would not find the name there.
  if (found !== null && !found.includes(`${sep}node_modules${sep}`) && sameFile(found, script)) return [NAME];
  if (inModules) return ['npx', NAME];
  const here = relative(process.cwd(), script);
  return ['node', here.startsWith('..') || isAbsolute(here) ? script : here];
}

function sameFile(a: string, b: string): boolean {
  return realpathSync(a) === realpathSync(b);
}

/** Returns the words that start this program again from here. */
export function ownProgram(): string[] {
  return describeProgram(process.argv[1] ?? '', process.env.PATH);
}

/** Names a path as the user would type it here. */
export function fromHere(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

/** A command of this program to run next: what it is for, and its words. */
export type NextStep = readonly [purpose: string, words: readonly string[]];

/** Lists commands to run next, each with its purpose as a comment. */
export function listNextSteps(steps: readonly NextStep[]): string[] {
  const program = ownProgram();
  const commands = steps.map(([purpose, words]) => ({
    purpose,
    command: quoteCommand([...program, ...words]),
  }));
  const width = Math.max(...commands.map(({ command }) => command.length));
  return ['Next:', ...commands.map(({ purpose, command }) => `  ${command.padEnd(width)}   # ${purpose}`)];
}
