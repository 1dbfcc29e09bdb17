import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { tempFolder } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REGISTRY = 'src/domain/backends.ts';
const MADE = ['node_modules', 'dist', '.dist', '.git', '.e2e-tests'];

/** What CONTRIBUTING.md prints: the line, the files by their paths, and the commands. */
const PAGE =
  /^## Add a backend\n([\s\S]*?)^## /m.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? '';
const LINE = /^```ts\n( {2}amp: .*\n)```$/m.exec(PAGE)?.[1] ?? '';
const PRINTED = [...PAGE.matchAll(/^\*\*(src\/backends\/\S+)\*\*\n\n```ts\n([\s\S]*?)^```$/gm)].map(
  ([, path = '', text = '']) => ({ path, text }),
);
const COMMANDS = /^```sh\n([\s\S]*?)\n```$/m.exec(PAGE)?.[1]?.split('\n') ?? [];

/** Our own schema does not know the backend of the copy. */
const REPORT = z.object({ results: z.array(z.object({ scenario_id: z.string(), outcome: z.string() })) });

describe('"Add a backend" in CONTRIBUTING.md', () => {
  test('makes a backend that runs, is proved, plays scripts and passes the static checks', async () => {
    const copy = copyCheckout();
    addLine(copy);
    for (const { path, text } of PRINTED) write(copy, path, text);
    const added = changedSince(copy);
    expect(added).toEqual([...PRINTED.map(({ path }) => path), REGISTRY].sort());

    const ends = [];
    for (const command of COMMANDS) ends.push({ command, ...(await run(copy, command)) });
    expect(ends.filter(({ code }) => code !== 0)).toEqual([]);
    expect(ends.find(({ command }) => command.includes(' sim amp '))?.stdout).toBe('Hi.\n');
    const { results } = REPORT.parse(JSON.parse(read(copy, '.e2e-tests/report.json')));
    expect(results.map(({ scenario_id, outcome }) => `${scenario_id} ${outcome}`)).toEqual([
      'amp-connect passed',
      'amp-single-iter passed',
    ]);
    // The build writes one source, and nobody has to touch another.
    expect(changedSince(copy)).toEqual([...added, 'hello.yaml', 'src/backends/folders.ts'].sort());

    expect((await run(copy, 'node dist/cli.js --help')).stdout).toMatch(/gemini,\s+pi,\s+amp\s/);
    expect((await run(copy, 'node dist/cli.js doctor --lane sim')).stdout).toContain('✔ Amp 0.0.17');
    expect(await run(copy, 'node dist/cli.js amp --mock --model big')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--model big: Amp has no option for a model.'),
    });
    expect(await run(copy, `npx vitest run ${TESTS_OF_EVERY_BACKEND.join(' ')}`)).toMatchObject({ code: 0 });
  });

  test('neither the line nor the folder is enough', async () => {
    const copy = copyCheckout();
    addLine(copy);
    const another = (text: string) => text.replaceAll('amp', 'zed');
    for (const { path, text } of PRINTED) write(copy, another(path), another(text));
    const { code, stdout } = await run(copy, 'npx tsc --noEmit');
    expect(code).toBe(2);
    expect(stdout).toMatch(/^src\/backends\/index\.ts\(.*'amp' is missing/m);
    expect(stdout).toMatch(/^src\/backends\/zed\/backend\.ts\(.*'"zed"' is not assignable/m);
    expect(await run(copy, 'node scripts/build.mjs --no-types')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Could not resolve "./amp/backend.js"'),
    });
  });
});

/** Tests that take their cases from the registry. */
const TESTS_OF_EVERY_BACKEND = [
  'tests/backends',
  'tests/lane',
  'tests/run/select',
  'tests/isolation/parts.test.ts',
  'tests/scripts/bytecode.test.ts',
  'tests/cli/commands/sim.test.ts',
  'tests/e2e/usage.test.ts',
  'tests/e2e/doctor-and-clean.test.ts',
  'tests/e2e/scripted.test.ts',
  'tests/e2e/mock-run.test.ts',
];

/** A checkout without what is made of it. */
function copyCheckout(): string {
  const folder = join(tempFolder(), 'ralph-e2e');
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !isMade(relative(ROOT, path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function isMade(path: string): boolean {
  return MADE.includes(path.split(sep)[0] ?? '');
}

/** Puts the line at the end of the registry. */
function addLine(copy: string): void {
  const text = read(copy, REGISTRY);
  write(
    copy,
    REGISTRY,
    text.replace(/^\} as const satisfies/m, (end) => `${LINE}${end}`),
  );
}

/** The files that differ from those of this checkout. */
function changedSince(copy: string): string[] {
  return readdirSync(copy, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(copy, join(entry.parentPath, entry.name)))
    .filter((path) => !isMade(path) && readOrNull(path) !== read(copy, path))
    .sort();
}

function readOrNull(path: string): string | null {
  try {
    return read(ROOT, path);
  } catch {
    return null;
  }
}

function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as a person would type it there. */
function run(cwd: string, command: string): Promise<Ended> {
  const { RALPH_BIN: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', command], { cwd, env, maxBuffer: 1e8 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
