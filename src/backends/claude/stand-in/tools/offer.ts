import { escapeRegex } from '../../../../domain/text/escape-regex.js';
import { availableTools, TOOL_NAMES } from '../identity.js';

/** Lists the tools that rules without a limit switch off: by name, by a pattern with stars, or with their whole server. */
export function switchedOff(rules: readonly string[], serverTools: readonly string[]): string[] {
  const patterns = rules.map(toPattern);
  return [...TOOL_NAMES, ...serverTools].filter((name) => patterns.some((pattern) => pattern.test(name)));
}

function toPattern(rule: string): RegExp {
  const source = rule.split('*').map(escapeRegex).join('.*');
  const isServer = /^mcp__/.test(rule) && !rule.slice(5).includes('__');
  return new RegExp(`^${source}${isServer ? '(?:__.*)?' : ''}$`);
}

/** Lists the tools of a call. */
export function offeredTools(off: readonly string[], serverTools: readonly string[]): string[] {
  return [...availableTools(off), ...serverTools.filter((name) => !off.includes(name))];
}

/** Why the real program does not have a tool, after its name. */
export function explainAbsence(name: string, off: readonly string[]): string {
  const search = SEARCHES[name];
  if (search !== undefined && !off.includes('Bash'))
    return `. ${name} is not available in this session — ${search} via the Bash tool instead.`;
  if (!off.includes(name)) return '';
  const where = search === undefined ? ', in subagents as well as here' : '';
  return `. ${name} is disabled for this session${where}.`;
}

/** The search tools exist only without a shell. */
const SEARCHES: Readonly<Record<string, string>> = {
  Grep: 'search file contents with `grep`',
  Glob: 'find files with `find`',
};
