import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../../../src/domain/report/report.js';
import { copyPlannedBuild, DRAFT_EXTENSION } from '../../../draft/support.js';
import { CLI, callCli, runCli, tempFolder } from '../../../support/cli.js';

/** Runs `new` and returns what it wrote and printed. */
async function draft(id: string, ...flags: string[]) {
  const cwd = tempFolder();
  const { code, stdout, stderr } = await callCli(['new', id, ...flags], { cwd });
  expect([stderr, code]).toEqual(['', 0]);
  const [file = ''] = readdirSync(cwd);
  return { cwd, file, stdout, text: readFileSync(join(cwd, file), 'utf8') };
}

/** The commands that it prints to go on with, as they are printed. */
function printedCommands(stdout: string): string[][] {
  return [...stdout.matchAll(/^ {2}node \S+ (.*?) +# /gm)].map(([, words = '']) => words.split(' '));
}

/** The outcome of each test of a run, and the checks that failed. */
async function run(args: readonly string[], cwd: string) {
  const { code, stdout } = await runCli([...args, '--json'], { cwd });
  const { results } = reportSchema.parse(JSON.parse(stdout));
  const failed = results.flatMap(({ assertions }) => assertions.filter(({ passed }) => !passed));
  return { code, outcomes: results.map(({ outcome }) => outcome), failed: failed.map(({ name }) => name) };
}

describe('ralph-e2e new', () => {
  test('drafts a scenario that passes as it is, where nothing is installed, and says how to go on', async () => {
    const { cwd, file, stdout } = await draft('my-idea');
    expect(file).toBe(`my-idea.scenario.${DRAFT_EXTENSION}`);
    const [first = [], second = [], third = []] = printedCommands(stdout);
    expect(first).toEqual(['--mock', '--ralph', 'embedded', '--scenarios', file]);
    expect(second).toEqual(['prove', '--scenarios', file]);
    expect(third).toEqual(['--mock', '--ralph', 'path/to/ralph', '--scenarios', file]);
    expect(stdout).toContain(`node ${CLI} `);
    expect(await run(first, cwd)).toEqual({ code: 0, outcomes: ['passed', 'passed', 'passed'], failed: [] });
  });

  test.each([['loop'], ['scenario'], ['2-hats'], ['new']])(
    'an id that is a name already, %s, is fine',
    async (id) => {
      const { cwd, file } = await draft(id);
      const { code, stdout } = await runCli(['--list', '--mock', '--scenarios', file], { cwd });
      expect(stdout).toContain(`  ${id} `);
      expect(code).toBe(0);
    },
  );

  test('overwrites nothing', async () => {
    const { cwd, file, text } = await draft('my-idea');
    const taken = await callCli(['new', 'hat-single'], { cwd });
    expect(taken).toMatchObject({ code: 2, stdout: '' });
    expect(taken.stderr).toMatch(
      /but a built-in scenario has this one\.\nChoose another, such as my-hat-single\./,
    );
    const { code, stdout, stderr } = await callCli(['new', 'my-idea'], { cwd });
    expect(stderr).toMatch(/^error: The file .*my-idea\.scenario\.\w+ already exists\.\n.*another id/);
    expect([stdout, code]).toEqual(['', 2]);
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(text);
  });

  test('writes to another folder, and makes it', async () => {
    const cwd = tempFolder();
    const { stdout } = await callCli(['new', 'my-idea', '--output', 'tests/e2e'], { cwd });
    expect(stdout).toContain('--scenarios tests/e2e/my-idea.scenario.');
    expect(readdirSync(join(cwd, 'tests/e2e'))).toHaveLength(1);
  });

  test.each(['My Idea', '../up', 'a--b', 'a/b'])(
    'the id %j is refused, and nothing is written',
    async (id) => {
      const cwd = tempFolder();
      const { code, stderr } = await callCli(['new', id], { cwd });
      expect(stderr).toMatch(/^error: new .*: expected an id such as "my-scenario", found /);
      expect([readdirSync(cwd), code]).toEqual([[], 2]);
    },
  );
});

describe('ralph-e2e new --from', () => {
  test('drafts what the run did, and passes on the stand-in', async () => {
    const { cwd, stdout, text } = await draft('report', '--from', copyPlannedBuild());
    expect(stdout).toContain('It has 6 checks, 3 agent rules and 3 saboteurs. Search it for DECIDE.');
    expect(text).toContain("description: 'DECIDE: ");
    expect(text).toMatch(/\/\/ DECIDE: these checks expect what the run showed\.[\s\S]*\n {2}expect: /);
    for (const line of [
      "hats: hatSequence('planner', 'builder', 'ralph'),",
      "events: eventsInOrder('plan.ready', 'build.finished', 'ALL_DONE'),",
      `planReady: eventEmitted('plan.ready', "say {{hi}}, it's short"),`,
    ])
      expect(text).toContain(`    ${line}\n`);
    const [first = []] = printedCommands(stdout);
    expect(await run(first, cwd)).toEqual({ code: 0, outcomes: ['passed'], failed: [] });
  });

  test('fails where Ralph does something else than in that run', async () => {
    const { cwd, file } = await draft('report', '--from', copyPlannedBuild());
    const path = join(cwd, file);
    const changed = readFileSync(path, 'utf8').replace(
      "triggers: ['plan.ready']",
      "triggers: ['plan.other']",
    );
    writeFileSync(path, changed);
    const { code, failed } = await run(['claude', '--mock', '--scenarios', file], cwd);
    expect(failed).toContain('the hats are planner, then builder, then ralph');
    expect(code).toBe(1);
  });

  test('without diagnostics it does not guess the hats, and passes all the same', async () => {
    const folder = copyPlannedBuild();
    rmSync(join(folder, '.ralph/diagnostics'), { recursive: true });
    const { cwd, file, stdout, text } = await draft('report', '--from', folder);
    expect(stdout).toMatch(/ {2}- The folder does not show the prompts.*RALPH_DIAGNOSTICS=1/);
    expect(text).toMatch(/\/\/ - The folder does not show the prompts/);
    expect(text).not.toMatch(/onHat|hatSequence/);
    expect(await run(['--mock', '--scenarios', file], cwd)).toMatchObject({ code: 0, outcomes: ['passed'] });
  });

  test('with ralph.yml and a prompt alone it says that the agent is to be written', async () => {
    const folder = copyPlannedBuild();
    rmSync(join(folder, '.ralph'), { recursive: true });
    const { cwd, file, text } = await draft('report', '--from', folder);
    expect(text).toMatch(/\/\/ - The folder has no events of a run/);
    expect(text).toContain('// DECIDE: what the agent does from here.\n    onAnyPrompt().completes(),');
    expect(await run(['--mock', '--scenarios', file], cwd)).toMatchObject({ code: 0, outcomes: ['passed'] });
  });

  test('a hostile folder gives texts and no code', async () => {
    const folder = copyPlannedBuild();
    const attack = `'"\`*/\u2028${'${process.exit(9)}'}\n}); globalThis.pwned = process.exit(9); //`;
    const hats = {
      evil: {
        name: attack,
        description: attack,
        triggers: [attack],
        publishes: [],
        backend: attack,
        instructions: attack,
      },
    };
    writeFileSync(
      join(folder, 'ralph.yml'),
      JSON.stringify({ cli: { backend: attack }, hats, [attack]: attack }),
    );
    rmSync(join(folder, '.ralph/history.jsonl'));
    rmSync(join(folder, '.ralph/diagnostics'), { recursive: true });
    writeFileSync(join(folder, 'PROMPT.md'), attack);
    const [events = ''] = readdirSync(join(folder, '.ralph')).filter((name) => name.startsWith('events-'));
    appendFileSync(
      join(folder, '.ralph', events),
      `${JSON.stringify({ topic: attack, payload: attack, ts: '2026-11-16T00:44:21.9Z' })}\n`,
    );
    const { cwd, file } = await draft('report', '--from', folder);
    const { code, stdout, stderr } = await runCli(['--list', '--mock', '--scenarios', file], { cwd });
    expect(stderr).toBe('');
    expect(stdout).toContain('report');
    expect(code).toBe(0);
  });

  test('a folder without a run of Ralph is refused, and nothing is written', async () => {
    const cwd = tempFolder();
    const { code, stderr } = await callCli(['new', 'report', '--from', tempFolder()], { cwd });
    expect(stderr).toMatch(
      /^error: --from .*: expected a folder with ralph\.yml, PROMPT\.md or \.ralph\/, found none of them\.\nName the folder/,
    );
    expect([readdirSync(cwd), code]).toEqual([[], 2]);
  });
});
