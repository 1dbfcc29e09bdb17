import { appendFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onAnyPrompt } from '../../src/agent/builder.js';
import { scenario } from '../../src/domain/scenario/scenario.js';
import type { Attempt } from '../../src/lane/job.js';
import {
  type AttemptFacts,
  type Layout,
  runOnWorkbench,
  type TargetRun,
  type Workbench,
} from '../../src/lane/workbench.js';
import { createRunDir } from '../../src/workspace/runs/runs.js';
import { openWorkspaceRoot } from '../../src/workspace/workspace-root.js';
import { makeEvidence } from '../domain/support/evidence.js';
import { tempFolder } from '../support/cli.js';

const SCENARIO = scenario({
  id: 'bench',
  tier: 1,
  priority: 'must',
  phase: 'green',
  description: 'nothing',
  covers: [],
  timeoutSeconds: 30,
  arrange: () => ({ config: {}, prompt: 'Do nothing.' }),
  expect: () => [],
  agent: [onAnyPrompt().says('yes')],
});

async function prepare(more: Partial<Attempt['settings']> = {}): Promise<Attempt> {
  const root = await openWorkspaceRoot(join(tempFolder(), '.e2e-tests'));
  const run = await createRunDir(root);
  return {
    job: { scenario: SCENARIO, backend: 'claude', attempt: 2, asks: ['kept.txt'] },
    places: { artifacts: run.path, home: join(run.path, 'home') },
    settings: {
      lane: 'sim',
      target: { kind: 'stand-in', path: '/ralph', version: '1.0.0' },
      binary: '/ralph',
      root,
      run,
      base: { SOME_TOKEN: 'token-of-the-user' },
      env: { PATH: process.env.PATH ?? '' },
      model: null,
      timeoutSeconds: null,
      keepWorkspace: false,
      signal: new AbortController().signal,
      containment: { kind: 'tracking' },
      ...more,
    },
  };
}

/** Runs a target that is a function and returns what it and its collector were given. */
async function runTarget(attempt: Attempt, layout: Layout, target: (workbench: Workbench) => void) {
  const seen: { workbench?: Workbench; facts?: AttemptFacts } = {};
  const run: TargetRun<string> = {
    run: async (workbench) => {
      seen.workbench = workbench;
      target(workbench);
      return 'ran';
    },
    collect: async (result, facts) => {
      seen.facts = facts;
      return makeEvidence({ promptText: result });
    },
  };
  return { ...(await runOnWorkbench(attempt, layout, run)), seen };
}

test('a target runs between its errands, in a workspace with its files, and only its own changes are told', async () => {
  const attempt = await prepare();
  const touch = (name: string) => ({ run: ['sh', '-c', `echo "$MINE" > ${name}`] as const });
  const { evidence, workspace, seen } = await runTarget(
    attempt,
    {
      files: { 'kept.txt': 'kept' },
      env: { MINE: 'my value' },
      before: [touch('before.txt')],
      after: [touch('after.txt'), { run: ['cat', 'made.txt', 'before.txt'] }],
    },
    ({ workspace: folder }) => writeFileSync(join(folder, 'made.txt'), 'made\n'),
  );
  expect(evidence.promptText).toBe('ran');
  expect(workspace.name).toBe('bench-claude');
  const changes = (seen.facts?.changes ?? []).filter(({ change }) => change !== 'unchanged');
  expect(changes.map(({ path, change }) => [path, change])).toEqual([['made.txt', 'added']]);
  expect(seen.facts?.errands.map(({ when, stdout }) => [when, stdout])).toEqual([
    ['before', ''],
    ['after', ''],
    ['after', 'made\nmy value\n'],
  ]);
  expect(seen.facts).toMatchObject({
    asks: ['kept.txt'],
    agentLog: join(attempt.places.artifacts, 'agent-calls.jsonl'),
    secrets: ['token-of-the-user'],
  });
});

