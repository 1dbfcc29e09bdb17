import { distrustMade, type Judged, judgeContext, judgeLine } from './judge-line.js';
import type { Judgement } from './judgement.js';
import { MAKES_REPOSITORY, makesRepository } from './places/repositories.js';
import { findHiddenRemoval } from './removals.js';
import { allowsAnyCode } from './rules/auto-rules.js';
import { anyLimitFits, anyRuleFits, limitedRules, wholeTools } from './rules/rules.js';
import { spellingsForAllow, spellingsForDeny, spellingsForPatterns } from './rules/spellings.js';
import { hidesSum, UNCHECKED_REMOVAL } from './shell/documents.js';
import { parseCommandLine, type ShellCommand } from './shell/parse.js';
import { piecesOf, roughPiecesOf } from './shell/pieces.js';
import { controlsCommands, variablesSetBy } from './shell/variables.js';
import {
  allowedBy,
  askFor,
  askPerson,
  deniedByRule,
  type Permission,
  type PermissionContext,
  rejectedCommand,
} from './verdicts.js';

/** Decides whether a shell command may run. */
export function decideBash(command: string, context: PermissionContext): Permission {
  if (CONTROL_CHARACTERS.test(command)) return rejectedCommand(HIDDEN);
  const { mode, folders, root, home, deny, ask } = context;
  const hasOwnCheck = mode === 'auto' || mode === 'plan';
  const isApproved = context.approved && mode !== 'plan';
  const own = hasOwnCheck ? context.allow.filter((rule) => !allowsAnyCode(rule)) : context.allow;
  const rules = isApproved ? ['Bash'] : own;
  const line = parseCommandLine(command, { home, cwd: folders.cwd });
  const commands = line.kind === 'commands' ? line.commands : [];
  const places = { cwd: root, home };
  const askBecause = (message: string, event: Readonly<Record<string, string>> = {}) =>
    askFor('Bash', mode, message, event);
  const pieces = [
    ...commands,
    ...piecesOf(command),
    ...(line.kind === 'opaque' ? roughPiecesOf(command) : []),
  ];
  const nested = line.kind === 'commands' ? line.nested : 0;
  const judgements = distrustMade(commands, judgeLine(commands, context), nested);
  const isPiped = line.kind === 'commands' && line.piped;
  const spellings = [
    ...(line.kind === 'opaque' || isNamedWhole(judgements, isPiped, acceptsEdits(mode))
      ? [command.trim()]
      : []),
    ...pieces.flatMap(spellingsForDeny),
  ];
  if (namesExactly(deny, command)) return denied(command);
  if (anyLimitFits(deny, { tool: 'Bash', commands: spellings }, places)) return denied(command);
  const touched = judgements.flatMap(({ reads, writes }) => [
    ...reads.map((path) => ({ tool: 'Read', path })),
    ...writes.map((path) => ({ tool: 'Edit', path })),
  ]);
  if (touched.some((use) => anyRuleFits(limitedRules(deny), use, places))) return denied(command);
  const isUnreadable = line.kind === 'opaque' && /^Parse error|shell operators/.test(line.reason);
  const usesOwn =
    line.kind === 'opaque' && /^A variable in/.test(line.reason) && /(?:^|[;\s])\w+=/.test(command);
  if ((isUnreadable || usesOwn) && namesDenied(command, context)) return denied(command);
  const isAsked = anyLimitFits(ask, { tool: 'Bash', commands: spellings }, places);
  // Somebody who wants to be asked about files is not asked about a shell that reads or changes them.
  if (isAsked) {
    const message = "Claude requested permissions to use Bash, but you haven't granted it yet.";
    return askPerson('Bash', mode, message, { decision_reason_type: 'rule' });
  }
  if (hidesSum(command)) return askBecause(UNCHECKED_REMOVAL);
  const isDangerous = ({ judgement }: Judged) => judgement.kind === 'asks' && judgement.check === 'dangerous';
  const checked =
    line.kind === 'opaque' ? judgeLine(withClosedQuotes(command, context), context) : judgements;
  const dangerous =
    checked.find(isDangerous)?.judgement ??
    findHiddenRemoval(command, line.kind === 'opaque', judgeContext(context));
  if (dangerous !== null) return askBecause(messageOf(dangerous), eventOf(dangerous));
  if (mode === 'bypassPermissions') return allowedBy('mode');
  const isSafetyCheck = ({ judgement }: Judged) => judgement.kind === 'asks' && judgement.check !== undefined;
  const check = checked.find(isSafetyCheck)?.judgement;
  if (check !== undefined) return askBecause(messageOf(check), eventOf(check));
  const allRule = wholeTools(rules).includes('Bash');
  const background = line.kind === 'commands' && line.background;
  const onlyReads = judgements.every(({ judgement }) => judgement.kind === 'reads');
  if (allRule && !(background && onlyReads)) return allowedBy('rule');
  if (line.kind === 'opaque') {
    const isNamed = !line.reason.includes('shell operators') && namesExactly(rules, command);
    if (isNamed && !LEAVES_RUNNING.test(command)) return allowedBy('rule');
    return askBecause(line.reason, { decision_reason_type: 'other', decision_reason: line.reason });
  }
  const isPlain = judgements.every(({ judgement }) => isAllowedByName(judgement));
  // The parts of a pipeline are allowed one by one.
  if (isPlain && !background && !line.piped && namesExactly(rules, command)) return allowedBy('rule');
  const set = commands.flatMap(({ words }) => variablesSetBy(words, commands.length === 1));
  const sets = line.sets ?? (set.length > 0 ? 'alone' : null);
  if ((sets !== null && !context.shellHasRun) || set.some(controlsCommands)) {
    return askBecause(
      sets === 'loop'
        ? 'This command requires approval'
        : "A variable set in this command can't be checked before it runs",
    );
  }
  const written = judgements.flatMap(({ writes }) => writes);
  if (makesRepository(commands, written, folders.cwd)) return askBecause(MAKES_REPOSITORY);
  const decision = decideCommands(commands, judgements, { ...context, allow: rules });
  if (!decision.allowed) return decision;
  if (background) {
    return askBecause(BACKGROUND, { decision_reason_type: 'safetyCheck', decision_reason: BACKGROUND });
  }
  return decision;
}

