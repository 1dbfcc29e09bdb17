import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { readCorpus } from '../../scripts/escapes/corpus.mjs';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';

const SCRIPT = fileURLToPath(new URL('../../scripts/escapes.mjs', import.meta.url));
const health = await probeBwrap(process.env.PATH);

/** One or two of each family: the ones that got out once. `npm run escapes` tries them all. */
const SAMPLE = [
  'credentials/{.vault-token,.tool/credentials.json,project-env,environment,private-in-etc,other-workspaces}',
  'devices/{unshare-user,kill-all,daemon-that-stays,leave-a-set-user-id-file,{debugger,memory}-of-the-warden}',
  'files/{write-outside,write-project,link-to-a-secret,programs-in-the-workspace,inherited-folder,folder-exchanged-for-a-link}',
  'git/{gpg-program,alternates-of-a-foreign-repo}',
  'kernel/{core-pattern,keyring-of-the-user}',
  'network/{loopback,vsock}',
  'sockets/{home,project,plugin-folder}',
];

async function run(args: readonly string[]): Promise<{ code: unknown; said: string }> {
  const options = { all: true, reject: false, stripFinalNewline: false } as const;
  const { exitCode, all } = await execa(process.execPath, [SCRIPT, ...args], options);
  return { code: exitCode, said: all };
}

test('the corpus has at least 75 attempts, each with its own id and a way to see it', () => {
  const corpus = readCorpus();
  expect(corpus.length).toBeGreaterThan(75);
  expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length);
  expect(corpus.filter(({ out, run: script }) => out.length === 0 || script.trim() === '')).toEqual([]);
});

describe.skipIf(!health.ok)(health.ok ? 'a sample of escapes' : `skipped: ${health.detail}`, () => {
  const only = SAMPLE.flatMap((glob) => ['--only', glob]);

  test('stays inside bwrap', async () => {
    const { code, said } = await run([...only, '--isolation', 'bwrap']);
    expect(said).toMatch(/\n27 tried, 0 out\n$/);
    expect(code).toBe(0);
  });
});

test('the control: without isolation, attempts get out, and the script says so', async () => {
  const only = ['credentials/.vault-token', 'files/write-outside', 'network/loopback', 'sockets/home'];
  const { code, said } = await run([...only.flatMap((glob) => ['--only', glob]), '--isolation', 'host']);
  expect(said).toMatch(/\n4 tried, 4 out\n$/);
  expect(code).toBe(1);
});

test('an attempt that does not exist is a mistake of the caller', async () => {
  const { code, said } = await run(['--only', 'git/no-such', '--isolation', 'bwrap']);
  expect([code, said]).toEqual([2, expect.stringContaining('expected the ids of attempts')]);
});