test('commands after the target obey neither its home nor the settings of its repo; programs under test keep the home', async () => {
  const attempt = await prepare();
  const { home } = attempt.places;
  const bin = tempFolder();
  const asksHome = ['sh', '-c', 'ls -A "$HOME"; ls -A "$XDG_CONFIG_HOME"'] as const;
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\n${asksHome[2]}\n`, { mode: 0o755 });
  const { seen } = await runTarget(
    { ...attempt, settings: { ...attempt.settings, binary: join(bin, 'claude') } },
    {
      files: { 'kept.txt': 'kept' },
      env: { PATH: `${bin}:${process.env.PATH}` },
      before: [{ run: asksHome }],
      after: [
        { git: ['status', '--porcelain'] },
        { run: asksHome },
        { run: ['claude'] },
        { ralph: ['events'] },
      ],
    },
    ({ workspace }) => {
      mkdirSync(join(home, '.config', 'git'), { recursive: true });
      writeFileSync(join(home, '.config', 'git', 'config'), '[status]\n\tshowUntrackedFiles = no\n');
      appendFileSync(join(workspace, '.git', 'config'), '[status]\n\tshowUntrackedFiles = no\n');
      writeFileSync(join(workspace, 'left.txt'), 'left');
    },
  );
  const answers = (seen.facts?.errands ?? []).map(({ stdout }) => stdout);
  expect(answers.slice(0, 3)).toEqual(['', '?? left.txt\n', '']);
  for (const answer of answers.slice(3)) expect(answer).toMatch(/^\.config\n(?:.+\n)*git\n$/);
});

test('nothing starts at the path of a target that was replaced', async () => {
  const found = '/ralph is another program now';
  let ran = 0;
  const replaced = await prepare({ findChangedTarget: async () => found });
  await expect(
    runTarget(replaced, { env: {} }, () => {
      ran += 1;
    }),
  ).rejects.toThrow(`Expected the Ralph that the run began with, but ${found}.`);
  expect(ran).toBe(0);
  const later = await prepare({ findChangedTarget: async () => (ran === 0 ? null : found) });
  const mark = join(tempFolder(), 'mark');
  const layout = { env: {}, after: [{ run: ['touch', mark] as const }] };
  await expect(
    runTarget(later, layout, () => {
      ran += 1;
    }),
  ).rejects.toThrow(found);
  expect([ran, existsSync(mark)]).toEqual([1, false]);
});

test('a target is kept to the folder of the run, and its processes are found by the name of the attempt', async () => {
  const attempt = await prepare();
  const { root, run } = attempt.settings;
  const { seen } = await runTarget(attempt, { env: { MINE: 'x' } }, () => {});
  expect(seen.workbench).toMatchObject({
    workspace: join(root.path, 'bench-claude'),
    attemptId: `${run.id}/bench-claude/2`,
    timeoutSeconds: 30,
    env: { MINE: 'x', GIT_CEILING_DIRECTORIES: root.path, RALPH_E2E_FOLDER: root.path },
  });
});

test('a variant has a workspace, an environment and a time limit of its own', async () => {
  const attempt = await prepare({ timeoutSeconds: 20 });
  const plant = tempFolder();
  writeFileSync(join(plant, 'left.txt'), 'left');
  const variant = { name: 'spoilt', env: { FAULT: 'yes' }, plant, timeoutSeconds: 10 };
  const { seen } = await runTarget(
    { ...attempt, job: { ...attempt.job, variant } },
    { env: {} },
    (workbench) => expect(existsSync(join(workbench.workspace, 'left.txt'))).toBe(true),
  );
  expect(seen.workbench).toMatchObject({
    workspace: join(attempt.settings.root.path, 'bench-claude-spoilt'),
    attemptId: `${attempt.settings.run.id}/bench-claude/spoilt2`,
    timeoutSeconds: 10,
    env: { FAULT: 'yes' },
  });
});

test('nothing is read from a workspace that was replaced', async () => {
  const attempt = await prepare();
  const swap = ({ workspace }: Workbench) => {
    renameSync(workspace, `${workspace}-elsewhere`);
    writeFileSync(workspace, 'no folder');
  };
  await expect(runTarget(attempt, { env: {} }, swap)).rejects.toThrow('The agent replaced its workspace');
});

test('the model goes and the sandbox is closed when the target fails', async () => {
  const opened: string[] = [];
  const attempt = await prepare({
    lane: 'scripted',
    enclosure: {
      kind: 'bwrap',
      open: async ({ ports }) => {
        opened.push(`open for ${ports.length} port`);
        return {
          kind: 'bwrap',
          enter: async () => Promise.reject(new Error('nobody enters')),
          stopped: () => [],
          close: async () => void opened.push('closed'),
        };
      },
      close: async () => {},
    },
  });
  let url = '';
  const fail = ({ env }: Workbench) => {
    url = env.ANTHROPIC_BASE_URL ?? '';
    throw new Error('the target broke');
  };
  await expect(runTarget(attempt, { env: {} }, fail)).rejects.toThrow('the target broke');
  expect(opened).toEqual(['open for 1 port', 'closed']);
  expect(url).toContain('http://127.0.0.1:');
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
