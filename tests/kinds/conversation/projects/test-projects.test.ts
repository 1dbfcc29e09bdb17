// Starts programs, or takes seconds: in the project `whole`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findExecutable } from '../../../../src/exec/find-executable.js';
import { runCommand } from '../../../../src/exec/process/run-command.js';
import {
  createTestProject,
  defectsOf,
  renderProject,
  type TestProject,
  type TestProjectOptions,
} from '../../../../src/kinds/conversation/projects/create-test-project.js';
import { PROJECT_LANGUAGES, PROJECT_TYPES } from '../../../../src/kinds/conversation/projects/templates.js';
import { covers } from '../../../coverage/covers.js';
import { tempFolder } from '../../../support/cli.js';

const PROGRAMS = { python: 'python3', javascript: 'node', go: 'go' } as const;
const KINDS = PROJECT_LANGUAGES.flatMap((language) =>
  PROJECT_TYPES.map((type) => ({ language, type, program: PROGRAMS[language] })),
);

/** The first `go test` on a machine compiles the standard library: a minute on an idle one. */
const LIMITS = { timeout: 900_000 };

/** Runs a project's own tests as its README says. */
function runTests({ path, testCommand }: TestProject) {
  const [program = '', ...args] = testCommand.split(' ');
  // `node --test` under a test runner of Node runs nothing.
  const { PATH = '', HOME = '/' } = process.env;
  const env = {
    PATH,
    HOME,
    PYTHONDONTWRITEBYTECODE: '1',
    GOFLAGS: '-count=1',
    GOTOOLCHAIN: 'local',
    CGO_ENABLED: '0',
  };
  return runCommand(program, args, { cwd: path, env, timeoutMs: 850_000 });
}

async function make(options: Omit<TestProjectOptions, 'path'>): Promise<TestProject> {
  return createTestProject({ ...options, path: join(tempFolder(), 'project') });
}

describe.each(KINDS)('a $type in $language', ({ language, type, program }) => {
  test('passes its own tests', LIMITS, async ({ skip }) => {
    covers('H22');
    skip(findExecutable(program, process.env.PATH) === null, `${program} is not installed`);
    const project = await make({ language, type, name: 'Calculator App' });
    const { ok, stdout, stderr } = await runTests(project);
    expect(ok, stdout + stderr).toBe(true);
    expect(stdout + stderr).toMatch(/Ran [4-9]\d* tests|(?:tests|pass) [5-9]|^ok\s/m);
  });

  test('is on disk as reported, with a README and a .gitignore', async () => {
    const project = await make({ language, type, name: 'Calculator App' });
    const found = readdirSync(project.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(project.path.length + 1));
    expect(found.sort()).toEqual([...project.files]);
    expect(project.files).toEqual(expect.arrayContaining(['README.md', '.gitignore']));
    const readme = readFileSync(join(project.path, 'README.md'), 'utf8');
    expect(readme).toMatch(/^# Calculator App\n/);
    expect(readme).toContain(project.testCommand);
  });
});

describe('planted defects', () => {
  const broken = KINDS.flatMap((kind) => defectsOf(kind.type).map((defect) => ({ ...kind, defect })));

  test.each(broken)('$defect changes one file of a $type in $language', ({ language, type, defect }) => {
    const good = renderProject({ language, type });
    const bad = renderProject({ language, type, defect });
    expect(Object.keys(bad).sort()).toEqual(Object.keys(good).sort());
    expect(Object.keys(good).filter((path) => good[path] !== bad[path])).toHaveLength(1);
  });

  const tested = broken.filter(({ defect }) => defect === 'add-subtracts');
  test.for(tested)('$defect turns the tests of a $type in $language red', LIMITS, async (kind, { skip }) => {
    skip(findExecutable(kind.program, process.env.PATH) === null, `${kind.program} is not installed`);
    const { timedOut, exitCode, stdout, stderr } = await runTests(await make(kind));
    expect({ timedOut, exitCode }, stdout + stderr).toEqual({ timedOut: false, exitCode: 1 });
    expect(stdout + stderr).toContain('-1');
  });

  test('several at once, and those of the page by their pixels', () => {
    const defect = ['wide-padding', 'sharp-corners', 'small-heading'] as const;
    const { 'public/style.css': style } = renderProject({ type: 'web-app', language: 'javascript', defect });
    expect(style).toMatch(/padding: 32px;\n {2}border-radius: 4px;[\s\S]*font-size: 20px;/);
  });

  test('one that the project cannot have is refused, with those it can', () => {
    expect(() => renderProject({ type: 'library', language: 'go', defect: 'wide-padding' })).toThrow(
      'A library cannot have the defect "wide-padding".',
    );
  });
});

describe('createTestProject refuses', () => {
  const library = { type: 'library', language: 'python' } as const;

  test('a folder that is not empty, and leaves it as it was', async () => {
    const path = tempFolder();
    writeFileSync(join(path, 'mine.txt'), 'x');
    await expect(createTestProject({ ...library, path })).rejects.toThrow(
      'is not empty: it contains mine.txt',
    );
    expect(readdirSync(path)).toEqual(['mine.txt']);
  });

  test('a relative path, a file, and an invalid name', async () => {
    const path = join(tempFolder(), 'file');
    writeFileSync(path, '');
    await expect(createTestProject({ ...library, path: 'here' })).rejects.toThrow('an absolute path');
    await expect(createTestProject({ ...library, path })).rejects.toThrow('found a file');
    await expect(make({ ...library, name: '///' })).rejects.toThrow('"///" is not a valid project name');
  });
});
