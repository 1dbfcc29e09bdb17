import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BACKEND_IDS } from '../../src/domain/backends.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';
import { writeFakeAgents } from '../support/fake-agents.js';

describe('doctor', () => {
  test('says for each lane what is there, what is missing and how to fix it', async () => {
    const cwd = tempFolder();
    const { code, stdout } = await callCli(['doctor'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/live lane .*not usable/);
    expect(stdout).toMatch(/No ralph was found/);
    expect(stdout).toMatch(/claude is not on PATH\n\s+fix: npm install -g @anthropic-ai\/claude-code/);
    expect(stdout).toMatch(/sim lane .*: usable/);
  });

  test('--json tells the same to programs', async () => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'does nothing');
    const { stdout } = await callCli(['doctor', '--json', '--ralph', 'embedded'], {
      cwd,
      env: { PATH: `${bin}:${bareSystemPath()}` },
    });
    const { lanes } = JSON.parse(stdout);
    expect(lanes.map(({ lane, usable }: { lane: string; usable: boolean }) => [lane, usable])).toEqual([
      ['live', true],
      ['scripted', true],
      ['sim', true],
    ]);
    expect(lanes[0].backends[0]).toMatchObject({
      backend: 'claude',
      ready: true,
      version: '2.1.0 (Claude Code)',
    });
    expect(lanes[0].backends.map(({ backend }: { backend: string }) => backend)).toEqual(BACKEND_IDS);
    // What a login does not tell, and only where the lane is live.
    const warned = (lane: { requirements: { name: string }[] }) =>
      lane.requirements.some(({ name }) => name === 'gemini');
    expect(lanes.map(warned)).toEqual([true, false, false]);
  });
});

describe('doctor --lane', () => {
  const CASES = [
    ['live', 2, ['not usable', 'No ralph was found']],
    ['scripted', 2, ['not usable', 'No ralph was found']],
    ['sim', 0, ['usable', 'not Ralph itself: no ralph was found']],
  ] as const;

  test.each(CASES)(
    '%s exits %i on a machine without ralph and CLIs, and shows no other',
    async (lane, exit, words) => {
      const { code, stdout } = await callCli(['doctor', '--lane', lane], { cwd: tempFolder() });
      for (const word of words) expect(stdout).toContain(word);
      expect([...stdout.matchAll(/^(\w+) lane/gm)].map(([, name]) => name)).toEqual([lane]);
      expect(code).toBe(exit);
      const json = await callCli(['doctor', '--json', '--lane', lane], { cwd: tempFolder() });
      expect(JSON.parse(json.stdout).lanes).toMatchObject([{ lane, usable: exit === 0 }]);
      expect(json.code).toBe(exit);
    },
  );

  test('live exits 0 where a CLI is logged in, and 2 where none is', async () => {
    const code = async (loggedIn: boolean) => {
      const cwd = tempFolder();
      const bin = writeFakeAgents(join(cwd, 'bin'), 'does nothing', { loggedIn });
      const env = { PATH: `${bin}:${bareSystemPath()}` };
      return (await callCli(['doctor', '--lane', 'live', '--ralph', 'embedded'], { cwd, env })).code;
    };
    expect([await code(true), await code(false)]).toEqual([0, 2]);
  });

  test('sim exits 2 where $RALPH_BIN leads nowhere: a run would not take the stand-in', async () => {
    const env = { RALPH_BIN: '/nowhere/ralph' };
    const { code, stdout } = await callCli(['doctor', '--lane', 'sim'], { cwd: tempFolder(), env });
    expect(stdout).toMatch(/sim lane .*not usable[\s\S]*\$RALPH_BIN names/);
    expect(code).toBe(2);
  });

  test('a lane that does not exist is refused', async () => {
    const { code, stderr } = await callCli(['doctor', '--lane', 'dream'], { cwd: tempFolder() });
    expect(stderr).toMatch(/--lane dream: expected live, scripted or sim/);
    expect(code).toBe(2);
  });
});

describe('clean', () => {
  test('removes what a run made', async () => {
    const cwd = tempFolder();
    await callCli(['claude', '--mock', '--filter', 'claude-connect', '--keep-workspace'], { cwd });
    const { code } = await callCli(['clean'], { cwd });
    expect(code).toBe(0);
    expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
  });

  test('leaves and names what it did not make', async () => {
    const cwd = tempFolder();
    await callCli(['claude', '--mock', '--filter', 'claude-connect'], { cwd });
    mkdirSync(join(cwd, '.e2e-tests/mine'));
    writeFileSync(join(cwd, '.e2e-tests/mine/notes.txt'), 'mine');
    const { stdout } = await callCli(['clean'], { cwd });
    expect(stdout).toMatch(/did not make it: mine/);
    expect(readdirSync(join(cwd, '.e2e-tests/mine'))).toEqual(['notes.txt']);
  });
});
