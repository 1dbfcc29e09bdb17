import { existsSync, readdirSync, rmSync, utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTinyProject, type TinyProject } from './support/tiny-project.js';

const BUILD = ['scripts/build.mjs', '--no-types'];
/** Puts dist/ in place as a build does, and makes no bytecode. */
const QUICK = ['scripts/dev.mjs', '--once'];

/** A project whose dist says `one`, and whose sources say `two`. */
async function createBuilt(): Promise<TinyProject> {
  const project = createTinyProject();
  expect(await project.run(QUICK)).toMatchObject({ code: 0, stderr: '' });
  expect(await project.hear()).toBe('one');
  project.say('two');
  return project;
}

describe('a build', () => {
  test('takes the place of the last one, which stays beside it until the next', async () => {
    const project = await createBuilt();
    for (const word of ['two', 'three']) {
      project.say(word);
      await project.run(QUICK);
      expect(await project.hear()).toBe(word);
      expect(project.beside()).toEqual(['old']);
    }
  });

  test('that finds a mistake in a source says it once and leaves the old dist as it was', async () => {
    const project = await createBuilt();
    project.write('src/word.ts', 'export const word = ;\n');
    for (const script of [BUILD, QUICK]) {
      const { code, stderr } = await project.run(script);
      expect(code).toBe(1);
      expect(stderr.match(/src\/word\.ts:1:20/g)).toHaveLength(1);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
    expect(await project.hear()).toBe('one');
    expect(project.beside()).toEqual(['old']);
  });

  test('that finds a mistake in the page of promises names its line', async () => {
    const project = await createBuilt();
    const page = '# What Ralph promises\n\n## limits\n\n| promise |\n';
    project.write('docs/ralph-contract.md', page);
    project.write('src/word.ts', "export { PROMISES as word } from '../docs/ralph-contract.md';\n");
    const { code, stderr } = await project.run(BUILD);
    expect(code).toBe(1);
    expect(stderr).toMatch(/expected the header "\| id \| promise .*\n\n {4}docs\/ralph-contract\.md:5:0:/);
    expect(await project.hear()).toBe('one');
  });

  test('that is killed leaves a dist that works', async () => {
    const project = await createBuilt();
    const moments = [
      ['while it writes', BUILD, /^writeFileSync .*program\.cjs$/, 'one'],
      ['when it is all but complete', BUILD, /^writeFileSync .*\.inputs$/, 'one'],
      ['when it is complete', QUICK, /^renameSync .*new-\w+ /, 'one'],
      ['before it moves the old one away', QUICK, /^renameSync .*\/dist .*old-/, 'one'],
      ['while it tidies up', QUICK, /^rmSync .*old-/, 'two'],
    ] as const;
    for (const [when, script, change, word] of moments) {
      expect(await project.runUntil(change, script), when).toMatchObject({ signal: 'SIGKILL' });
      expect(await project.hear(), when).toBe(word);
    }
  });

  test('that is killed between its two renames is finished by the next one, even if that one breaks', async () => {
    const project = await createBuilt();
    expect(await project.runUntil(/^renameSync .*done-\w+\/dist /, QUICK)).toMatchObject({
      signal: 'SIGKILL',
    });
    expect(existsSync(join(project.folder, 'dist'))).toBe(false);
    project.write('src/word.ts', 'export const word = ;\n');
    expect(await project.run(BUILD)).toMatchObject({ code: 1 });
    expect(await project.hear()).toBe('two');
  });

  test('that another one overtakes leaves a dist that works', async () => {
    const project = await createBuilt();
    const moments = {
      'while it writes': /^writeFileSync .*program\.cjs$/,
      'before it moves the old one away': /^renameSync .*\/dist .*old-/,
      'between its two renames': /^renameSync .*done-\w+\/dist /,
      'while it tidies up': /^rmSync .*done-/,
    };
    for (const [when, change] of Object.entries(moments)) {
      project.say(when);
      const { code, stdout, stderr } = await project.runAround(change, QUICK, QUICK);
      expect([code, stdout.match(/^Built/gm), stderr], when).toEqual([0, ['Built', 'Built'], '']);
      expect(await project.hear()).toBe(when);
      expect(project.beside().filter((kind) => kind !== 'old')).toEqual([]);
    }
  });

  test('that another one gets ahead of between its two renames takes its place', async () => {
    const project = await createBuilt();
    const ahead = "fs.mkdirSync('dist'); fs.writeFileSync('dist/cli.js', 'process.stdout.write(`ahead`)')";
    await project.runAround(/^renameSync .*done-\w+\/dist /, QUICK, ['-e', ahead]);
    expect(await project.hear()).toBe('two');
    expect(project.beside()).toEqual(['old']);
  });

  test('tidies up after one that was killed an hour ago, and not after one that may be under way', async () => {
    const project = await createBuilt();
    for (const _ of ['long ago', 'now']) await project.runUntil(/^writeFileSync .*program\.cjs$/, QUICK);
    const beside = join(project.folder, '.dist');
    const [first = '', second] = readdirSync(beside).filter((name) => name.startsWith('new-'));
    const longAgo = Date.now() / 1000 - 3_700;
    utimesSync(join(beside, first), longAgo, longAgo);
    await project.run(QUICK);
    expect(readdirSync(beside).filter((name) => name.startsWith('new-'))).toEqual([second]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'that gets %s leaves the old dist and nothing else',
    async (signal) => {
      const project = await createBuilt();
      const here = join(project.folder, 'here');
      // A program that never ends: the build waits for its bytecode.
      project.write(
        'src/standin/main.ts',
        `import { writeFileSync } from 'node:fs';\nwriteFileSync('${here}', '');\nsetInterval(() => {}, 1_000);\n`,
      );
      const child = project.start(BUILD);
      const ended = new Promise((resolve) => child.once('exit', (_code, by) => resolve(by)));
      await untilThere(project.folder, here);
      child.kill(signal);
      expect(await ended).toBe(signal);
      expect(await project.hear()).toBe('one');
      expect(project.beside()).toEqual(['old']);
    },
  );

  test('with --if-changed does nothing where a build was made of the same sources', async () => {
    const project = await createBuilt();
    const buildIfChanged = async () => {
      await project.run([...BUILD, '--if-changed']);
      return project.hear();
    };
    expect(await buildIfChanged()).toBe('two');
    project.write('dist/cli.js', "process.stdout.write('as it was');\n");
    expect(await buildIfChanged()).toBe('as it was');
    project.say('three');
    expect(await buildIfChanged()).toBe('three');
    // A quick build has no bytecode: it does not count.
    project.say('four');
    await project.run(QUICK);
    project.write('dist/cli.js', "process.stdout.write('as it was');\n");
    expect(await buildIfChanged()).toBe('four');
    // One with the types of the library has all that one without them needs, but not the other way round.
    project.say('five');
    await project.run(['scripts/build.mjs']);
    project.write('dist/cli.js', "process.stdout.write('as it was');\n");
    expect(await buildIfChanged()).toBe('as it was');
    project.say('six');
    expect(await buildIfChanged()).toBe('six');
    project.write('dist/cli.js', "process.stdout.write('as it was');\n");
    const prepare = () => project.run(['scripts/build.mjs', '--if-changed']);
    const types = join(project.folder, 'dist/types/src/index.d.ts');
    await prepare();
    expect([await project.hear(), existsSync(types)]).toEqual(['six', true]);
    // A package without its types must not be packed, whatever was said of the build.
    rmSync(join(project.folder, 'dist/types'), { recursive: true });
    await prepare();
    expect(existsSync(types)).toBe(true);
  });
});

/** Waits for a file that another process writes into a folder. */
function untilThere(folder: string, path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => {
      if (!existsSync(path)) return;
      watcher.close();
      resolve();
    });
  });
}
