import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proofSchema } from '../../../src/domain/proof/proof.js';
import { bareSystemPath, callCli, startCli, tempFolder } from '../../support/cli.js';

describe('ralph-e2e prove', () => {
  test('prints the proof as JSON, writes it, and says on the side what it does', async () => {
    const cwd = tempFolder();
    const { code, stdout, stderr } = await callCli(
      // Its backend is one that `all` does not mean in a run: a proof leaves no scenario out.
      ['prove', '--filter', 'codex-connect', '--json', '--saboteurs', 'target'],
      { cwd },
    );
    const proof = proofSchema.parse(JSON.parse(stdout));
    expect(proof.scenarios.map(({ id, oracle }) => [id, oracle.outcome])).toEqual([
      ['codex-connect', 'passed'],
    ]);
    expect([proof.complete, proof.target.kind, proof.survivors]).toEqual([false, 'stand-in', []]);
    expect(code).toBe(proof.passed ? 0 : 1);
    expect(stderr).toMatch(/Target: stand-in ralph[\s\S]*codex-connect: oracle passed[\s\S]*PROVED:/);
    expect(JSON.parse(readFileSync(join(cwd, '.e2e-tests/prove.json'), 'utf8'))).toEqual(proof);
    // A proof is no run: it leaves nothing that could be shown or compared, and blames nobody for that.
    for (const words of [['show'], ['show', '--list'], ['compare', '--baseline', 'latest']]) {
      const shown = await callCli(words, { cwd });
      expect(shown.stderr).toContain('There are no runs in ');
      expect(shown.code).toBe(2);
    }
    expect((await callCli(['clean'], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
  });

  test('is not green where nothing could be run, and says why', async () => {
    const cwd = tempFolder();
    const { code, stdout } = await callCli(
      ['prove', '--filter', 'claude-connect', '--lane', 'scripted', '--ralph', 'embedded'],
      { cwd, env: { PATH: bareSystemPath() } },
    );
    expect(stdout).toMatch(/claude is not on PATH/);
    expect(code).toBe(2);
  });

  test('is not begun where a backend that was named cannot be used', async () => {
    const { code, stdout, stderr } = await callCli(
      ['prove', 'kiro', '--filter', 'kiro-connect', '--lane', 'scripted', '--ralph', 'embedded'],
      { cwd: tempFolder() },
    );
    expect(stderr).toMatch(/^error: You named kiro, but it is not ready: /);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test.each([
    [['prove', '--lane', 'live'], /--lane live: expected sim or scripted/],
    [['prove', '--lane', 'lvie'], /--lane lvie: expected sim or scripted\.\n$/],
    [
      ['prove', '--saboteurs', 'agents'],
      /--saboteurs agents: expected all, none, or a comma-separated list of kinds \(agent, config, target\)/,
    ],
    [
      ['prove', '--filter', 'nothing-such'],
      /--filter nothing-such: expected a pattern that matches a scenario, found no match/,
    ],
    [['prove', 'claude', 'cluade'], /Unknown backend "cluade"/],
  ])('refuses %j', async (args, message) => {
    const cwd = tempFolder();
    const { code, stderr } = await callCli(args, { cwd });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(existsSync(join(cwd, '.e2e-tests'))).toBe(false);
  });

  test('Ctrl-C ends it with 130 and leaves what was done so far', async () => {
    const cwd = tempFolder();
    const run = startCli(['prove', 'claude', '--filter', 'tier 2', '-j', '1'], { cwd });
    while (!/Proving/.test(run.output())) await new Promise((resolve) => setTimeout(resolve, 20));
    run.child.kill('SIGINT');
    const { code, stdout } = await run.done;
    expect(stdout).toMatch(/INTERRUPTED: .* so far/);
    expect(code).toBe(130);
    const proof = proofSchema.parse(JSON.parse(readFileSync(join(cwd, '.e2e-tests/prove.json'), 'utf8')));
    expect([proof.interrupted, proof.passed]).toEqual([true, false]);
  });
});
