import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../../support/cli.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MADE = ['node_modules', 'dist', '.dist', '.git', '.e2e-tests'];

/** A section of CONTRIBUTING.md, without its heading. */
export function readSection(heading: string): string {
  const page = read(ROOT, 'CONTRIBUTING.md');
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`CONTRIBUTING.md has no section "${heading}"`);
  const [, section = ''] = page.slice(start).split(/^## .*\n/m);
  return section;
}

/** The commands of the first shell block of a section. */
export function readCommands(section: string): string[] {
  return /^```sh\n([\s\S]*?)\n```$/m.exec(section)?.[1]?.split('\n') ?? [];
}

/** A checkout without what is made of it. */
export function copyCheckout(): string {
  const folder = join(tempFolder(), 'ralph-e2e');
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !isMade(relative(ROOT, path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The files that differ from those of this checkout. */
export function changedSince(copy: string): string[] {
  return readdirSync(copy, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(copy, join(entry.parentPath, entry.name)))
    .filter((path) => !isMade(path) && readOrNull(path) !== read(copy, path))
    .sort();
}

export function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as a person would type it there. */
export function run(cwd: string, command: string): Promise<Ended> {
  // A contributor's machine is not a CI server, where `npm run docs` is refused.
  const { RALPH_BIN: _, CI: __, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', command], { cwd, env, maxBuffer: 1e8 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Runs commands one after the other, and returns those that failed. */
export async function runAll(cwd: string, commands: readonly string[]) {
  const ends = [];
  for (const command of commands) ends.push({ command, ...(await run(cwd, command)) });
  return { ends, failed: ends.filter(({ code }) => code !== 0) };
}

function isMade(path: string): boolean {
  return MADE.includes(path.split(sep)[0] ?? '');
}

function readOrNull(path: string): string | null {
  try {
    return read(ROOT, path);
  } catch {
    return null;
  }
}
