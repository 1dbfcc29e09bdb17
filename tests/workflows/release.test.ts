import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addProgram, createWorld, removeWorld, runWorkflow, type World } from './support/act.js';
import { startRegistry } from './support/registry.js';
import { createRepository } from './support/repositories.js';
import { ROOT } from './support/tools.js';

let world: World;
let stop = () => {};
let calls = '';

beforeAll(async () => {
  const registry = await startRegistry([], '');
  stop = registry.close;
  world = createWorld(registry.url);
  calls = join(world.folder, 'calls.txt');
  // The tests of this project run elsewhere, and nothing is published: such calls are only written down.
  addProgram(
    world,
    'npm',
    `#!/bin/sh
case "$*" in
  test | 'run test:whole' | 'run check' | 'publish --provenance'*) echo "npm $*" >> ${calls} ;;
  *) exec ${join(dirname(process.execPath), 'npm')} "$@" ;;
esac
`,
  );
});

afterAll(() => {
  stop();
  removeWorld(world);
});

/** A copy of this checkout, as it is now. */
function copyCheckout(): string {
  const repository = createRepository(world, {});
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of files.split('\0').filter((name) => name !== ''))
    cpSync(join(ROOT, path), join(repository, path), { verbatimSymlinks: true });
  writeFileSync(join(repository, '.ci/nightly'), `#!/bin/sh\necho nightly >> ${calls}\n`);
  return repository;
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Runs the release workflow for a tag. */
function release(tag: string) {
  return runWorkflow(world, copyCheckout(), 'push', {
    payload: { ref: `refs/tags/${tag}` },
    workflow: '.github/workflows/release.yml',
  });
}

test('a tag is tested, packed, tried and then published with provenance', async () => {
  const run = await release(`v${version}`);
  expect(run.jobs, run.output).toEqual(['package: success', 'publish: success']);
  expect([...run.artifact('package').keys()]).toEqual([`ralph-e2e-${version}.tgz`]);
  expect(run.output).toContain(`+ ralph-e2e@${version}`);
  expect(readFileSync(calls, 'utf8').trim().split('\n')).toEqual([
    'npm test',
    'npm run test:whole',
    'npm run check',
    'nightly',
    `npm publish --provenance --access public package/ralph-e2e-${version}.tgz`,
  ]);
});

test('a tag that is not the version is refused before anything else happens', async () => {
  const run = await release('v999.0.0');
  expect(run.jobs).toEqual(['package: failure']);
  expect(run.output).toContain(`Expected the tag v${version}, as in package.json, found v999.0.0.`);
  expect(run.output).not.toContain('Install and build');
});
