import { expect, test } from 'vitest';
import {
  completed,
  fileContains,
  iterationCount,
  loop,
  onObjective,
  promptContained,
  scenario,
} from '../../src/authoring.js';
import { runScenarios } from '../../src/run-scenarios.js';
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
