import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { callCli, tempFolder } from '../support/cli.js';

const RUN = ['claude', '--mock', '--filter', 'claude-multi-iter', '--json'];

async function analysed(args: readonly string[], fault?: string, ids = 'claude-multi-iter') {
  const cwd = tempFolder();
  const env: Record<string, string> = fault === undefined ? {} : { RALPH_STANDIN_FAULT: fault };
  const pass = fault === undefined ? [] : ['--env', 'RALPH_STANDIN_FAULT'];
  const run = ['claude', '--mock', '--filter', `/^(?:${ids})$/`, '--json', '--analysis', 'always'];
  const { code, stdout, stderr } = await callCli([...run, ...pass, ...args], { cwd, env, analysis: true });
  const markdown = readFileSync(join(cwd, '.e2e-tests', 'report.md'), 'utf8');
  return { code, report: reportSchema.parse(JSON.parse(stdout)), markdown, stderr, cwd };
}

describe('ralph as the analyst of a run', () => {
  test('says what it found in the prompt that ralph passed on, and is marked as scripted', async () => {
    const { code, report, markdown } = await analysed([]);
    expect([code, report.analyst?.outcome, report.analyst?.by]).toEqual([0, 'done', 'script']);
    expect(report.analyst?.answer?.passed_analyses).toMatchObject([
      { scenario_id: 'claude-multi-iter', quality_score: 'Good' },
    ]);
    expect(markdown).toContain('Scripted: no model was asked');
  });

  test('analyses failures, and is asked for in words', async () => {
    const { code, report } = await analysed(
      [],
      'ignore-required-events',
      'required-events|claude-multi-iter',
    );
    expect([code, report.summary.failed, report.analyst?.outcome]).toEqual([1, 1, 'done']);
    expect(report.analyst?.answer?.failed_analyses).toMatchObject([{ scenario_id: 'required-events' }]);
  });

  test('does not analyze with a target that completed no loop, and says so', async () => {
    const { code, report, stderr, markdown } = await analysed([], 'crash');
    expect([code, report.summary.failed, report.analyst?.outcome]).toEqual([1, 1, 'skipped']);
    expect(report.analyst?.notes).toEqual(['no loop of this Ralph completed']);
    expect(stderr).toContain('Analysis by Ralph: skipped: no loop of this Ralph completed');
    expect(markdown).toContain('no loop of this Ralph completed');
  });

  test('is announced, and learns how long the run took', async () => {
    const { stderr, cwd } = await analysed(['--keep-workspace']);
    expect(stderr).toContain('Ralph analyzes the results on claude (0:00, limit 1:00), Ctrl-C skips it');
    const prompt = readFileSync(join(cwd, '.e2e-tests', 'meta-analysis-claude', 'prompt.md'), 'utf8');
    const [, seconds] = /^- (\d+\.\d) s, ralph/m.exec(prompt) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
  });

  test.each([
    ['offline, nobody asks', [], null],
    ['it is never wanted', ['--analysis', 'never'], null],
    ['it is always wanted', ['--analysis', 'always'], 'done'],
  ])('if %s: %j', async (_when, args, outcome) => {
    const { stdout } = await callCli([...RUN, ...args], { cwd: tempFolder(), analysis: true });
    expect(reportSchema.parse(JSON.parse(stdout)).analyst?.outcome ?? null).toBe(outcome);
  });

  test.each([
    [
      ['--skip-analysis', '--analysis', 'always'],
      /--skip-analysis means --analysis never, but --analysis is always/,
    ],
    [['--analysis', 'never', '--analyzer', 'mine.yml'], /--analysis never and --analyzer cannot be combined/],
    [['--analysis', 'sometimes'], /--analysis sometimes: expected auto, always or never/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await callCli([...RUN, ...args], { cwd: tempFolder(), analysis: true });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('that fails is a note, and the verdict stays as it was', async () => {
    const config = join(tempFolder(), 'mine.yml');
    const hat = '{name: Mine, description: d, triggers: [analyze.request], publishes: [], instructions: x}';
    writeFileSync(config, `cli: {command: ./no-such-agent}\nhats: {mine: ${hat}}\n`);
    const { code, report, markdown } = await analysed(['--analyzer', config]);
    expect([code, report.passed, report.analyst?.outcome]).toEqual([0, true, 'failed']);
    expect(report.analyst?.notes[0]).toContain('no answer');
    expect(markdown).toContain('That says nothing about the tests.');
  });

  test('takes a configuration of the user, and gives it the iterations that it needs', async () => {
    const config = join(tempFolder(), 'mine.yml');
    writeFileSync(
      config,
      'event_loop: {max_iterations: 1, completion_promise: MINE_DONE}\nhats: {mine: {name: Mine, description: d, triggers: [analyze.request], publishes: [analyze.complete], instructions: Analyse.}}\n',
    );
    const { report } = await analysed(['--analyzer', config]);
    expect(report.analyst).toMatchObject({ outcome: 'done', notes: [] });
  });

  test.each([
    ['no-such.yml', /expected a ralph.yml, found no file/],
    ['package.json', /expected a hat with the trigger analyze.request|hats/],
  ])('refuses %s before anything runs', async (path, message) => {
    const cwd = tempFolder();
    writeFileSync(join(cwd, 'package.json'), '{"hats": {"a": {"triggers": ["b"]}}}');
    const { code, stderr } = await callCli([...RUN, '--analyzer', path], { cwd, analysis: true });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
