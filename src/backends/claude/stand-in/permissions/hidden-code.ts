import { EVALUATORS, FOREIGN_BUILTINS, STARTERS } from './commands.js';
import { CONDITIONS } from './readers/conditions.js';
import { controlsCommands } from './shell/variables.js';
import type { ShellWord } from './shell/words.js';

/** Says how a command may run other code than what its name promises, so that no rule for a prefix allows it; or null. */
export function describeCode(name: string, rest: readonly ShellWord[]): string | null {
  if (EVALUATORS.includes(name)) return `'${name}' evaluates arguments as shell code`;
  if (FOREIGN_BUILTINS.includes(name)) return `Zsh builtin '${name}' can bypass security checks`;
  if (STARTERS.includes(name)) return `What '${name}' starts can't be checked before it runs`;
  const texts = rest.map(({ text }) => text);
  const [first = ''] = texts;
  if (name === 'time' && first.startsWith('-')) return `'time ${first}' can't be checked before it runs`;
  if (name === 'timeout' && /\s|^(?!-)(?!\d+(?:\.\d+)?[smhd]?$)./.test(first))
    return `timeout duration '${first}' can't be checked before it runs`;
  const lost = name === 'unset' ? texts.find(controlsCommands) : undefined;
  if (lost !== undefined)
    return `'unset' targets shell variable ${lost} (exec-influencing / integer-attr / IFS / PS4)`;
  const found = HIDING_PLACES.find(
    ({ names, pattern }) => names.includes(name) && texts.some((text) => pattern.test(text)),
  );
  if (found === undefined) return null;
  return found.message(name, texts.find((text) => found.pattern.test(text)) ?? '');
}

interface HidingPlace {
  readonly names: readonly string[];
  /** Matches one of the words after the name. */
  readonly pattern: RegExp;
  readonly message: (name: string, word: string) => string;
}

const AWKS = ['awk', 'gawk', 'mawk', 'nawk'];

const HIDING_PLACES: readonly HidingPlace[] = [
  {
    names: ['find'],
    pattern: /^-(?:exec|ok|delete|f(?:ls|print|printf)|files0-from)/,
    message: (_, word) =>
      `find with '${word}' executes commands or modifies files — cannot be auto-allowed by a Bash(find:*) prefix rule`,
  },
  {
    names: AWKS,
    pattern: /\bsystem\s*\(/,
    message: (name) => `${name} program contains system() which executes arbitrary commands`,
  },
  {
    names: AWKS,
    pattern: /\|&?\s*(?:["(]|getline)|"\s*\|/,
    message: (name) =>
      `${name} program contains a command pipe (| "cmd" or | getline) which executes arbitrary commands`,
  },
  {
    names: AWKS,
    pattern: /@\s*\w/,
    message: (name) =>
      `${name} program contains @load/@include or an @indirect call which can execute arbitrary code`,
  },
  {
    names: AWKS,
    pattern: /^(?:-[^Fv]|--)/,
    message: (name) => `${name} has an option that can't be checked before it runs`,
  },
  {
    names: ['jq'],
    pattern: /^(?:-[a-zA-Z]*[fL]|--(?:from-file|slurpfile|rawfile|argfile|library-path|run-tests)(?:=|$))/,
    message: () => 'jq command contains dangerous flags that could execute code or read arbitrary files',
  },
  {
    names: ['jq'],
    pattern: /\bsystem\s*\(/,
    message: () => 'jq command contains system() function which executes arbitrary commands',
  },
  {
    names: ['jq'],
    pattern: /\b(?:import|include)\b/,
    message: () =>
      'jq command contains include/import — modules can load arbitrary .jq files via {search:"."} and call env or other builtins',
  },
  {
    names: ['env'],
    pattern: /^(?:-[a-zA-Z]*[SC]|--(?:split-string|chdir)(?:=|$))/,
    message: (_, word) => `'env ${word}' can't be checked before it runs`,
  },
  {
    names: ['declare', 'typeset', 'local'],
    pattern: /^[-+][a-zA-Z]*[naAiFELRZluc]/,
    message: (name, word) =>
      `${name} flag ${word} changes assignment semantics (nameref/integer/float/array/width-truncation/case-conversion)`,
  },
  {
    names: ['declare', 'typeset', 'local', 'readonly', 'export'],
    pattern: /^[^-=][^=]*\[/,
    message: (name, word) =>
      `${name} operand '${word}' is not a plain NAME with an inert value — the shell may re-parse it as a subscript, an expanded name or a compound assignment`,
  },
  { names: ['sed'], pattern: /^=$/, message: () => 'Parse error' },
  {
    names: CONDITIONS,
    pattern: /\w\[/,
    message: (name) =>
      `'${name} -v' operand contains array subscript or runtime-determined value — bash evaluates $(cmd) in subscripts`,
  },
];
