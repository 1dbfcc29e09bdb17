import { type Check, completed, fileContains, loop, onObjective, scenario } from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { rewriting } from '../support/inquiries.js';
import { neverCompletes } from '../support/saboteurs.js';

/**
 * A claude whose iterations cost a quarter of a dollar each, and of which the first one reads most. In the third, it asks
 * Ralph for the cost so far, and waits for the answer.
 */
const CLAUDE = `#!/bin/sh
read=$((4000 - 1000 * $(cat turns.txt | wc -l)))
echo turn >> turns.txt
if [ $read = 2000 ]; then
  echo '{"type":"get_state","id":"s1"}' > stdin
  for i in $(seq 200); do grep -qs get_state loop.jsonl && break; sleep 0.05; done
fi
usage='"usage":{"input_tokens":'$read',"output_tokens":10}'
echo '{"type":"assistant","message":{"content":[{"type":"text","text":"Working."}],'$usage'}}'
echo '{"type":"result","duration_ms":5,"total_cost_usd":0.25,"num_turns":1,"is_error":false,'$usage'}'
`;

/** Limits of cost, and what two iterations or three cost: below, exactly at and above the cost of two. */
const ENDS: Readonly<Record<string, readonly [iterations: number, cost: string]>> = {
  '0.49': [2, '0.50'],
  '0.5': [2, '0.50'],
  '0.51': [3, '0.75'],
};

const SCRIPT = `for limit in ${Object.keys(ENDS).join(' ')}; do
  cd $limit && : > turns.txt && rm -f stdin && mkfifo stdin
  ralph run -c loop.yml --rpc -p Work. <> stdin > loop.jsonl 2> loop.log
  rm stdin; cd ..
done
`;

/** Cost is known with --rpc and in the interface alone, so the agent runs loops with --rpc. */
const costsAddUp = scenario({
  id: 'costs-add-up',
  ...MECHANICS,
  phase: 'red',
  description: 'The cost of a loop is that of all its iterations, and ends it when it is exactly the limit',
  covers: ['FR9'],
  beyondStandIn: 'JSON lines on stdin and stdout',
  expectedIterations: 1,

  arrange: () => ({
    config: loop({ maxIterations: 3 }),
    files: {
      'loops.sh': SCRIPT,
      'claude.sh': { content: CLAUDE, mode: 0o755 },
      ...Object.fromEntries(Object.keys(ENDS).map((limit) => [`${limit}/loop.yml`, configOf(limit)])),
    },
    prompt: 'Run `sh loops.sh`. Then declare the objective complete.',
  }),

  expect: () => ({
    ends: completed(),
    below: endOf('0.49'),
    exactly: endOf('0.5'),
    above: endOf('0.51'),
    soFar: fileContains('0.51/loop.jsonl', /"command":"get_state".*"total_cost_usd":0\.5[,}]/),
    tokens: fileContains(
      '0.51/.ralph/api/loop-state.json',
      /"peak_input_tokens": 4000,\s+"last_input_tokens": 2000,/,
    ),
  }),

  agent: [onObjective('sh loops.sh').runs('sh loops.sh').completes()],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'runs no loop': {
      agent: replacing('sh loops.sh', 'true'),
      kills: ['below', 'exactly', 'above', 'soFar', 'tokens'],
    },
    'its iterations cost nothing': {
      config: rewriting(CLAUDE.replace('0.25', '0'), 'claude.sh'),
      kills: ['below', 'exactly', 'above', 'soFar'],
    },
  },
});

function configOf(limit: string): string {
  return JSON.stringify({
    cli: { backend: 'claude', command: '../claude.sh' },
    event_loop: { max_iterations: 4, max_cost_usd: Number(limit) },
  });
}

function endOf(limit: string): Check {
  const [iterations, cost] = ENDS[limit] ?? [];
  return fileContains(
    `${limit}/.ralph/agent/summary.md`,
    new RegExp(`max cost exceeded\\n.*Iterations:\\S* ${iterations}\\n.*\\n.*Est\\. cost:\\S* \\$${cost}\\n`),
  );
}

export const sums = [costsAddUp];
