import type { SeededRandom } from './random.js';
import { COMMANDS } from './words/commands.js';
import { COMPOUNDS } from './words/compounds.js';
import { PATHS } from './words/files.js';
import { INPUTS, MISTAKES, type ToolInput } from './words/inputs.js';
import { OTHER_RULES } from './words/settings.js';

/** Draws a shell command. */
function drawCommand(random: SeededRandom): string {
  const simple = () => random.pick(COMMANDS).replace('PATH', () => drawPath(random));
  if (random.chance(0.45)) return simple();
  return random
    .pick(COMPOUNDS)
    .replace(/\b[AB]\b/g, simple)
    .replace('PATH', () => drawPath(random));
}

function drawPath(random: SeededRandom): string {
  return random.chance(0.4) ? 'a.txt' : random.pick(PATHS);
}

/** A tool call of a case. */
export interface DrawnCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

/** Draws a call of a tool: mostly one that can run, sometimes one that the tool does not take. */
export function drawCall(random: SeededRandom): DrawnCall {
  if (random.chance(0.08)) return drawFrom(random, MISTAKES);
  if (random.chance(0.6)) return { name: 'Bash', input: { command: drawCommand(random) } };
  return random.chance(0.75) ? drawFrom(random, FILE_INPUTS) : drawFrom(random, INPUTS);
}

const FILE_INPUTS = { Read: INPUTS.Read, Write: INPUTS.Write, Edit: INPUTS.Edit };

function drawFrom(random: SeededRandom, inputs: Readonly<Record<string, readonly ToolInput[]>>): DrawnCall {
  const [name, choices] = random.pick(Object.entries(inputs));
  const input = Object.entries(random.pick(choices)).map(([key, value]) => [
    key,
    value === 'PATH' ? drawPath(random) : value,
  ]);
  return { name, input: Object.fromEntries(input) };
}

/** Draws a permission rule; half of them are about a command or a path of this case. */
export function drawRule(random: SeededRandom, near: readonly string[]): string {
  if (random.chance(0.08)) return random.pick(OTHER_RULES);
  if (random.chance(0.6)) return drawCommandRule(random, near);
  const tool = random.pick(['Read', 'Edit', 'Write']);
  if (random.chance(0.3)) return tool;
  return `${tool}(${random.pick([drawPath(random), ...PATH_PATTERNS])})`;
}

const PATH_PATTERNS = [
  ...[
    'a.txt',
    '/a.txt',
    'src/**',
    'src',
    '*.txt',
    '**',
    '*',
    '~/x',
    '//etc/**',
    './src/*',
    './A.TXT',
    '?.txt',
  ],
  ...[
    '[ab].txt',
    '~/**',
    '~/far/far.txt',
    '/{{home}}/**',
    '/{{workspace}}/a.txt',
    '.env',
    '**/.env',
    '*.lnk',
  ],
];

function drawCommandRule(random: SeededRandom, near: readonly string[]): string {
  if (random.chance(0.15)) return random.pick(['Bash', 'Bash(*)', 'Bash()']);
  const command = random.chance(0.7) && near.length > 0 ? random.pick(near) : drawCommand(random);
  const words = command.split(/[\s;|&(){}`]+/).filter((word) => /^[\w.-]+$/.test(word));
  const [first = 'ls', second = ''] = words;
  return random.pick([
    `Bash(${command})`,
    `Bash(${first}:*)`,
    `Bash(${first} *)`,
    `Bash(${first})`,
    `Bash(${first} ${second}:*)`,
    `Bash(* ${words.at(-1) ?? 'x'})`,
    `Bash(${first}*)`,
  ]);
}
