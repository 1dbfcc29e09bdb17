import { basename, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { escapeRegex } from '../../../domain/text/escape-regex.js';
import { type ShellPart, splitShellLine } from '../../../domain/text/shell-line.js';
import type { PermissionMode } from './arguments.js';
import { followLinks, isInside, pathOf, readLink, type WorkingFolders } from './plugins/paths.js';

/** Whether a tool may run. `unjudged`: only Claude Code can say. */
export type Permission =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'denied'; readonly message: string; readonly byRule: boolean }
  | { readonly kind: 'unjudged'; readonly what: string };

export interface PermissionContext {
  readonly mode: PermissionMode;
  readonly folders: WorkingFolders;
  /** Rules are relative to where the program was started, commands to where the shell is. */
  readonly places: RuleFolders;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  /** A hook or the script allows the tool. Rules, protected files and `plan` still stand in the way. */
  readonly approved: boolean;
}

/** Nobody can be asked in print mode, so the question is the refusal. */
export function askFor(tool: string, mode: PermissionMode, question: string): Permission {
  const refusal = `Permission to use ${tool} has been denied because Claude Code is running in don't ask mode.`;
  return { kind: 'denied', message: mode === 'dontAsk' ? refusal : question, byRule: false };
}

type Input = Readonly<Record<string, unknown>>;

const PERMITTED: Permission = { kind: 'allowed' };

/** Decides by deny and ask rules, then by the mode that allows everything, then by allow rules, then by the mode. */
export function decideTool(tool: string, input: Input, context: PermissionContext): Permission {
  const { mode, folders, places, allow, ask } = context;
  const path = pathOf(input, folders.cwd, places.home);
  const changes = tool === 'Write' || tool === 'Edit';
  const denied = deniedFile(tool, input, context);
  if (denied !== null) return denied;
  const what = path === null ? `use ${tool}` : `${changes ? 'write to' : 'read from'} ${path}`;
  const question = askFor(
    tool,
    mode,
    `Claude requested permissions to ${what}, but you haven't granted it yet.`,
  );
  if (changes && path !== null && readLink(path) !== null)
    return askFor(tool, 'default', `Refusing to write ${path}: it is a symbolic link.`);
  const match = (rules: readonly string[]) => (path === null ? [] : fitFile(rules, tool, path, places));
  const isAsked = wholeTools(ask).some((rule) => fitsCommand(rule, tool)) || match(ask).includes(true);
  if ((changes && mode === 'plan') || isAsked || namesTool(ask, tool)) return question;
  if (mode === 'bypassPermissions') return PERMITTED;
  const isInReach = path === null || isInside(path, folders) || mode === 'plan';
  const isOpen = isInReach && !tool.startsWith('mcp__') && (!changes || mode === 'acceptEdits');
  const isAllowed = namesTool(allow, tool) || (path !== null && !match(allow).includes(false));
  if (!context.approved && !isAllowed && !isOpen) return question;
  const isOdd = path !== null && (changes ? mayBeProtected(path, context) : ODD_NAME.test(path));
  return isOdd ? { kind: 'unjudged', what: `judging what happens to ${path}` } : PERMITTED;
}

/** Returns the refusal of a file by a deny rule, which comes before hooks and permissions; or null. */
export function deniedFile(tool: string, input: Input, context: PermissionContext): Permission | null {
  const path = pathOf(input, context.folders.cwd, context.places.home);
  if (path === null) return null;
  // What must not be read must not be changed either.
  const fits = [tool, 'Read'].flatMap((name) => fitFile(context.deny, name, path, context.places));
  const message = 'File is in a directory that is denied by your permission settings.';
  return fits.includes(true) ? { kind: 'denied', message, byRule: true } : null;
}

/** Whether Claude Code may ask before a file is changed, whatever was accepted: it configures programs, or is a plugin's. */
function mayBeProtected(path: string, { places: { cwd }, folders }: PermissionContext): boolean {
  const names = [relative(cwd, path), relative(followLinks(cwd) ?? cwd, followLinks(path) ?? path)];
  const isFolder = folders.all.includes(path) || isInside(path, { cwd, all: folders.plugins ?? [] });
  return isFolder || names.some((name) => PROTECTED.test(`/${name}`) || ODD_NAME.test(name));
}

