// A scenario whose prompt, configuration and agent leak everything. One of its checks fails: reports tell more of a failure.
import { fileURLToPath } from 'node:url';
import { agentSaid, completed, fileContains, loop, onAnyPrompt, scenario } from '../../dist/index.js';
import { PLANTS, plantFor, textFor } from './places.mjs';

const LEAK = `"${process.execPath}" "${fileURLToPath(new URL('agent.mjs', import.meta.url))}"`;
const AT_ONCE = 5;

export const planted = scenario({
  id: 'planted',
  tier: 1,
  priority: 'must',
  phase: 'green',
  description: 'An agent leaks all it knows',
  covers: [],
  arrange: () => ({
    config: loop({ maxIterations: 2, more: { core: { guardrails: [textFor('config')] } } }),
    prompt: `Leak everything.\n${textFor('prompt')}`,
  }),
  expect: () => ({
    ends: completed(),
    holds: fileContains('leaks.txt', 'file#0#'),
    // One for each: reports cut a long expectation.
    ...Object.fromEntries(
      PLANTS.map((_, index) => [`fails${index}`, agentSaid(`never said: ${plantFor('check', index)}`)]),
    ),
  }),
  // Several calls: a CLI cuts a long answer of a tool.
  agent: [
    Array.from({ length: Math.ceil(PLANTS.length / AT_ONCE) }, (_, call) => call * AT_ONCE)
      .reduce((rule, from) => rule.runs(`${LEAK} ${from} ${from + AT_ONCE}`), onAnyPrompt().runs(LEAK))
      .says(textFor('said'))
      .completes(),
  ],
});
