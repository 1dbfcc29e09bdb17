import { type GuardedChange, type Guards, whyGuarded } from '../guards.js';
import type { CommandLine, Redirect, SimpleCommand } from './command-line.js';
import { isAgentsCall, PLAIN_PROGRAMS, type ProgramRule, printsId } from './programs.js';

/** Where a command line runs. */
export interface CommandPlace {
  readonly workspace: string;
  /** The folder of the shell, relative to the workspace; empty for the workspace itself. */
  readonly cwd: string;
  readonly guards: Guards;
}

/** A path of the workspace that a command line names, relative to it. */
export interface NamedPath {
  readonly path: string;
  /** `source`: it is copied or moved with everything in it. */
  readonly use: 'read' | 'write' | 'source' | 'script';
}

/** What a command line does, or why a replay does not run it. */
export type CheckedLine =
  | { readonly kind: 'fine'; readonly paths: readonly NamedPath[] }
  | {
      readonly kind: 'refused';
      readonly why: string;
      /** Set if a part of it changes what is guarded. */
      readonly guarded: string | null;
    };

class Refused extends Error {}
class GuardedPath extends Refused {}

/** Checks that a command line starts only what a replay may start, and names only files of the workspace. */
export function checkCommandLine(line: CommandLine, place: CommandPlace): CheckedLine {
  // A `cd` may fail, so later words may mean either folder.
  const around: Around = { ...place, folders: [place.cwd], paths: [], kept: new Set() };
  const refusals = line.flatMap(({ commands }) => commands.flatMap((command) => tryCheck(command, around)));
  const [first] = refusals;
  if (first === undefined) return { kind: 'fine', paths: around.paths };
  const guarded = refusals.find((refusal) => refusal instanceof GuardedPath);
  return { kind: 'refused', why: first.message, guarded: guarded?.message ?? null };
}

function tryCheck(command: SimpleCommand, around: Around): Refused[] {
  try {
    checkSimple(command, around);
    return [];
  } catch (error) {
    if (error instanceof Refused) return [error];
    throw error;
  }
}

/** Whether a command line asks Ralph something. */
export function callsRalph(line: CommandLine): boolean {
  return line.some(({ commands }) => commands.some(({ words }) => words[0] === 'ralph'));
}

interface Around extends CommandPlace {
  readonly folders: string[];
  readonly paths: NamedPath[];
  /** The names of the outputs that were kept so far. */
  readonly kept: Set<string>;
}

function checkSimple({ keeps, words, redirects }: SimpleCommand, around: Around): void {
  // An id that Ralph printed is neither an option nor a path.
  const texts = words.map((word) => (typeof word === 'string' ? word : 'id'));
  const [program = '', ...args] = texts;
  if (keeps !== undefined && (redirects.length > 0 || !printsId(texts)))
    refuse('the output of something else than a new task or memory is kept');
  const used = words.flatMap((word) => (typeof word === 'string' ? [] : word.parts));
  if (used.some((part) => typeof part !== 'string' && !around.kept.has(part.kept)))
    refuse('an id is used that no call of Ralph printed');
  if (keeps !== undefined) around.kept.add(keeps);
  if (program !== 'ralph' && words.some((word) => typeof word !== 'string'))
    refuse('an id is given to another program than Ralph');
  for (const redirect of redirects) checkRedirect(redirect, around);
  const special = SPECIAL[program];
  const rule = Object.hasOwn(PLAIN_PROGRAMS, program) ? PLAIN_PROGRAMS[program] : undefined;
  if (program === 'ralph') {
    if (!isAgentsCall(args)) refuse(`ralph ${args[0] ?? ''} is not a command of agents`);
  } else if (Object.hasOwn(SPECIAL, program) && special !== undefined) special(args, around);
  else if (rule !== undefined) checkProgram(program, rule, args, around);
  else if (program.includes('/')) useScript(program, around);
  else refuse(`${program} may start or reach something else`);
}

function checkRedirect(redirect: Redirect, around: Around): void {
  if (redirect.kind === 'join' || redirect.kind === 'text' || redirect.path === '/dev/null') return;
  if (redirect.kind === 'read') read(redirect.path, around);
  else change(redirect.path, 'file', around);
}

/** Programs and parts of the shell whose arguments are not just options and files. */
const SPECIAL: Readonly<Record<string, (args: readonly string[], around: Around) => void>> = {
  cd: (args, around) => {
    const [folder = '', ...more] = args;
    if (more.length > 0 || folder.startsWith('-')) refuse('cd needs one folder');
    around.folders.push(...placesOf(folder, around));
    read(folder, around);
  },
  exit: ([code = '0', ...more]) => {
    if (more.length > 0 || !/^\d{1,3}$/.test(code)) refuse('exit needs a number');
  },
  set: (args) => {
    if (!/^(?:-[eu]{1,2}(?:o pipefail)?|-o pipefail)$/.test(args.join(' '))) refuse('set changes the shell');
  },
  // `-v` and `%n` assign a variable, and its name may contain a command.
  printf: (args) => {
    const [format = ''] = args[0] === '--' ? args.slice(1) : args;
    if (format.startsWith('-') || !PLAIN_FORMAT.test(format)) refuse('printf needs a plain format');
  },
  test: (args, around) => checkTest(args, around),
  '[': (args, around) => {
    if (args.at(-1) !== ']') refuse('[ needs a ]');
    checkTest(args.slice(0, -1), around);
  },
  sh: (args, around) => useScript(args[0] ?? '', around),
  bash: (args, around) => useScript(args[0] ?? '', around),
};