/** Claude Code 2.1.325 knows most of these names by more letters. */
const PROTECTED =
  /\/(?:\.(?:git(?!ignore)|vscode|idea|husky|devcontainer|claude|config|cargo|yarn|mvn|bash|z|profile|rip|env|mcp|npm|pre-|pnp|bazel)|\.?lefthook\.|bunfig\.)|[^ -~]/i;
/** Names that Windows would read differently: Claude Code asks on every system. */
const ODD_NAME = /~\d|\.(?:con|prn|aux|nul|com\d|lpt\d)$|[^/. ][. ]+(?:\/|$)|(?:^|\/)\.{3,}(?:\/|$)/i;

/** Decides whether a tool may run; a shell line part by part. What cannot be read or judged is refused by name. */
export function decidePermission(...call: Parameters<typeof decideTool>): ReturnType<typeof decideTool> {
  const [tool, input, context] = call;
  if (tool !== 'Bash') return decideTool(...call);
  const command = String(input.command ?? '');
  const { mode, deny, ask, approved } = context;
  const unjudged = { kind: 'unjudged', what: `judging the line ${JSON.stringify(command)}` } as const;
  const isAsked = namesTool(ask, 'Bash');
  const limits = limitsOf([...deny, ...ask], 'Bash');
  const hasRules = isAsked || [...limits, ...limitsOf(deny, 'Read'), ...limitsOf(deny, 'Edit')].length > 0;
  // Even if permissions are skipped, Claude Code asks before the workspace is removed.
  const isTame = !/(?<![\w-])rm\s(?:.*\s)?-(?:\w*[rR]|-recursive)/.test(command);
  // A person who is asked would not see these.
  if (/(?![\t\n])\p{Cc}/u.test(command)) return unjudged;
  const isOpen =
    mode === 'bypassPermissions' || (mode !== 'plan' && (approved || namesTool(context.allow, 'Bash')));
  if (mode === 'bypassPermissions' && !hasRules && isTame) return PERMITTED;
  const parts = splitShellLine(command);
  const isBackground = mode !== 'bypassPermissions' && /(?<![&<>|])&(?![&>])/.test(command);
  if (parts === null) return isOpen && !hasRules && isTame && !isBackground ? PERMITTED : unjudged;
  const files = parts.map((part) => deniedIn(part, context));
  const fits = (rules: readonly string[]) => parts.some((part) => fitsPart(limitsOf(rules, 'Bash'), part));
  const message = `Permission to use Bash with command ${command} has been denied.`;
  if (fits(deny) || files.includes('read')) return { kind: 'denied', message, byRule: true };
  const question = askFor('Bash', mode, 'This command requires approval');
  if (isAsked || fits(ask)) return question;
  const isDisguised = parts.length > 1 && limits.some((limit) => fitsCommand(limit, command.trim()));
  const starts = parts.some(({ words: [name = ''] }) => KINDS.get(basename(name)) === 'starts');
  if (hasRules && (isDisguised || starts || files.includes('named'))) return unjudged;
  const needs = parts.map((part) => needOf(part, parts, context));
  const isRemoval = ({ words }: ShellPart) => /\brm(?:dir)?$/.test(words[0] ?? '');
  const isRisky = starts || parts.some((part, at) => isRemoval(part) && needs[at] !== 'edits');
  if (mode === 'bypassPermissions') return isRisky && !isTame ? unjudged : PERMITTED;
  if (isOpen) return needs.includes('special') || (isRisky && !isTame) ? unjudged : PERMITTED;
  const allow = limitsOf(context.allow, 'Bash');
  const verdicts = parts.map((part, at) => decidePart(part, needs[at] ?? 'unknown', allow, mode));
  if (verdicts.every((verdict) => verdict === 'allowed')) return PERMITTED;
  return verdicts.includes('denied') && !allow.includes(command.trim()) ? question : unjudged;
}

