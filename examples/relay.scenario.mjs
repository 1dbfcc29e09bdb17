// A scenario for Ralph: one hat passes a number to another. Run it: ralph-e2e --mock --scenarios relay.scenario.mjs
import {
  changingSteps,
  completed,
  eventEmitted,
  fileEquals,
  hatSequence,
  hats,
  onEvent,
  onHat,
  scenario,
  without,
} from 'ralph-e2e';

export const relay = scenario({
  id: 'relay',
  tier: 5,
  description: 'A hat passes its result to the next one in an event',

  // What Ralph gets. Each attempt has new `numbers`, so a leftover of an earlier run cannot pass.
  arrange: ({ numbers: [a, b] }) => ({
    config: hats({
      adder: {
        triggers: ['sum.wanted'],
        publishes: ['sum.ready'],
        instructions: `Work out ${a} + ${b}. Then run: ralph emit sum.ready "<the sum>"`,
      },
      writer: {
        triggers: ['sum.ready'],
        publishes: ['sum.written'],
        instructions:
          'Write only the payload of sum.ready into sum.txt. Then run: ralph emit sum.written "done"',
      },
    }).startingWith('sum.wanted'),
    prompt: 'Leave a sum in sum.txt. When sum.written is pending, declare the objective complete.',
  }),

  expect: ({ numbers: [a, b] }) => ({
    ends: completed(),
    hats: hatSequence('adder', 'writer', 'ralph'),
    sum: eventEmitted('sum.ready', `${a + b}`),
    file: fileEquals('sum.txt', `${a + b}`),
  }),

  // The agent for the offline lanes. It reads the numbers from the prompt, as a real agent does.
  agent: [
    onHat('Adder')
      .reads(/Work out (\d+) \+ (\d+)/)
      .emits('sum.ready', '{{add 1 2}}'),
    onHat('Writer')
      .reads(/Event: sum\.ready - (\d+)/)
      .writes('sum.txt', '{{1}}\n')
      .emits('sum.written', 'done'),
    onEvent('sum.written').completes(),
  ],

  saboteurs: {
    'writes nothing': { agent: without('writes'), kills: ['file'] },
    'adds wrongly': {
      agent: changingSteps((step) => [step.do === 'emit' ? { ...step, payload: '1' } : step]),
      kills: ['sum', 'file'],
    },
    'an event wakes another hat': {
      target: 'route-to-wrong-hat',
      kills: ['hats'],
    },
    'Ralph does not see the promise': {
      target: 'ignore-completion',
      kills: ['ends', 'hats'],
      failure: 'UnexpectedTermination',
    },
  },
});
