import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const LIMIT_MS = 60_000;

/** The first whose file is there; Python otherwise. */
const RUNNERS = [
  { file: 'go.mod', command: ['go', 'test', './...'] },
  { file: 'package.json', command: ['node', '--test'] },
  { file: '.', command: ['python3', '-m', 'unittest', 'discover', '-s', 'tests'] },
];

/** Runs the tests of the project: whether they passed, and the end of what they printed. */
export function runTests(project) {
  const { command } = RUNNERS.find(({ file }) => existsSync(join(project, file)));
  const [program, ...args] = command;
  // Set by a Node that runs tests itself: under it `node --test` would run none.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  // Byte code is kept by the time of the file, to the second: a file that is changed at once would run as it was.
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
