import { relative } from 'node:path';
import picomatch from 'picomatch';
import { escapeRegex } from '../../../../domain/text/escape-regex.js';
import { followLinks } from '../plugins/paths.js';

export interface RuleFolders {
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
