import { expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { drawContext } from '../../../src/run/attempt/attempt.js';
import { allChecks } from '../../../src/run/attempt/judge.js';
import { covers } from '../../coverage/covers.js';

test('every conversation is judged by its states, and no loop of Ralph', () => {
  covers('C12');
  const context = drawContext('claude', 'sim');
  const judged = catalogue.filter((scenario) =>
    allChecks(scenario, context).some(({ kind }) => kind === 'statesKept'),
  );
  expect(judged.length).toBeGreaterThan(0);
  const ids = (scenarios: typeof catalogue) => scenarios.map(({ id }) => id);
  expect(ids(judged)).toEqual(ids(catalogue.filter(({ kind }) => kind === 'conversation')));
});
