import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, removeWorld, runWorkflow, type World } from './support/act.js';
import { packageAgents } from './support/agents.js';
import { startRegistry } from './support/registry.js';
import { addCargo, change, copyAsRepository, createRepository, initialize } from './support/repositories.js';
import { ROOT } from './support/tools.js';

const WORKFLOW = '.github/workflows/ralph-e2e.yml';

let world: World;
let asked: ReadonlySet<string>;
let stop = () => {};

beforeAll(async () => {
  const packages = mkdtempSync(join(tmpdir(), 'ralph-e2e-packages-'));
  const registry = await startRegistry(packageAgents(packages), packages);
  asked = registry.asked;
  stop = () => {
    registry.close();
    rmSync(packages, { recursive: true, force: true });
  };
  world = createWorld(registry.url);
  addCargo(world);
});

afterAll(() => {
  stop();
  removeWorld(world);
});

/** Leaves two of the scenarios: all of them take minutes. */
function narrow(text: string): string {
  return text.replace(
    'ralph-e2e --mock',
    'ralph-e2e claude --mock --filter first-scenario --filter hat-instructions',
  );
}

describe('the workflow for Ralph', () => {
  test('is green in an empty repository, where it tests a release', async () => {
    const repository = createRepository(world, {});
    initialize(repository, '--for', 'ralph');
    change(repository, WORKFLOW, narrow);
    const run = await runWorkflow(world, repository, 'pull_request');
    expect(run.jobs, run.output).toEqual(['offline: success']);
    expect(run.passed).toBe(true);
    expect(run.summary).toContain('Nothing to compare with: main has no report yet.');
    expect([...run.artifact('offline-reports').keys()]).toEqual(
      expect.arrayContaining([
        'report.md',
        'report.json',
        'report.html',
        'report/tests/first-scenario-claude.md',
      ]),
    );
  });

  test('compares a pull request with main, and is red only if the pull request breaks something', async () => {
    const repository = createRepository(world, {
      'crates/ralph-cli/Cargo.toml': '',
      'crates/ralph-cli/fault': '',
    });
    initialize(repository);
    change(repository, WORKFLOW, narrow);
    const main = await runWorkflow(world, repository, 'push');
    expect(main.passed, main.output).toBe(true);

    const healthy = await runWorkflow(world, repository, 'pull_request');
    expect(healthy.passed, healthy.output).toBe(true);
    expect(healthy.summary).toContain('0 new failures, 0 fixed, 0 still failing, 2 unchanged');

    change(repository, 'crates/ralph-cli/fault', () => 'drop-hat-instructions');
    const broken = await runWorkflow(world, repository, 'pull_request');
    expect(broken.jobs, broken.output).toEqual(['offline: failure']);
    expect(broken.passed).toBe(false);
    expect(broken.summary).toContain('1 new failure, 0 fixed');
    expect(broken.output).toContain('::error title=hat-instructions [claude]::');
    expect(broken.artifact('offline-reports').has('failures.json')).toBe(true);
  });
});

test('the live jobs run their parts with the secret of their backend, and a report comes out for each backend', async () => {
  const repository = createRepository(world, { 'crates/ralph-cli/Cargo.toml': '' });
  initialize(repository);
  change(repository, WORKFLOW, (text) =>
    narrow(text).replace(
      '--suite "$SUITE"',
      '--suite "$SUITE" --filter *e-connect --filter backend-unavailable',
    ),
  );
  const run = await runWorkflow(world, repository, 'workflow_dispatch', {
    payload: { inputs: { suite: 'ralph', 'max-cost': 5 } },
    secrets: { ANTHROPIC_API_KEY: 'a-key-that-nobody-has', OPENCODE_API_KEY: 'another-key-that-nobody-has' },
  });
  const count = (job: string) => run.jobs.filter((result) => result === `${job}: success`).length;
  expect([count('offline'), count('live'), count('merge'), run.jobs.length], run.output).toEqual([
    1, 4, 2, 7,
  ]);
  for (const backend of ['claude', 'opencode']) {
    const report = JSON.parse(run.artifact(`live-reports-${backend}`).get('report.json') ?? '{}');
    expect(report).toMatchObject({ lane: 'live', passed: true });
    const outcomes = report.results.map(
      (result: Record<string, string>) => `${result.scenario_id} ${result.outcome}`,
    );
    expect(outcomes.toSorted()).toEqual(['backend-unavailable passed', `${backend}-connect passed`]);
  }
});

test('the workflow for a plugin is green in a repository of a plugin', async () => {
  const repository = copyAsRepository(world, join(ROOT, 'examples/hello'));
  initialize(repository);
  const run = await runWorkflow(world, repository, 'pull_request');
  expect(run.jobs, run.output).toEqual(['offline: success']);
  const report = JSON.parse(run.artifact('offline-reports').get('report.json') ?? '{}');
  expect(report.results).toMatchObject([{ scenario_id: 'plugin-loads', outcome: 'passed' }]);
  expect(readFileSync(join(repository, WORKFLOW), 'utf8')).not.toContain('cargo');
});

test('no job asks a registry for ralph-e2e', () => {
  expect(asked).toContain('zod');
  expect(asked).not.toContain('ralph-e2e');
});
