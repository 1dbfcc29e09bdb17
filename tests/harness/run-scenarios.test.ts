// Starts programs, or takes seconds: in the project `whole`.
import { expect, onTestFinished, test, vi } from 'vitest';
import { runScenarios } from '../../src/harness/run-scenarios.js';
import { shout } from '../run/prove/support.js';
import { bareSystemPath, tempFolder } from '../support/cli.js';

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

test('a program gets the ralph of $RALPH_BIN and PATH as the command line does, and the stand-in without one', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('PATH', bareSystemPath());
  vi.stubEnv('RALPH_BIN', '/nowhere/ralph');
  const run = () => runScenarios([shout()], { output: tempFolder() });
  await expect(run()).rejects.toThrow('$RALPH_BIN names "/nowhere/ralph"');
  vi.stubEnv('RALPH_BIN', undefined);
  expect((await run()).target).toMatchObject({ kind: 'stand-in', because: 'none-found' });
});

test.each([
  ['lanes', { lanes: ['smi'] }],
  ['backends', { backends: ['cluade'] }],
  ['id', { id: 'A/b' }],
])('a scenario that nothing would select is refused by name, not left out: %s', async (field, change) => {
  const scenarios = [shout(), { ...shout(), id: 'gone', ...change } as ReturnType<typeof shout>];
  await expect(runScenarios(scenarios, { output: tempFolder(), ralph: 'embedded' })).rejects.toThrow(
    new RegExp(`^scenario ".*": ${field}`),
  );
});

test.each([
  [{ filter: ['shout'] }, /expected options such as filters, found "filter"\.$/],
  [{ jobs: Number.POSITIVE_INFINITY }, /^jobs: expected a whole number of at least 1, found Infinity\.$/],
])('an option that means nothing is refused: %j', async (options, message) => {
  await expect(runScenarios([shout()], { output: tempFolder(), ...options })).rejects.toThrow(message);
});
