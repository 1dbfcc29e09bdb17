import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  allOf,
  anyOf,
  type Check,
  fileContains,
  fileEquals,
  fileLacks,
  fileUntouched,
  loop,
  memoryAbsent,
  onObjective,
  runScenarios,
  scenario,
} from '../../src/index.js';
import { tempFolder } from '../support/cli.js';

/** Runs an agent that does this in its workspace, and gives what the checks made of it, by their names. */
async function judge(script: string, checks: readonly Check[], output: string) {
  const { results } = await runScenarios(
    [
      scenario({
        id: 'whole-files',
        backend: 'claude',
        tier: 7,
        priority: 'should',
        phase: 'red',
        description: 'Files of all kinds',
        covers: [],
        arrange: () => ({
          config: loop({ maxIterations: 3 }),
          prompt: 'Write files, then declare completion.',
          files: { 'do.sh': script, 'kept.txt': 'kept\n', 'large.txt': `${'x\n'.repeat(3000)}` },
        }),
        expect: () => checks,
        agent: [
          onObjective(/Write files/)
            .runs('sh -e do.sh')
            .writes('done.txt', 'done')
            .completes(),
        ],
      }),
    ],
    { backends: ['claude'], ralph: 'embedded', output },
  );
  const assertions = results[0]?.assertions ?? [];
  return new Map(checks.map(({ name }) => [name, assertions.find((found) => found.name === name)]));
}

const HIDE =
  'filler() { head -c "$1" /dev/zero | tr "\\0" x; }; hide() { filler 3000; echo FORBIDDEN; filler 3000; }';

test('text that must not be there is found wherever in a file it is', async () => {
  const folder = tempFolder();
  mkdirSync(join(folder, 'outside'));
  writeFileSync(join(folder, 'outside/file.txt'), 'FORBIDDEN\n');
  const script = `${HIDE}
    hide > middle.txt
    mkdir many; i=0; while [ $i -lt 220 ]; do echo many > many/$i.txt; i=$((i+1)); done
    mkdir z; echo FORBIDDEN > z/last.txt
    mkdir -p data; hide > data/real.txt; ln -s data/real.txt linked.txt; ln -s data folder
    ln -s ${folder}/outside/file.txt out.txt; ln -s ${folder}/outside outside; ln -s /no/where nothing.txt
    { filler 1100000; echo FORBIDDEN; filler 1100000; } > huge.txt
    mkfifo pipe.txt; mkdir folder.txt; mkdir -p .ralph/own; echo FORBIDDEN > .ralph/own/note.txt
    echo "ANTHROPIC_API_KEY=sk-ant-api03-a1B2c3D4e5F6g7H8a1B2c3D4e5F6g7H8" > key.txt
    ln -s loop.txt loop.txt`;
  const paths = [
    'middle.txt',
    'z/last.txt',
    'linked.txt',
    'folder/real.txt',
    'out.txt',
    'outside/file.txt',
    'nothing.txt',
    'huge.txt',
    'pipe.txt',
    'folder.txt',
    '.ralph/own/note.txt',
    'key.txt',
    'loop.txt',
    '../outside/file.txt',
  ];
  const nested = (path: string) =>
    anyOf(`either in ${path}`, allOf('both', fileLacks(path, 'FORBIDDEN'), fileLacks('absent', 'x')));
  const checks = paths.flatMap((path) => [fileLacks(path, 'FORBIDDEN'), nested(path)]);
  const found = await judge(script, checks, join(folder, '.e2e-tests'));
  expect([...found].filter(([, result]) => result?.passed !== false).map(([name]) => name)).toEqual([]);
  const actual = (path: string) => found.get(fileLacks(path, 'FORBIDDEN').name)?.actual;
  expect(actual('out.txt')).toBe('cannot be judged: it leads out of the workspace');
  expect(actual('huge.txt')).toMatch(/^cannot be judged: it has \d+ bytes, and at most 1048576 are read$/);
  expect(actual('key.txt')).toBe('cannot be judged: credentials were removed from it');
});

test('a memory that must not be there is not overlooked in a store that is too long to keep', async () => {
  const script = `${HIDE}; mkdir -p .ralph/agent
    { filler 2200000; printf '\\n## Patterns\\n\\n### mem-1-abcd\\n> FORBIDDEN\\n'; filler 2200000; } > .ralph/agent/memories.md`;
  const check = memoryAbsent('FORBIDDEN');
  const found = await judge(script, [check], join(tempFolder(), '.e2e-tests'));
  expect(found.get(check.name)).toMatchObject({
    passed: false,
    actual: 'cannot be judged: the memories of this run could not be read in full',
  });
});

test('a file is judged by all of its text, however many others there are', async () => {
  const script = `${HIDE}
    hide > long.txt; { hide; echo end; } >> large.txt
    mkdir many; i=0; while [ $i -lt 220 ]; do echo many > many/$i.txt; i=$((i+1)); done
    ln -s many/1.txt link.txt; rm -f gone.txt; mkdir z; printf 'a\\nb\\n' > z/last.txt`;
  const text = `${'x'.repeat(3000)}FORBIDDEN\n${'x'.repeat(3000)}`;
  const good = [
    fileLacks('long.txt', 'ALLOWED'),
    fileLacks('link.txt', 'FORBIDDEN'),
    fileLacks('gone.txt', 'FORBIDDEN'),
    fileLacks('many/gone.txt', 'FORBIDDEN'),
    fileContains('long.txt', 'FORBIDDEN'),
    fileContains('link.txt', 'many'),
    fileContains('z/last.txt', /^a\nb$/m),
    fileEquals('long.txt', text),
    fileUntouched('kept.txt'),
  ];
  const bad = [
    fileContains('long.txt', /^[^F]*$/),
    fileEquals('large.txt', 'x\n'.repeat(3000)),
    fileUntouched('large.txt'),
    fileUntouched('.git/config'),
    fileContains('kept.txt', 'kept'),
  ];
  const found = await judge(script, [...good, ...bad], join(tempFolder(), '.e2e-tests'));
  expect(good.filter(({ name }) => found.get(name)?.passed !== true).map(({ name }) => name)).toEqual([]);
  expect(bad.filter(({ name }) => found.get(name)?.passed !== false).map(({ name }) => name)).toEqual([]);
});