/** Texts and numbers, with flags and widths that are not arguments. */
const PLAIN_FORMAT = /^(?:[^%]|%(?:%|[-+ 0#]{0,5}\d{0,5}(?:\.\d{1,5})?[bcdiosuxX]))*$/;

/** `-v` would evaluate its argument, so only these forms are known. */
function checkTest(args: readonly string[], around: Around): void {
  const [first = '', second = '', third] = args[0] === '!' ? args.slice(1) : args;
  const count = args.length - (args[0] === '!' ? 1 : 0);
  if (count === 2 && /^-[defrswxL]$/.test(first)) return read(second, around);
  if (count === 2 && /^-[nz]$/.test(first)) return;
  if (count === 3 && third !== undefined && /^(?:=|!=|-eq|-ne|-lt|-le|-gt|-ge)$/.test(second)) return;
  refuse('test is used in an unusual way');
}

function checkProgram(
  program: string,
  { takes, options, most }: ProgramRule,
  args: readonly string[],
  around: Around,
): void {
  if (most !== undefined && args.length > most) refuse(`${program} has too many arguments`);
  const isOption = (word: string) => word.startsWith('-') && word !== '-';
  const unknown = args.find((word) => isOption(word) && !options.test(word));
  if (unknown !== undefined) refuse(`${program} ${unknown} is not a known option`);
  // It stands for the input, so what the other words are depends on where it is.
  if (args.includes('-') && takes !== 'read' && takes !== 'text') refuse(`${program} - is not a file`);
  const files = args.filter((word) => !isOption(word) && word !== '-');
  const last = files.at(-1) ?? '';
  const others = files.slice(0, -1);
  switch (takes) {
    case 'text':
      return;
    case 'read':
      for (const file of files) read(file, around);
      return;
    case 'pattern':
      for (const file of files.slice(1)) read(file, around);
      return;
    case 'write':
      for (const file of files) change(file, 'file', around);
      return;
    case 'remove':
      for (const file of files) change(file, 'tree', around);
      return;
    case 'filter':
      for (const file of files.slice(0, 1)) read(file, around);
      for (const file of files.slice(1)) change(file, 'file', around);
      return;
    case 'copy':
    case 'move':
      if (others.length === 0) refuse(`${program} needs two files`);
      for (const file of others) {
        if (takes === 'move') change(file, 'tree', around);
        name(file, 'source', around);
        // The last argument may be a folder.
        change(`${last}/${file.split('/').findLast((part) => part !== '') ?? ''}`, 'tree', around);
      }
      change(last, args.some((word) => /^-\w*[rR]/.test(word)) ? 'tree' : 'file', around);
      if (others.some((file) => file.split('/').findLast((part) => part !== '') === '.'))
        refuse(`${program} gets all that is in a folder`);
      return;
    default:
      takes satisfies never;
  }
}

/** A script of the scenario may run. Whether it is still as it was is checked when it starts. */
function useScript(word: string, around: Around): void {
  const places = word.startsWith('-') ? [] : placesOf(word, around);
  if (around.folders.some((folder) => folder !== '')) refuse('a script starts in another folder');
  if (places.length === 0 || !places.every((path) => Object.hasOwn(around.guards.files, path)))
    refuse(`${word || 'a shell'} is not a script of the scenario`);
  around.paths.push(...places.map((path) => ({ path, use: 'script' as const })));
}

function read(word: string, around: Around): void {
  name(word, 'read', around);
}

function change(word: string, how: GuardedChange, around: Around): void {
  for (const path of placesOf(word, around)) {
    const why = path === '' ? 'it is the workspace itself' : whyGuarded(path, how, around.guards);
    // Copying or moving into the workspace is no change of the folder itself.
    if (why !== null && !(path === '' && how === 'file'))
      throw new GuardedPath(`${word} must not be changed: ${why}`);
  }
  name(word, 'write', around);
}

function name(word: string, use: NamedPath['use'], around: Around): void {
  around.paths.push(...placesOf(word, around).map((path) => ({ path, use })));
}

function placesOf(word: string, { workspace, folders }: Around): string[] {
  return [...new Set(folders.map((folder) => placeInside(word, folder, workspace)))];
}

function placeInside(word: string, folder: string, workspace: string): string {
  const found = insidePath(word, workspace, folder);
  return found ?? refuse(`${word === '' ? 'an empty path' : word} is outside the workspace`);
}

/** Returns a path relative to the workspace; null if it is not inside, or goes upward. */
export function insidePath(word: string, workspace: string, folder = ''): string | null {
  const isAbsolute = word.startsWith('/');
  if (word === '' || (isAbsolute && word !== workspace && !word.startsWith(`${workspace}/`))) return null;
  const from = isAbsolute ? word.slice(workspace.length) : `${folder}/${word}`;
  const parts = from.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? null : parts.join('/');
}

function refuse(why: string): never {
  throw new Refused(why);
}
