import { resolve } from 'node:path';
import { anyRuleFits, fitsCommand, type RuleFolders } from '../stand-in/permissions/rules/rules.js';
import { parseCommandLine } from '../stand-in/permissions/shell/parse.js';

/** The call of a tool that a hook may run for. */
export interface HookedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Whether Claude Code would run a hook for a call. */
type ConditionVerdict =
  | { readonly kind: 'fits' }
  | { readonly kind: 'misses' }
  /** Only Claude Code can say. */
  | { readonly kind: 'unknown'; readonly why: string };

const FITS: ConditionVerdict = { kind: 'fits' };
const MISSES: ConditionVerdict = { kind: 'misses' };

/**
 * Judges the `if` of a hook as Claude Code 2.1.325 does. It is a permission rule, but is compared otherwise than one: a
 * rule for Edit does not mean Write, a wrapper such as `timeout` hides a command, variables in front of it do not, and
 * a line that cannot be taken apart fits every rule. A hook with a condition does not run for an event without a call.
 */
export function judgeCondition(
  condition: string | null,
  call: HookedCall | null,
  folders: RuleFolders,
): ConditionVerdict {
  if (condition === null || condition === '') return FITS;
  if (call === null) return MISSES;
  const [, limited, specifier = ''] = /^([^(]+)\((.*)\)$/s.exec(condition) ?? [];
  const tool = limited ?? condition;
  if (tool.startsWith('mcp__') && tool !== call.tool && call.tool.startsWith('mcp__')) {
    return { kind: 'unknown', why: `whether ${condition} means ${call.tool}` };
  }
  if (nameTool(tool) !== nameTool(call.tool)) return MISSES;
  if (specifier === '' || specifier === '*') return FITS;
  switch (tool) {
    case 'Bash':
      return judgeLine(specifier, call.input.command, folders);
    case 'Read':
    case 'Edit':
    case 'Write':
      return judgeFile(specifier, call, folders);
    default:
      return { kind: 'unknown', why: `what ${condition} means` };
  }
}

/** The tool for subagents has two names. */
function nameTool(tool: string): string {
  return tool === 'Task' ? 'Agent' : tool;
}

function judgeLine(specifier: string, command: unknown, folders: RuleFolders): ConditionVerdict {
  if (typeof command !== 'string') return { kind: 'unknown', why: 'the call: tool_input has no "command"' };
  const line = parseCommandLine(command, folders);
  if (line.kind === 'opaque') {
    return FITS_ALL.test(line.reason)
      ? FITS
      : { kind: 'unknown', why: `which commands ${JSON.stringify(command)} runs` };
  }
  const texts = line.commands.flatMap(({ words }) => {
    const plain = words.map(({ text }) => text);
    return plain[0] === 'xargs' ? [plain, plain.slice(1)] : [plain];
  });
  return texts.some((words) => words.length > 0 && fitsCommand(specifier, words.join(' '))) ? FITS : MISSES;
}

/** Why a line cannot be taken apart, where Claude Code runs every hook for it. In other lines it finds more. */
const FITS_ALL = /^(?:Parse error|Heredoc|A function definition|A group in braces|A command used as a file)/;

function judgeFile(specifier: string, { tool, input }: HookedCall, folders: RuleFolders): ConditionVerdict {
  if (typeof input.file_path !== 'string') {
    return { kind: 'unknown', why: 'the call: tool_input has no "file_path"' };
  }
  const path = resolve(folders.cwd, input.file_path);
  const subject = tool === 'Read' ? 'Read' : 'Edit';
  const rule = `${subject}(${specifier.replace(/^\.\//, '')})`;
  // Besides the pattern for files, the whole path is compared as a text.
  const fits = anyRuleFits([rule], { tool: subject, path }, folders) || fitsCommand(specifier, path);
  return fits ? FITS : MISSES;
}
