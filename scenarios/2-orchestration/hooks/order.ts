import {
  agentSaid,
  completed,
  endedAtOnce,
  failedToRun,
  fileContains,
  fileEquals,
  loop,
  onAnyPrompt,
  onObjective,
  type RalphConfig,
  scenario,
} from '../../../src/authoring.js';
import { changingEach } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { neverCompletes } from '../../support/saboteurs.js';

const LOOP_START = ['pre.loop.start', 'post.loop.start'];
const ITERATION_START = ['pre.iteration.start', 'post.iteration.start'];
const LOOP_END = ['pre.loop.complete', 'post.loop.complete'];

/** The whole diary: the agent works in the last iteration, and may have taken others before. */
function diaryOf(word: string, sum: number): RegExp {
  const lines = (phases: readonly string[]) =>
    phases.map((phase) => `${word} ${phase.replaceAll('.', '\\.')}\\n`).join('');
  return new RegExp(`^${lines(LOOP_START)}(${lines(ITERATION_START)})+${sum}\\n${lines(LOOP_END)}$`);
}

/**
 * Writes down at which point of the loop it runs, which ralph passes to each hook on stdin. Starts a new line if the agent
 * left the last one open.
 */
const DIARY = `#!/bin/sh
phase=$(sed -n 's/.*"phase_event": *"\\([^"]*\\)".*/\\1/p')
if [ -n "$(tail -c 1 diary.txt 2>/dev/null)" ]; then echo >> diary.txt; fi
echo "$WORD $phase" >> diary.txt
`;

const diaryHooks = (word: string): RalphConfig => ({
  enabled: true,
  events: Object.fromEntries(
    [...LOOP_START, ...ITERATION_START, ...LOOP_END].map((phase) => [
      phase,
      [{ name: 'diary', command: ['./diary.sh'], on_error: 'block', env: { WORD: word } }],
    ]),
  ),
});

/** Runs the user's commands around a loop: each at its point, in order, and with its environment. */
const hooksRun = scenario({
  id: 'hooks-run',
  description: "Lifecycle hooks run at their points, in order, around the agent's work",
  covers: ['FR5'],
  expectedIterations: 1,

  // The word is in the hooks' settings and not in the prompt, so only hooks that ran can have written it.
  arrange: ({ nonce, numbers: [a, b, c] }) => ({
    config: loop({ maxIterations: 3, more: { hooks: diaryHooks(nonce) } }),
    files: { 'diary.sh': { content: DIARY, mode: 0o755 } },
    prompt: [
      `Append one line to diary.txt that contains only the result of ${a} + ${b}. Leave its other lines as they are: hooks write them.`,
      `Then say this line, with the result of ${a} + ${c} in place of <result>: \`SUM <result>\``,
      'Write numbers as plain digits, without commas. Then declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b, c] }) => ({
    ends: completed(),
    iterations: endedAtOnce(),
    said: agentSaid(`SUM ${a + c}`),
    file: fileContains('diary.txt', diaryOf(nonce, a + b)),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)\.[\s\S]*result of \d+ \+ (\d+) in place/)
      .appends('diary.txt', '{{add 1 2}}\n')
      .says('SUM {{add 1 3}}')
      .completes(),
  ],

  saboteurs: {
    'never completes': neverCompletes('ends', 'iterations', 'file'),
    'hooks are switched off': {
      config: arranging({ config: loop({ maxIterations: 3 }) }),
      kills: ['file'],
      why: 'Only hooks may do the work of hooks.',
    },
  },
});

const gateHooks = (onError: 'block' | 'warn'): RalphConfig => ({
  enabled: true,
  events: { 'pre.iteration.start': [{ name: 'gate', command: ['./gate.sh'], on_error: onError }] },
});

/** Ends the loop when a hook that may block fails; here before the second iteration. */
const hooksBlock = scenario({
  id: 'hooks-block',
  phase: 'red',
  description: 'A hook with `on_error: block` that fails ends the loop before the next iteration',
  covers: ['FR5', 'FR9'],
  expectedIterations: 1,

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 4, more: { hooks: gateHooks('block') } }),
    files: { 'gate.sh': { content: '#!/bin/sh\ntest ! -e draft.txt\n', mode: 0o755 } },
    prompt: [
      'Do exactly one of these two steps per iteration, then stop.',
      `1. If draft.txt does not exist: write only the result of ${a} + ${b} to it, as plain digits without commas.`,
      `   Then say this line, with ${nonce} in uppercase in place of <WORD>: \`DRAFT <WORD>\``,
      '   Do not declare completion.',
      '2. If draft.txt exists: declare the objective complete.',
    ].join('\n'),
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    refuses: failedToRun(1, /Lifecycle hook 'gate' blocked orchestration at 'pre\.iteration\.start'/),
    iterations: endedAtOnce(`DRAFT ${nonce.toUpperCase()}`),
    said: agentSaid(`DRAFT ${nonce.toUpperCase()}`),
    file: fileEquals('draft.txt', `${a + b}`),
  }),

  agent: [
    onObjective(/result of (\d+) \+ (\d+)[\s\S]*with (\w+) in uppercase/)
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
    'the hook only warns': {
      config: arranging({ config: loop({ maxIterations: 4, more: { hooks: gateHooks('warn') } }) }),
      kills: ['refuses', 'iterations'],
      failure: 'UnexpectedTermination',
      why: 'A failed hook must end the loop if it may block, and must not if it only warns.',
    },
  },
});

export const hooks = [hooksRun, hooksBlock];
