import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareSystemPath, runCli, tempFolder } from '../support/cli.js';
import { writeFakeAgents } from '../support/fake-agents.js';

describe('doctor', () => {
  test('says for each lane what is there, what is missing and how to fix it', async () => {
    const cwd = tempFolder();
    const { code, stdout } = await runCli(['doctor'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/live lane .*not usable/);
    expect(stdout).toMatch(/No ralph to test/);
    expect(stdout).toMatch(/claude is not on PATH\n\s+fix: npm install -g @anthropic-ai\/claude-code/);
    expect(stdout).toMatch(/sim lane .*: usable/);
  });

  test('--json tells the same to programs', async () => {
    const cwd = tempFolder();
    const bin = writeFakeAgents(join(cwd, 'bin'), 'does nothing');
    const { stdout } = await runCli(['doctor', '--json', '--ralph', 'embedded'], {
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
    expect(lanes[0].backends).toHaveLength(6);
    // What a login does not tell, and only where the lane is live.
    const warned = (lane: { requirements: { name: string }[] }) =>
      lane.requirements.some(({ name }) => name === 'gemini');
    expect(lanes.map(warned)).toEqual([true, false, false]);
  });
});

describe('clean', () => {
  test('removes what a run made', async () => {
    const cwd = tempFolder();
    await runCli(['claude', '--mock', '--filter', 'claude-connect', '--keep-workspace'], { cwd });
    const { code } = await runCli(['clean'], { cwd });
    expect(code).toBe(0);
    expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
  });

  test('leaves and names what it did not make', async () => {
    const cwd = tempFolder();
    await runCli(['claude', '--mock', '--filter', 'claude-connect'], { cwd });
    mkdirSync(join(cwd, '.e2e-tests/mine'));
    writeFileSync(join(cwd, '.e2e-tests/mine/notes.txt'), 'mine');
    const { stdout } = await runCli(['clean'], { cwd });
    expect(stdout).toMatch(/did not make it: mine/);
    expect(readdirSync(join(cwd, '.e2e-tests/mine'))).toEqual(['notes.txt']);
  });
});
