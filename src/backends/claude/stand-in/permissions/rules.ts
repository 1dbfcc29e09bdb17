import { relative, resolve } from 'node:path';

/** A permission rule: a tool, optionally limited to some uses: `Bash(git *)`, `Read(./secret.txt)`. */
interface Rule {
  readonly tool: string;
  readonly specifier: string | null;
}

/** The use of a tool that a rule is matched against. */
export interface Use {
  readonly tool: string;
  /** A shell command or one part of it. */
  readonly command?: string;
  /** The full path of a file. */
  readonly path?: string;
}

/** Whether one of the rules matches this use. */
export function anyRuleFits(rules: readonly string[], use: Use, cwd: string): boolean {
  return rules.map(parseRule).some((rule) => fits(rule, use, cwd));
}

/** Lists the tools that rules switch off entirely. */
export function wholeTools(rules: readonly string[]): string[] {
  return rules.flatMap((text) => {
    const { tool, specifier } = parseRule(text);
    return specifier === null ? [tool] : [];
  });
}

function parseRule(text: string): Rule {
  const match = /^([^(]+)\((.*)\)$/s.exec(text.trim());
  if (match === null) return { tool: text.trim(), specifier: null };
  const specifier = match[2] ?? '';
  return { tool: match[1] ?? '', specifier: specifier === '' || specifier === '*' ? null : specifier };
}

function fits({ tool, specifier }: Rule, use: Use, cwd: string): boolean {
  // A rule for Edit applies to every tool that changes files.
  if (tool !== use.tool && !(tool === 'Edit' && use.tool === 'Write')) return false;
  if (specifier === null) return true;
  if (use.command !== undefined) return fitsCommand(specifier, use.command);
  return use.path !== undefined && fitsPath(specifier, use.path, cwd);
}

/** `git:*` matches a prefix, `*` matches anything, and all else is literal. */
function fitsCommand(specifier: string, command: string): boolean {
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

/** Patterns as in a .gitignore: `//` starts at the root, everything else in the working folder. */
function fitsPath(specifier: string, path: string, cwd: string): boolean {
  const pattern = specifier.startsWith('//')
    ? specifier.slice(1)
    : resolve(cwd, specifier.replace(/^\//, ''));
  const source = pattern
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/]*' : escapeRegex(part)))
    .join('');
  const anywhere = /[/]/.test(specifier) ? null : new RegExp(`(^|/)${escapeRegex(specifier)}$`);
  return new RegExp(`^${source}(/.*)?$`).test(path) || anywhere?.test(relative(cwd, path)) === true;
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.|?+(){}[\]]/g, '\\$&');
}
