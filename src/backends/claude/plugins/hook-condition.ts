import { resolve } from 'node:path';
import { splitShellLine } from '../../../domain/text/shell-line.js';
import { fitFile, fitsCommand, type RuleFolders } from '../stand-in/permissions.js';

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
 * Judges the `if` of a hook as Claude Code 2.1.325 does. It is a permission rule, but a rule for Edit does not mean
 * Write. A hook with a condition does not run for an event without a call.
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
      return judgeLine(specifier, call.input.command);
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

function judgeLine(specifier: string, command: unknown): ConditionVerdict {
  if (typeof command !== 'string') return { kind: 'unknown', why: 'the call: tool_input has no "command"' };
  const parts = splitShellLine(command);
  if (parts === null || parts.some(({ words }) => words[0] === 'xargs')) {
    return { kind: 'unknown', why: `which commands ${JSON.stringify(command)} runs` };
  }
  return parts.some(({ words }) => fitsCommand(specifier, words.join(' '))) ? FITS : MISSES;
}

function judgeFile(specifier: string, { tool, input }: HookedCall, folders: RuleFolders): ConditionVerdict {
  if (typeof input.file_path !== 'string') {
    return { kind: 'unknown', why: 'the call: tool_input has no "file_path"' };
  }
  const path = resolve(folders.cwd, input.file_path);
  const subject = tool === 'Read' ? 'Read' : 'Edit';
  const rule = `${subject}(${specifier.replace(/^\.\//, '')})`;
  // Besides the pattern for files, the whole path is compared as a text.
  const fits = fitFile([rule], subject, path, folders).includes(true) || fitsCommand(specifier, path);
  return fits ? FITS : MISSES;
}
