// Scenarios that do not pass: a run that is resumed must count their retries as an undisturbed run does.
import { agentSaid, completed, loop, onObjective, scenario } from 'ralph-e2e';

const common = {
  tier: 2,
  priority: 'should',
  phase: 'green',
  covers: [],
  backends: ['claude'],
  arrange: ({ nonce }) => ({ config: loop({ maxIterations: 3 }), prompt: `Say ${nonce}.` }),
  agent: [
    onObjective(/Say (\w+)\./)
      .says('{{1}}')
      .completes(),
  ],
};

export const failing = scenario({
  ...common,
  id: 'kills-failing',
  description: 'A check fails in every attempt',
  expect: () => ({ ends: completed(), silent: agentSaid('a word that nobody says') }),
});

export const throwing = scenario({
  ...common,
  id: 'kills-throwing',
  description: 'The scenario itself breaks in every attempt',
  expect: () => ({
    ends: completed(),
    broken: { ...completed(), judge: () => JSON.parse('not JSON') },
  }),
});
