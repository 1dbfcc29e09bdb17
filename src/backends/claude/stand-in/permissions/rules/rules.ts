import { join, relative } from 'node:path';
import { followLinks } from '../../plugins/paths.js';
import { lookUp } from '../look-up.js';

/** A permission rule: a tool, optionally limited to some uses: `Bash(git *)`, `Read(./secret.txt)`. */
interface Rule {
  readonly tool: string;
  readonly specifier: string | null;
}

/** The use of a tool that a rule is matched against. */
export type Use =
  /** Spellings of one shell command; only rules with a star match `patterns`. */
  | { readonly tool: 'Bash'; readonly commands: readonly string[]; readonly patterns?: readonly string[] }
  /** The full path of a file. */
  | { readonly tool: string; readonly path: string | null };

export interface RuleFolders {
  readonly cwd: string;
  readonly home: string;
}

/** Whether one of the rules matches this use, by the name of the file or by where its links lead. */
export function anyRuleFits(rules: readonly string[], use: Use, folders: RuleFolders): boolean {
  const parsed = rules.map(parseRule);
  return waysOf(use, folders).some(([way, places]) => parsed.some((rule) => fits(rule, way, places)));
}

/** Whether a rule that denies or asks matches this use. Such a rule may name its tool by a pattern. */
export function anyLimitFits(rules: readonly string[], use: Use, folders: RuleFolders): boolean {
  const named = rules.map((rule) => (namesByPattern(rule, use.tool) ? use.tool : rule));
  return anyRuleFits(named, use, folders);
}

function namesByPattern(text: string, name: string): boolean {
  const { tool, specifier } = parseRule(text);
  return specifier === null && tool.includes('*') && fitsCommand(tool, name);
}

/** Whether the rules match this use, both by the name of the file and by where its links lead. */
export function rulesCover(rules: readonly string[], use: Use, folders: RuleFolders): boolean {
  const parsed = rules.map(parseRule);
  return waysOf(use, folders).every(([way, places]) => parsed.some((rule) => fits(rule, way, places)));
}

function waysOf(use: Use, folders: RuleFolders): readonly (readonly [Use, RuleFolders])[] {
  if ('commands' in use || use.path === null) return [[use, folders]];
  const target = followLinks(use.path);
  if (target === null || target === use.path) return [[use, folders]];
  const [cwd, home] = [followLinks(folders.cwd) ?? folders.cwd, followLinks(folders.home) ?? folders.home];
  return [
    [use, folders],
    [
      { ...use, path: target },
      { cwd, home },
    ],
  ];
}

/** Lists the tools that rules name without a limit. */
export function wholeTools(rules: readonly string[]): string[] {
  return rules.flatMap((text) => {
    const { tool, specifier } = parseRule(text);
    return specifier === null ? [tool] : [];
  });
}

/** Lists the rules that limit a tool to some uses. */
export function limitedRules(rules: readonly string[]): string[] {
  return rules.filter((text) => parseRule(text).specifier !== null);
}

function parseRule(text: string): Rule {
  const match = /^([^(]+)\((.*)\)$/s.exec(text);
  if (match === null) return { tool: text, specifier: null };
  return { tool: match[1] ?? '', specifier: match[2] === '*' ? null : (match[2] ?? '') };
}

function fits({ tool, specifier }: Rule, use: Use, folders: RuleFolders): boolean {
  if (specifier === null) return tool === use.tool || isServerOf(tool, use.tool);
  if (specifier === '') return false;
  if ('commands' in use) {
    const spellings = specifier.includes('*') ? [...use.commands, ...(use.patterns ?? [])] : use.commands;
    return tool === 'Bash' && spellings.some((command) => fitsCommand(specifier, command));
  }
  // A path is limited for everything that reads or everything that changes files, and only by these two names.
  const subject = READING_TOOLS.includes(use.tool) ? 'Read' : 'Edit';
  return tool === subject && use.path !== null && fitsPath(specifier, use.path, folders);
}

/** A rule can name an MCP server, with or without a star, for all its tools. */
function isServerOf(rule: string, tool: string): boolean {
  const server = rule.replace(/__\*$/, '');
  return /^mcp__/.test(server) && !server.slice(5).includes('__') && tool.startsWith(`${server}__`);
}

const READING_TOOLS = ['Read', 'Glob', 'Grep'];

/** `git:*` matches a prefix, `*` matches anything, and all else is literal. */
export function fitsCommand(specifier: string, command: string): boolean {
  const beginning = /^(.*):\*$/s.exec(specifier)?.[1];
  if (beginning !== undefined) return command === beginning || command.startsWith(`${beginning} `);
  // A space and a star at the end also match the command without arguments.
  const source = specifier
    .split('*')
    .map(escapeRegex)
    .join('[\\s\\S]*')
    .replace(/ \[\\s\\S\]\*$/, '( [\\s\\S]*)?');
  return new RegExp(`^${source}$`).test(command);
}

/**
 * Matches patterns as in a .gitignore, in upper or lower case: `//` starts at the root, `~/` at home, everything else
 * in the working folder.
 */
function fitsPath(specifier: string, path: string, { cwd, home }: RuleFolders): boolean {
  if (specifier.startsWith('//')) return ignorePattern(specifier.slice(1)).test(path);
  if (specifier.startsWith('~/')) return ignorePattern(join(home, specifier.slice(1))).test(path);
  const inside = relative(cwd, path);
  return !/^\.\.(?:\/|$)/.test(inside) && ignorePattern(specifier.replace(/^\.\//, '/')).test(`/${inside}`);
}

function ignorePattern(pattern: string): RegExp {
  const anchored = pattern.replace(/\/$/, '').includes('/');
  const source = pattern
    .replace(/^\/|\/$/g, '')
    .split(/(\*\*\/|\/\*\*$|\*\*|[*?]|\[[^\]/]+\])/)
    .map((part) => lookUp(GLOBS, part) ?? (/^\[.+\]$/.test(part) ? toClass(part) : escapeRegex(part)))
    .join('');
  return new RegExp(`^/${anchored ? '' : '(?:.*/)?'}${source}(?:/.*)?$`, 'i');
}

const GLOBS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '/**': '(?:/.*)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

/** `[ab]` and `[!a-c]`, as a part of a regular expression. */
function toClass(part: string): string {
  const inside = part.slice(1, -1).replace(/[\\^[\]]/g, '\\$&');
  const source = `(?!/)[${inside.replace(/^(?:!|\\\^)/, '^')}]`;
  try {
    return new RegExp(source).source;
  } catch {
    // A range that ends before it starts.
    return escapeRegex(part);
  }
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.|?+(){}[\]]/g, '\\$&');
}
