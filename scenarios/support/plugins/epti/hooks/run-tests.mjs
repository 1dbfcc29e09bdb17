import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_MS = 60_000;

/** Test runners. The first whose file exists is used; `.` always exists. */
const RUNNERS = [
  { file: 'go.mod', command: ['go', 'test', './...'] },
  { file: 'package.json', command: ['node', '--test'] },
  { file: '.', command: ['python3', '-m', 'unittest', 'discover', '-s', 'tests'] },
];

/** Runs the tests of the project and returns whether they passed and the end of their output. */
export function runTests(project) {
  const { command } = RUNNERS.find(({ file }) => existsSync(join(project, file)));
  const [program, ...args] = command;
  // Node sets this while it runs tests; a nested `node --test` would then run none.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  // Python compares bytecode with the file's mtime in seconds, so it would run the old code right after an edit.
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    env: { ...env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const output = error === undefined ? `${stdout}${stderr}` : `${command.join(' ')}: ${error.message}`;
  return {
    passed: status === 0,
    command: command.join(' '),
    output: output.trim().split('\n').slice(-15).join('\n'),
  };
}
