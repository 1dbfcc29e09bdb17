import { type ListPart, type SimpleCommand, splitShell, type Word } from './shell-words.js';

/** What a replay does with a recorded shell command. */
export type CommandPlan =
  /** It runs as it is. */
  | { readonly kind: 'run'; readonly asksRalph: boolean }
  /** Its recorded answer is shown. Of the command, only the calls of Ralph run. */
  | { readonly kind: 'show'; readonly commands: readonly string[] }
  /** Ralph was called in a way that cannot be repeated without the rest. */
  | { readonly kind: 'cannot' };

/**
 * Programs that only read and write the files that their arguments name. A recording may come from somebody else, so
 * nothing runs that could start another program or reach the network.
 */
const PLAIN_PROGRAMS: ReadonlySet<string> = new Set([
  ...['cat', 'head', 'tail', 'wc', 'uniq', 'cut', 'tr', 'rev', 'tac', 'nl', 'paste', 'fold', 'grep'],
  ...['ls', 'pwd', 'basename', 'dirname', 'mkdir', 'touch', 'cp', 'mv', 'rm', 'tee', 'cmp', 'diff'],
  ...['true', 'false', ':', 'cd', 'set', 'exit', 'seq', 'test', '['],
]);
/** Programs that treat their arguments as text and never as paths. */
const TEXT_PROGRAMS: ReadonlySet<string> = new Set(['ralph', 'echo', 'printf']);
/** The commands of Ralph that agents use. Each acts on the workspace that it runs in. */
const AGENT_COMMANDS: ReadonlySet<string> = new Set(['emit', 'tools', 'events', 'hats', 'loops']);

/** Where a recorded command ran. */
export interface CommandPlace {
  readonly workspace: string;
  /** Scripts that the scenario puts into the workspace. They are ours, and run as they are. */
  readonly scripts: ReadonlySet<string>;
}

/** Decides what a replay does with a shell command. */
export function planCommand(command: string, place: CommandPlace, failed: boolean): CommandPlan {
  const parts = splitShell(command);
  if (parts === null) return mentionsRalph(command) ? { kind: 'cannot' } : { kind: 'show', commands: [] };
  const assigned = new Set(['RALPH_BIN', ...parts.flatMap(({ commands }) => commands.flatMap(listAssigned))]);
  const isPlain = ({ commands }: ListPart) =>
    commands.every((simple) => isPlainCommand(simple, { ...place, assigned }));
  if (parts.every(isPlain)) return { kind: 'run', asksRalph: parts.some(callsRalph) };
  const ralphs = parts.filter((part) => callsRalph(part) || (!isPlain(part) && mentionsRalph(part.text)));
  // Nobody knows how far a command came that failed.
  if (ralphs.length > 0 && (failed || !ralphs.every(isPlain))) return { kind: 'cannot' };
  return { kind: 'show', commands: ralphs.map(({ text }) => text) };
}

function mentionsRalph(command: string): boolean {
  return /\bralph["']?\s+(?:emit|tools|run)\b|RALPH_BIN/.test(command);
}

function callsRalph({ commands }: ListPart): boolean {
  return commands.some((simple) => programOf(simple) === 'ralph');
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

function listAssigned({ words }: SimpleCommand): string[] {
  return words.flatMap(({ text }) => ASSIGNMENT.exec(text)?.[1] ?? []);
}

/** Leaves out the assignments before the program. */
function dropAssignments(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => !ASSIGNMENT.test(text));
  return first < 0 ? [] : words.slice(first);
}

/** Names the program; empty if there are only assignments. Ralph tells agents its own path in a variable. */
function programOf({ words }: SimpleCommand): string {
  const [program] = dropAssignments(words);
  if (program === undefined) return '';
  return program.text === '' && program.variables.join() === 'RALPH_BIN' ? 'ralph' : program.text;
}

interface Surroundings extends CommandPlace {
  readonly assigned: ReadonlySet<string>;
}

function isPlainCommand(simple: SimpleCommand, around: Surroundings): boolean {
  const { words, redirects } = simple;
  const program = programOf(simple);
  const [, ...args] = dropAssignments(words);
  const known = [...words, ...redirects].every(({ variables }) =>
    variables.every((name) => around.assigned.has(name)),
  );
  const setters = words.slice(0, words.length - args.length - (program === '' ? 0 : 1));
  // A variable such as PATH would let a plain name start something else.
  if (!known || setters.some(({ text }) => /^(?:PATH|LD_\w+|BASH_\w+|ENV|IFS|RALPH_BIN)=/.test(text)))
    return false;
  if (!redirects.every((word) => isInsidePath(word, around.workspace))) return false;
  if (program === '') return true;
  if (program === 'ralph') return AGENT_COMMANDS.has(args[0]?.text ?? '');
  if (TEXT_PROGRAMS.has(program)) return true;
  if (around.scripts.has(scriptOf(program, args))) return true;
  return PLAIN_PROGRAMS.has(program) && args.every((word) => isInsidePath(word, around.workspace));
}

/** Names the script that is started: `sh wait.sh`, `./wait.sh`. */
function scriptOf(program: string, [first]: readonly Word[]): string {
  const path =
    program === 'sh' || program === 'bash' ? (first?.text ?? '') : program.includes('/') ? program : '';
  return path.replace(/^\.\//, '');
}

const ROOTED = /(?<![\w.\-*?\]/])\//;
const UPWARD = /(?:^|\/)\.\.(?:\/|$)/;

/** Whether a word names nothing outside the workspace. A word that the shell computes may name anything. */
function isInsidePath({ text, variables, substitutes }: Word, workspace: string): boolean {
  if (variables.length > 0 || substitutes) return false;
  if (/^\/dev\/(?:null|stdout|stderr)$/.test(text)) return true;
  const rest =
    text === workspace ? '' : text.startsWith(`${workspace}/`) ? text.slice(workspace.length + 1) : text;
  return !ROOTED.test(rest) && !UPWARD.test(rest) && !rest.includes('~') && !/^-.*\//.test(rest);
}
