/** What the arguments of a program are. */
type Arguments =
  /** Never a path. */
  | 'text'
  | 'read'
  | 'write'
  /** A pattern, then files to read. */
  | 'pattern'
  /** Files to read, then a file or a folder to write. */
  | 'copy'
  /** The same, and the files are gone. */
  | 'move'
  | 'remove'
  /** A file to read, then perhaps one to write. */
  | 'filter';

/** A program that only reads and writes the files that its arguments name. */
export interface ProgramRule {
  readonly takes: Arguments;
  /** The options that it may get. Options that start a program, follow links or name files elsewhere are not among them. */
  readonly options: RegExp;
  /** At most this many arguments. */
  readonly most?: number;
}

/** A single dash is no option. */
const NONE = /^-$/;
const ANY = /^/;

/** The programs that a recording may start. Those of the shell that change what later words mean have rules of their own. */
export const PLAIN_PROGRAMS: Readonly<Record<string, ProgramRule>> = {
  echo: { takes: 'text', options: ANY },
  true: { takes: 'text', options: ANY },
  false: { takes: 'text', options: ANY },
  ':': { takes: 'text', options: ANY },
  seq: { takes: 'text', options: /^-\d+$/ },
  tr: { takes: 'text', options: /^-[cds]+$/ },
  basename: { takes: 'text', options: NONE },
  dirname: { takes: 'text', options: NONE },
  pwd: { takes: 'text', options: /^-P$/, most: 1 },
  cat: { takes: 'read', options: /^-[AbEnsTv]+$/ },
  head: { takes: 'read', options: /^-(?:[nc]?-?\d+|[ncqv])$/ },
  tail: { takes: 'read', options: /^-(?:[nc]?[+-]?\d+|[ncqv])$/ },
  wc: { takes: 'read', options: /^-[lwcm]+$/ },
  cut: { takes: 'read', options: /^-(?:[cf][\d,-]*|d.?|s)$/ },
  rev: { takes: 'read', options: NONE },
  tac: { takes: 'read', options: NONE },
  nl: { takes: 'read', options: /^-ba$/ },
  paste: { takes: 'read', options: /^-(?:s|d.?|sd.?)$/ },
  fold: { takes: 'read', options: /^-(?:s|w\d*)$/ },
  sort: { takes: 'read', options: /^-(?:[bdfgnrsuV]+|k[\d.,nr]*)$/ },
  ls: { takes: 'read', options: /^-[1AFRSadhlprt]+$/ },
  cmp: { takes: 'read', options: /^-s$/ },
  diff: { takes: 'read', options: /^-(?:[BbNiqruw]+|U\d+)$/ },
  grep: { takes: 'pattern', options: /^-(?:[EFHchilnoqrsvwx]+|[ABCm]\d*)$/ },
  uniq: { takes: 'filter', options: /^-[cdiu]+$/ },
  mkdir: { takes: 'write', options: /^-(?:p|v|pv|vp)$/ },
  touch: { takes: 'write', options: NONE },
  tee: { takes: 'write', options: /^-a$/ },
  cp: { takes: 'copy', options: /^-[Rfnprv]+$/ },
  mv: { takes: 'move', options: /^-[fnv]+$/ },
  rm: { takes: 'remove', options: /^-[Rfrv]+$/ },
};

/** The commands of Ralph that agents use. None of them starts an agent, an editor or a hook, or uses the network. */
const RALPH_COMMANDS =
  /^(?:emit|events|hats|hats (?:list|show|validate)|loops|loops list|tools (?:memory|task|skill) [a-z]+)$/;
/** Options that name no file, folder or address. As in Ralph 2.10.1. */
const RALPH_OPTIONS =
  /^(?:-[adhjlpstv]|--(?:all|blocked-by|budget|clear|color|days|description|force|format|help|iteration|json|key|last|limit|priority|recent|status|tags|topic|ts|type|verbose)(?:=[\s\S]*)?)$/;

/** Whether a replay may call Ralph with these arguments. */
export function isAgentsCall(args: readonly string[]): boolean {
  const [first = '', second = '', third = ''] = args;
  const depth = first === 'tools' ? 3 : first === 'hats' || first === 'loops' ? 2 : 1;
  const command = [first, second, third].slice(0, depth).join(' ').trim();
  if (!RALPH_COMMANDS.test(command)) return false;
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  return before.every((word) => !word.startsWith('-') || RALPH_OPTIONS.test(word));
}

/** Whether a command prints the id of what it makes, and nothing else. */
export function printsId(words: readonly string[]): boolean {
  const [call, format] = [words.slice(0, 4).join(' '), words.indexOf('--format')];
  return /^ralph tools (?:task (?:add|ensure)|memory add)$/.test(call) && words[format + 1] === 'quiet';
}