/** Whether rules that deny or ask also see the line as a whole: if it touches files, or is a pipeline that does more than read. */
function isNamedWhole(judgements: readonly Judged[], isPiped: boolean, areEditsAccepted: boolean): boolean {
  return judgements.some(({ judgement: { kind } }) => {
    if (kind === 'unknown') return isPiped;
    return kind === 'asks' || (kind === 'edits' && !areEditsAccepted);
  });
}

function decideCommands(
  commands: readonly ShellCommand[],
  judgements: readonly Judged[],
  { mode, allow, root, home }: PermissionContext,
): Permission {
  const places = { cwd: root, home };
  const unknown: string[] = [];
  let edited = false;
  for (const [index, command] of commands.entries()) {
    const judgement = judgements[index]?.judgement ?? { kind: 'unknown' };
    const spellings = { commands: spellingsForAllow(command), patterns: spellingsForPatterns(command) };
    const byRule = anyRuleFits(allow, { tool: 'Bash', ...spellings }, places);
    switch (judgement.kind) {
      case 'reads':
        break;
      case 'asks':
        if (judgement.exactRuleHelps === 'anywhere' && namesExactly(allow, command.source)) break;
        return askFor('Bash', mode, judgement.message, eventOf(judgement));
      case 'edits':
        edited = true;
        if (!acceptsEdits(mode) && !(byRule && judgement.ruleHelps))
          return askFor('Bash', mode, judgement.message, {});
        if (!byRule && judgement.alsoUnknown) unknown.push(command.source);
        break;
      case 'unknown':
        if (!byRule) unknown.push(command.source);
        break;
      default:
        judgement satisfies never;
    }
  }
  if (unknown.length === 0) return allowedBy(edited && mode === 'auto' ? 'mode' : 'subcommandResults');
  if (commands.length === 1) {
    const reason = 'This command requires approval';
    return askFor('Bash', mode, reason, { decision_reason_type: 'other', decision_reason: reason });
  }
  const which = unknown.length === 1 ? 'part requires' : 'parts require';
  const message = `This Bash command contains multiple operations. The following ${which} approval: ${unknown.join(', ')}`;
  return askFor('Bash', mode, message, { decision_reason_type: 'subcommandResults' });
}

function acceptsEdits(mode: PermissionContext['mode']): boolean {
  return mode === 'acceptEdits' || mode === 'auto';
}

/** What the real program checks of a line with a quote that nothing closes: the line as if the quote ended with it. */
function withClosedQuotes(command: string, { home, folders }: PermissionContext): readonly ShellCommand[] {
  const lines = ['"', "'"].map((quote) => parseCommandLine(command + quote, { home, cwd: folders.cwd }));
  return lines.flatMap((line) => (line.kind === 'commands' ? line.commands : []));
}

/** A command that nobody can take apart is denied if one of its words is a denied file. */
function namesDenied(command: string, { deny, folders, root, home }: PermissionContext): boolean {
  const places = { cwd: root, home };
  return piecesOf(command)
    .flatMap(({ words }) => words.flatMap(({ text }) => text.split(/\s+/)))
    .filter((word) => word !== '' && !word.startsWith('-'))
    .map((word) => (word.startsWith('/') ? word : `${folders.cwd}/${word.replace(/^\.\//, '')}`))
    .some((path) => anyRuleFits(limitedRules(deny), { tool: 'Read', path }, places));
}

function namesExactly(rules: readonly string[], command: string): boolean {
  // A star anywhere makes a rule a pattern, and spaces around the command are not a part of it.
  return rules.some((rule) => rule === `Bash(${command.trim()})` && !rule.includes('*'));
}

/** Whether a rule for exactly the line is enough. Files that a command changes need more. */
function isAllowedByName(judgement: Judgement): boolean {
  if (judgement.kind === 'asks') return judgement.exactRuleHelps !== undefined;
  return judgement.kind === 'reads' || judgement.kind === 'unknown';
}

function messageOf(judgement: Judgement): string {
  return 'message' in judgement ? judgement.message : '';
}

function eventOf(judgement: Judgement): Readonly<Record<string, string>> {
  return judgement.kind === 'asks' ? (judgement.event ?? {}) : {};
}

function denied(command: string): Permission {
  return deniedByRule(`Permission to use Bash with command ${command} has been denied.`, 'subcommandResults');
}

const CONTROL_CHARACTERS = /[\0-\x08\x0b-\x1f\x7f]/;
const HIDDEN = 'command contains control characters that would be hidden in the approval dialog';

/** A single `&` that is not part of a redirection. */
const LEAVES_RUNNING = /(?<![&<>])&(?![&>])/;

const BACKGROUND =
  'This command uses the `&` background operator, which defers execution past approval-time safety checks. Approve only if you trust it.';
