import { describe, expect, test } from 'vitest';
import { completed, endedAtOnce, loop, onAnyPrompt, type Scenario, scenario } from '../../src/authoring.js';
import { runScenarios } from '../../src/harness/run-scenarios.js';
import { tempFolder } from '../support/cli.js';

const COLLECTION = [
  'event_loop:',
  '  completion_promise: HATS_DONE',
  '  starting_event: work.begin',
  'hats:',
  '  worker:',
  '    name: Worker',
  '    description: Does the work',
  '    triggers: [work.begin]',
  '    publishes: [HATS_DONE]',
].join('\n');

/** Ralph takes the promise from its arguments; the agent says this one. */
function promising(said: string, args: readonly string[]): Scenario {
  return scenario({
    id: 'promises',
    backend: 'claude',
    tier: 2,
    priority: 'should',
    phase: 'green',
    description: 'The loop ends with its promise',
    covers: [],
    arrange: () => ({
      config: loop({ maxIterations: 3 }),
      prompt: 'Work.',
      files: { 'team.yml': COLLECTION },
      args,
    }),
    expect: () => ({ ends: completed(), iterations: endedAtOnce() }),
    agent: [onAnyPrompt().says(said)],
  });
}

describe('a loop is complete when the agent says the promise', () => {
  test.each([
    ['on the command line', 'FLAG_DONE', ['--completion-promise', 'FLAG_DONE']],
    ['in a hat collection', 'HATS_DONE', ['-H', 'team.yml']],
  ])('that stands %s', async (_where, promise, args) => {
    const report = await runScenarios([promising(promise, args)], {
      output: tempFolder(),
      backends: ['claude'],
    });
    expect(report.results.map(({ outcome }) => outcome)).toEqual(['passed']);
  });
});