/** `may-read`: nothing or a rule. `special`: something that a rule or the mode may not give. `unknown`: any of these. */
type Need = 'nothing' | 'edits' | 'rule' | 'may-read' | 'special' | 'unknown';

function decidePart(part: ShellPart, need: Need, allow: readonly string[], mode: PermissionContext['mode']) {
  if (need === 'nothing' || (need === 'edits' && mode === 'acceptEdits')) return 'allowed';
  // `plan` ignores some rules, and none allows a redirection.
  const mayHelp = mode !== 'plan' && part.writes.length === 0 && need !== 'special' && need !== 'unknown';
  if (allow.some((limit) => fitsCommand(limit, part.source))) return mayHelp ? 'allowed' : 'unjudged';
  const isDenied = need === 'edits' || need === 'rule' || (need === 'special' && mode !== 'acceptEdits');
  return isDenied ? 'denied' : 'unjudged';
}

/** Whether a rule that denies or asks fits: neither quotes nor a path hide a command from it. */
function fitsPart(limits: readonly string[], { source, words: [name = '', ...rest] }: ShellPart): boolean {
  const spellings = [source, [name, ...rest].join(' '), [basename(name), ...rest].join(' ')];
  return limits.some((limit) => spellings.some((text) => fitsCommand(limit, text)));
}

/** Whether a part reads a denied file, or has a word that may mean one. */
function deniedIn({ words, reads, writes }: ShellPart, { deny, folders, places }: PermissionContext) {
  const isDenied = (tool: string) => (word: string) =>
    fitFile(deny, tool, resolve(folders.cwd, word), places).includes(true);
  if (KINDS.get(words[0] ?? '') === 'reads' && words.some(isDenied('Read'))) return 'read';
  const named = [...words.flatMap((word) => word.split('=')), ...reads, ...writes];
  return named.some(isDenied('Read')) || named.some(isDenied('Edit')) ? 'named' : null;
}

function needOf(part: ShellPart, line: readonly ShellPart[], context: PermissionContext): Need {
  const { source, reads, writes } = part;
  const [name = '', ...rest] = part.words;
  const kind = KINDS.get(name);
  const options = rest.filter((word) => word.startsWith('-'));
  const operands = rest.filter((word) => !word.startsWith('-'));
  const changed = [...writes, ...(kind === 'writes' ? operands : [])];
  const touched = [...changed, ...reads, ...(kind === 'reads' ? operands : [])];
  const locate = (word: string) => resolve(context.folders.cwd, word);
  const isFree = (word: string) => PLAIN_PATH.test(word) && isInside(locate(word), context.folders);
  const others = line.length > 1 ? line.map(({ words }) => words[0]) : [];
  const isEntangled = others.includes('cd') || (others.includes('git') && changed.length > 0);
  if (KINDS.get(basename(name)) === 'starts' || isEntangled) return 'unknown';
  const isGuarded = changed.some((word) => mayBeProtected(locate(word), context));
  if (!touched.every(isFree) || isGuarded) return 'special';
  const isFreeOption = kind === 'reads' ? /^[^/=]*$/ : /^(?:mkdir|rm|rmdir|echo)$/.test(name) ? /^/ : /^$/;
  const isPlain = options.every((word) => isFreeOption.test(word));
  if (!source.startsWith(name)) return writes.length > 0 ? 'unknown' : 'may-read';
  if (kind === 'writes') return isPlain && operands.length > 0 ? 'edits' : 'special';
  if (isPlain && (kind === 'reads' || kind === 'prints')) return writes.length > 0 ? 'edits' : 'nothing';
  if (kind === undefined && !/^-?-[vV]/.test(options[0] ?? '')) return writes.length > 0 ? 'special' : 'rule';
  return writes.length > 0 ? 'unknown' : 'may-read';
}

