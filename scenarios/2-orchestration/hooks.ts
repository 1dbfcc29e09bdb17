import {
  agentSaid,
  completed,
  failedToRun,
  fileEquals,
  iterationCount,
  loop,
  onAnyPrompt,
  onObjective,
  type RalphConfig,
  scenario,
  without,
} from '../../src/authoring.js';
import { changingEach } from '../support/agent-changes.js';
import { arranging } from '../support/arrangement-changes.js';
import { neverCompletes } from '../support/saboteurs.js';

const PHASES_BEFORE = ['pre.loop.start', 'post.loop.start', 'pre.iteration.start', 'post.iteration.start'];
const PHASES_AFTER = ['pre.loop.complete', 'post.loop.complete'];

/** ralph tells each hook on stdin at which point of the loop it runs. */
const DIARY = `#!/bin/sh
phase=$(sed -n 's/.*"phase_event": *"\\([^"]*\\)".*/\\1/p')
echo "$WORD $phase" >> diary.txt
`;

const diaryHooks = (word: string): RalphConfig => ({
  enabled: true,
  events: Object.fromEntries(
    [...PHASES_BEFORE, ...PHASES_AFTER].map((phase) => [
      phase,
      [{ name: 'diary', command: ['./diary.sh'], on_error: 'block', env: { WORD: word } }],
    ]),
  ),
});

/** Commands of the user around a loop: each at its moment, in order, with the environment that was asked for. */
const hooksRun = scenario({
  id: 'hooks-run',
  tier: 2,
  priority: 'should',
  phase: 'green',
  description: 'Lifecycle hooks run at their moments, in order, around the work of the agent',
  covers: ['FR5'],
  expectedIterations: 1,

  // The word is in the settings of the hooks and not in the prompt: only hooks that ran can have written it.
  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: loop({ maxIterations: 3, more: { hooks: diaryHooks(nonce) } }),
    files: { 'diary.sh': { content: DIARY, mode: 0o755 } },
    prompt: [
      `Append one line to diary.txt: the result of ${a} + ${b}.`,
      `Then say one line: the word SUM, a blank, and the result of ${a} + ${c}. Then declare the objective complete.`,
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b, c] }) => ({
    ends: completed(),
    iterations: iterationCount(1),
    said: agentSaid(`SUM ${a + c}`),
    file: fileEquals(
      'diary.txt',
      [
        ...PHASES_BEFORE.map((phase) => `${nonce} ${phase}`),
        `${a + b}`,
        ...PHASES_AFTER.map((phase) => `${nonce} ${phase}`),
      ].join('\n'),
    ),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)\.[\s\S]*result of \d+ \+ (\d+)\./)
      .appends('diary.txt', '{{add 1 2}}\n')
      .says('SUM {{add 1 3}}')
      .completes(),
  ],

  saboteurs: {
    'says it, does not do it': { agent: without('appends'), kills: ['file'] },
    'does it, does not say it': { agent: without('says'), kills: ['said'] },
    'never completes': neverCompletes('ends', 'iterations', 'file'),
    'hooks are switched off': {
      config: arranging({ config: loop({ maxIterations: 3 }) }),
      kills: ['file'],
      failure: 'AssertionMismatch',
      why: 'What hooks do must come from hooks.',
    },
  },
});

const gateHooks = (onError: 'block' | 'warn'): RalphConfig => ({
  enabled: true,
  events: { 'pre.iteration.start': [{ name: 'gate', command: ['./gate.sh'], on_error: onError }] },
});

/** A hook that may block ends the loop when it fails; here before the second iteration. */
const hooksBlock = scenario({
  id: 'hooks-block',
  tier: 2,
  priority: 'should',
  phase: 'red',
  description: 'A hook with `on_error: block` that fails ends the loop before the next iteration',
  covers: ['FR5', 'FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4, more: { hooks: gateHooks('block') } }),
    files: { 'gate.sh': { content: '#!/bin/sh\ntest ! -e draft.txt\n', mode: 0o755 } },
    prompt: [
      'There are two steps. Do exactly one of them in an iteration.',
      `1. If draft.txt does not exist: write the result of ${a} + ${b} into it, and say one line: the word DRAFT, a blank,`,
      `   and ${nonce} in capital letters. Do not declare completion.`,
      '2. If draft.txt exists: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    refuses: failedToRun(1, /Lifecycle hook 'gate' blocked orchestration at 'pre\.iteration\.start'/),
    iterations: iterationCount(1),
    said: agentSaid(`DRAFT ${nonce.toUpperCase()}`, { iteration: 1 }),
    file: fileEquals('draft.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)[\s\S]*and (\w+) in capital letters/)
      .once()
      .writes('draft.txt', '{{add 1 2}}\n')
      .says('DRAFT {{upper 3}}'),
    onAnyPrompt().completes(),
  ],

  saboteurs: {
    'writes something else': {
      agent: changingEach('write', (step) => ({ ...step, text: 'later\n' })),
      kills: ['file'],
    },
    'does it, does not say it': { agent: without('says'), kills: ['said'] },
    'the hook only warns': {
      config: arranging({ config: loop({ maxIterations: 4, more: { hooks: gateHooks('warn') } }) }),
      kills: ['refuses', 'iterations'],
      failure: 'UnexpectedTermination',
      why: 'A hook that may not block must not end the loop, one that may must.',
    },
  },
});

export const hooks = [hooksRun, hooksBlock];
