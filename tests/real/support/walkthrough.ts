import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One thing that a page tells its reader to do, in the order of the page. */
export type Step =
  | { readonly do: 'run'; readonly script: string }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  /** What the commands before it print. */
  | { readonly do: 'compare'; readonly text: string };

const BLOCK = /(?:^`([\w./-]+)`\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm;

/** The blocks of one section: a shell's are run, those under a path are files, those without a language are outputs. */
export function readSteps(section: string): Step[] {
  return [...section.matchAll(BLOCK)].map(([, path, language, text = '']): Step => {
    if (path !== undefined) return { do: 'write', path, text };
    if (language === 'sh') return { do: 'run', script: text };
    if (language === '') return { do: 'compare', text };
    throw new Error(`expected a path above a block of ${language}, found none:\n${text}`);
  });
}

/** The part of a page under a heading of the second level. */
export function readSection(page: string, heading: string): string {
  const found = readFileSync(page, 'utf8')
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`));
  if (found === undefined) throw new Error(`expected the heading "${heading}" in ${page}, found none`);
  return found;
}

/** The rows of a section's table, without its head. */
export function readRows(section: string): string[][] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.slice(2, -2).split(' | '));
}

/** What a reader has before them after some steps. */
export interface Desk {
  readonly cwd: string;
  /** What the last commands printed. */
  readonly printed: string;
}

/** Does what the page says from beginning to end; a command that fails ends it with what was printed. */
export function followSteps(
  steps: readonly Step[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Desk {
  return steps.reduce<Desk>((desk, step) => followStep(step, desk, env), { cwd: folder, printed: '' });
}

function followStep(step: Step, desk: Desk, env: Readonly<Record<string, string>>): Desk {
  switch (step.do) {
    case 'write':
      mkdirSync(dirname(join(desk.cwd, step.path)), { recursive: true });
      writeFileSync(join(desk.cwd, step.path), step.text);
      return desk;
    case 'run':
      return runInShell(step.script, desk.cwd, env);
    case 'compare': {
      const missing = missingLines(step.text, desk.printed);
      if (missing.length === 0) return desk;
      throw new Error(`expected the lines\n${missing.join('\n')}\nin what was printed:\n${desk.printed}`);
    }
    default:
      return step satisfies never;
  }
}

/** A shell that stops at the first failure, and stays where it went, as a terminal does. */
export function runInShell(script: string, cwd: string, env: Readonly<Record<string, string>>): Desk {
  const { status, output } = spawnSync('sh', ['-ec', `${script}\npwd >&3`], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout = '', stderr = '', place] = output;
  if (status !== 0 || !place)
    throw new Error(`expected success, found exit code ${status} of\n${script}\n${stdout}\n${stderr}`);
  return { cwd: place.trim(), printed: stdout ?? '' };
}

/** Times differ from run to run; everything else must be there, in this order. */
function missingLines(expected: string, printed: string): string[] {
  const lines = printed.split('\n').map(withoutTimes);
  let from = 0;
  return expected
    .split('\n')
    .filter((line) => line.trim() !== '')
    .filter((line) => {
      const at = lines.indexOf(withoutTimes(line), from);
      if (at >= 0) from = at + 1;
      return at < 0;
    });
}

function withoutTimes(line: string): string {
  return line.replace(/\d+(?:\.\d+)?(?:ms|s)\b/g, 'TIME').trimEnd();
}