/** Neither a pattern nor a way upward. */
const PLAIN_PATH = /^(?!.*(?:^|\/)\.\.(?:\/|$))[^$*?[\]{}~`]+$/s;

/** `may-read`: depends on the options or the folder. `starts`: no rule for a prefix is enough. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    prints: 'echo printf true false pwd sleep',
    reads: 'cat head tail ls wc diff',
    writes: 'touch mkdir rm rmdir mv cp',
    'may-read': `arch base64 basename cal cd cmp column comm cut date df dirname du egrep expand expr fgrep file fmt fold
      free git grep groups hexdump history hostname id locale man md5sum nl nproc numfmt od paste pr ps readlink realpath
      rev rg seq sha1sum sha256sum sort stat strings tac tr tree tsort type uname unexpand uniq uptime which whoami`,
    starts: `. [ [[ alias awk bash builtin chrt command dash declare doas env eval exec export find flock gawk getopts
      ionice jq ksh let local ltrace mapfile mawk nawk nice nohup nsenter pushd read readarray readonly script sed set
      setsid sh shopt source ssh stdbuf strace sudo taskset tee test timeout trap typeset unset unshare watch xargs zsh`,
  }).flatMap(([kind, names]) => names.split(/\s+/).map((name) => [name, kind] as const)),
);

interface RuleFolders {
  readonly cwd: string;
  readonly home: string;
}

/** Splits `Bash(git *)` into the tool and its limit. `Bash(*)` has none. */
function parseRule(text: string): { readonly tool: string; readonly limit: string | null } {
  const [, tool = text, limit = '*'] = /^([^(]+)\((.*)\)$/s.exec(text) ?? [];
  return { tool, limit: limit === '*' ? null : limit };
}

/** Lists the tools that rules name without a limit. */
export function wholeTools(rules: readonly string[]): string[] {
  return rules.map(parseRule).flatMap(({ tool, limit }) => (limit === null ? [tool] : []));
}

/** Lists the limits that rules set on a tool: `git *`. An empty one fits nothing. */
export function limitsOf(rules: readonly string[], tool: string): string[] {
  return rules.map(parseRule).flatMap((rule) => (rule.tool === tool && rule.limit ? [rule.limit] : []));
}

/** Whether a rule names the whole tool, or the whole MCP server that it belongs to. */
export function namesTool(rules: readonly string[], tool: string): boolean {
  const server = /^mcp__.+?(?=__)/.exec(tool)?.[0] ?? tool;
  return wholeTools(rules).some((rule) => [tool, server, `${server}__*`].includes(rule));
}

/** Whether a limit fits a command: `git:*` and `git *` fit a prefix, another `*` fits anything. */
export function fitsCommand(limit: string, command: string): boolean {
  const texts = limit.replace(/:\*$/, ' *').split('*').map(escapeRegex);
  return new RegExp(`^${texts.join('.*').replace(/ \.\*$/, '(?: .*)?')}$`, 's').test(command);
}

/** Whether a rule fits a file: by its name, and by where its links lead. Only Read and Edit limit files. */
export function fitFile(rules: readonly string[], tool: string, path: string, { cwd, home }: RuleFolders) {
  const follow = (place: string) => followLinks(place) ?? place;
  const limits = limitsOf(rules, /^(?:Read|Glob|Grep)$/.test(tool) ? 'Read' : 'Edit');
  return [
    limits.some((limit) => fitsPath(limit, path, { cwd, home })),
    limits.some((limit) => fitsPath(limit, follow(path), { cwd: follow(cwd), home: follow(home) })),
  ];
}

/** Compares as .gitignore does, in upper or lower case: `//` starts at the root, `~/` at home, the rest in the workspace. */
function fitsPath(limit: string, path: string, { cwd, home }: RuleFolders): boolean {
  const inside = relative(limit.startsWith('//') ? '/' : limit.startsWith('~/') ? home : cwd, path);
  const pattern = limit.replace(/^\.\/|\/$/g, '').replace(/^[/~](?=\/)/, '');
  const glob = `${pattern.includes('/') ? '' : '**/'}${pattern.replace(/^\//, '').replace(/[(){}|]/g, '\\$&')}`;
  const options = { dot: true, nocase: true, nonegate: true, posix: true };
  return !/^\.\.(?:\/|$)/.test(inside) && picomatch.isMatch(inside || '.', [glob, `${glob}/**`], options);
}
