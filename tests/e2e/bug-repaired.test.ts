import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { tempFolder } from '../support/cli.js';
import { buildRepaired, REPAIRS } from '../support/repaired-ralph.js';

const BUGS = fileURLToPath(new URL('../../examples/bugs', import.meta.url));

test('every known issue that the stand-in imitates can be taken out of it', () => {
  const imitated = catalogue.filter((one) => one.knownIssue !== null && one.beyondStandIn === null);
  expect(Object.keys(REPAIRS).toSorted()).toEqual(imitated.map(({ id }) => id).toSorted());
});

test.each(Object.keys(REPAIRS))('the reproduction of %s passes once the fault is gone', async (id) => {
  const { status, stdout } = spawnSync('sh', [join(BUGS, id, 'run.sh'), await buildRepaired(id)], {
    env: { PATH: process.env.PATH, TMPDIR: tempFolder() },
    encoding: 'utf8',
  });
  expect({ status, broken: stdout.match(/^broken: .*/gm) }).toEqual({ status: 0, broken: null });
});
