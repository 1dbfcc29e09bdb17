import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  completed,
  conversation,
  loop,
  onObjective,
  onPrompt,
  runScenarios,
  scenario,
  turnsCompleted,
} from '../../src/index.js';
import { tempFolder } from '../support/cli.js';

const COMMON = {
  id: 'tampers',
  tier: 7,
  priority: 'should',
  phase: 'red',
  description: 'An agent that tampers with what is captured of it',
  covers: [],
} as const;

/** From its workspace an agent without isolation reaches the folder of its attempt. */
const tamper = (deed: string) => `cd ../runs/*/tampers-claude/1 && ${deed}`;

/** The loop and the two forms of conversation, with an agent that does it while it is captured. */
const KINDS = {
  'a loop': (deed: string) =>
    scenario({
      ...COMMON,
      backends: ['claude'],
      arrange: () => ({ config: loop({ maxIterations: 3 }), prompt: 'Do it.' }),
      expect: () => [completed()],
      agent: [onObjective('Do it.').says('I do it.').runs(tamper(deed)).completes()],
    }),
  'a conversation': (deed: string) => talk('streamed', deed),
  'a conversation turn by turn': (deed: string) => talk('turn-by-turn', deed),
};

function talk(form: 'streamed' | 'turn-by-turn', deed: string) {
  return conversation({
    ...COMMON,
    arrange: () => ({ form, turns: ['Do it.', 'Are you there?'], allowedTools: ['Bash'] }),
    expect: () => [turnsCompleted()],
    agent: [
      onPrompt('Do it.').says('I do it.').runs(tamper(deed)),
      onPrompt('Are you there?').says('I do go on.'),
    ],
  });
}

const run = (kind: keyof typeof KINDS, deed: string) =>
  runScenarios([KINDS[kind](deed)], { output: join(tempFolder(), '.e2e-tests') });

const FILES = 'stdout.txt turn-1/stdout.txt turn-2/stdout.txt states.jsonl';
const kinds = ['a loop', 'a conversation', 'a conversation turn by turn'] as const;

test.each(
  kinds.flatMap((kind) => [
    [kind, 'removes', `rm -f ${FILES} hook-log.jsonl`, 'was removed while it was written'] as const,
    [
      ...[kind, 'puts folders in the place of'],
      ...[`for f in ${FILES}; do rm -f $f; mkdir -p $f; done`, 'was replaced while it was written'],
    ] as const,
    [
      ...[kind, 'writes into'],
      ...[
        'for f in stdout.txt turn-1/stdout.txt; do [ -f $f ] && echo forged >> $f; done; true',
        'was changed while',
      ],
    ] as const,
  ]),
)('in %s an agent that %s the captured files is judged by what it did, and they say so', async (...given) => {
  const [kind, , deed, told] = given;
  const { results } = await run(kind, deed);
  expect(results).toMatchObject([{ outcome: 'passed', error: null }]);
  const stdout = results[0]?.context?.stdout;
  expect(stdout).toContain('I do it.');
  expect(stdout).toContain(told);
});

test.each(['mkdir hook-log.jsonl', 'truncate -s 17M hook-log.jsonl'])(
  'a log of hooks that cannot be read is an error, and not an empty log: %s',
  async (deed) => {
    const { results } = await run('a conversation', deed);
    expect(results).toMatchObject([{ outcome: 'error', error: expect.stringContaining('hook-log.jsonl') }]);
  },
);

test.each(kinds)('in %s an agent that removes everything is told of in a report', async (kind) => {
  const { passed, run_errors } = await run(kind, 'find ../.. -mindepth 1 -delete');
  expect(passed).toBe(false);
  expect(run_errors).toEqual([expect.stringContaining('it was removed')]);
});
