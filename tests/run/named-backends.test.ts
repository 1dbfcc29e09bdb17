import { expect, test } from 'vitest';
import { runScenarios } from '../../src/run-scenarios.js';
import { tempFolder } from '../support/cli.js';
import { shout } from './prove/support.js';

test('a program that names backends reads in the report which of them were not tested', async () => {
  const scenarios = [shout()];
  const run = (backends?: readonly ('claude' | 'pi')[]) =>
    runScenarios(scenarios, {
      output: tempFolder(),
      ralph: 'embedded',
      ...(backends === undefined ? {} : { backends }),
    });

  const named = await run(['pi', 'claude', 'claude']);
  expect(named.results.map(({ backend, outcome }) => [backend, outcome])).toEqual([['claude', 'passed']]);
  expect(named).toMatchObject({
    passed: false,
    backends_named: ['claude', 'pi'],
    backends_untested: [{ backend: 'pi', reason: 'no scenario that was selected runs on it' }],
  });
  expect(await run()).toMatchObject({ passed: true, backends_named: [], backends_untested: [] });
});
