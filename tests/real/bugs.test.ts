import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { tempFolder } from '../support/cli.js';
import { posixPath } from '../support/posix-path.js';
import { requireProgram } from './programs.js';

const BUGS = fileURLToPath(new URL('../../examples/bugs', import.meta.url));

test('every known issue has a reproduction, and nothing else has one', () => {
  const known = catalogue.filter(({ knownIssue }) => knownIssue !== null).map(({ id }) => id);
  expect(readdirSync(BUGS).toSorted()).toEqual(known.toSorted());
});

/** Ralph 2.10.1 does not always kill itself when it is aborted: in one of about ten runs it kept its promise. */
const NOT_ALWAYS = ['rpc-abort'];

test.each(readdirSync(BUGS))('%s is broken in the real ralph', (id) => {
  const codes = [reproduce(id)];
  while (NOT_ALWAYS.includes(id) && codes.at(-1) === 0 && codes.length < 5) codes.push(reproduce(id));
  expect(codes.at(-1)).toBe(1);
});

function reproduce(id: string): number | null {
  const { status } = spawnSync('sh', [join(BUGS, id, 'run.sh'), requireProgram('ralph')], {
    env: { PATH: posixPath(), TMPDIR: tempFolder() },
  });
  return status;
}
