import { expect, test } from 'vitest';
import {
  completed,
  errandAnswered,
  fileContains,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  promptContained,
  scenario,
} from '../../src/authoring.js';
import { runScenarios } from '../../src/harness/run-scenarios.js';
import { tempFolder } from '../support/cli.js';

test('errands run in order around the judged run, on the same workspace and the same agent', async () => {
  const output = tempFolder();
  const made = scenario({
    id: 'with-errands',
    backend: 'claude',
    tier: 6,
    priority: 'should',
    phase: 'green',
    description: 'Two sessions share what the first one left',
    covers: [],
    arrange: () => ({
      config: loop({ maxIterations: 2, memories: {} }),
      prompt: 'Second session.',
      files: { 'tool.sh': { content: '#!/bin/sh\necho ran\n', mode: 0o755 } },
      before: [
        { ralph: ['tools', 'memory', 'add', 'seven is prime'] },
        { session: { prompt: 'First session.' } },
        { git: ['log', '--format=%s'] },
      ],
      after: [{ ralph: ['tools', 'memory', 'list', '--format', 'json'] }],
    }),
    expect: () => [
      completed(),
      iterationCount(1),
      promptContained('seven is prime'),
      fileContains('second.txt', 'ran'),
    ],
    agent: [
      onObjective('First session.').writes('first.txt', 'one\n').completes(),
      onObjective('Second session.').runs('./tool.sh > second.txt').completes(),
    ],
  });
  const { results } = await runScenarios([made], { output, backends: ['claude'], keepWorkspace: true });
  expect(results[0]?.assertions.filter(({ passed }) => !passed)).toEqual([]);
  const files = new Map(results[0]?.context?.workspace_files.map(({ path, change }) => [path, change]));
  // What the earlier session wrote is no change of the judged run.
  expect([files.get('first.txt'), files.get('second.txt')]).toEqual(['unchanged', 'added']);
});

test('an errand has its folder and variables, and programs of the workspace come first on PATH', async () => {
  const output = tempFolder();
  const made = scenario({
    id: 'with-places',
    backend: 'claude',
    tier: 2,
    priority: 'should',
    phase: 'green',
    description: 'Ralph runs elsewhere, with other variables and programs',
    covers: [],
    arrange: () => ({
      config: loop({ maxIterations: 2 }),
      prompt: 'Say hello.',
      files: {
        'elsewhere/other.yml': 'event_loop: { completion_promise: ELSEWHERE }\n',
        'programs/forge': { content: '#!/bin/sh\nexit 0\n', mode: 0o755 },
      },
      path: ['programs'],
      before: [
        {
          ralph: ['run', '--dry-run', '--no-tui', '-p', 'hello'],
          in: 'elsewhere',
          env: { RALPH_CONFIG: 'other.yml' },
        },
        { ralph: ['run', '--dry-run', '--no-tui', '-p', 'hello', '-c', 'other.yml'] },
      ],
    }),
    expect: () => ({
      there: errandAnswered('run --dry-run --no-tui -p hello', { stdout: 'promise: ELSEWHERE' }),
      here: errandAnswered('run --dry-run --no-tui -p hello -c other.yml', {
        stdout: 'promise: LOOP_COMPLETE',
      }),
      program: fileContains('where.txt', '/programs/forge'),
    }),
    agent: [onAnyPrompt().runs('command -v forge > where.txt').completes()],
  });
  const { results } = await runScenarios([made], { output, backends: ['claude'] });
  expect(results[0]?.assertions.filter(({ passed }) => !passed)).toEqual([]);
});
