import { basename, resolve } from 'node:path';
import { type ShellPart, splitShellLine } from '../../../../domain/text/shell-line.js';
import { isInside } from '../plugins/paths.js';
import { askFor, decideTool, mayBeProtected, PERMITTED, type PermissionContext } from './files.js';
import { fitFile, fitsCommand, limitsOf, namesTool } from './rules.js';

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
  const isTame = !/(?<![\w-])rm\s(?:.*\s)?-(?:\w*[rR]|-recursive)|[\0-\x08\x0b-\x1f\x7f]/.test(command);
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
