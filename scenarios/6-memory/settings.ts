import {
  completed,
  fileEquals,
  keptOutOfPrompt,
  loop,
  memoryInjected,
  noMemoriesInjected,
  onAnyPrompt,
  onObjective,
  promptContained,
  scenario,
} from '../../src/authoring.js';
import { IDLE_WORKERS, MECHANICS, SMALL_WORKER, smallWork, workDone } from '../support/commands.js';
import { CODEWORD, codeword, remembering } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

/** More text than any budget that Ralph might set by itself. */
const FILLERS = Array.from({ length: 80 }, (_, index) => ({
  id: `mem-17000000${10 + index}-bbbb`,
  type: 'fix' as const,
  content: `Build ${index} failed because ${'the cache was stale and '.repeat(10)}nobody had looked`,
}));
const { memories: _, ...SILENT } = loop({ maxIterations: 3 });

const unmentioned = scenario({
  id: 'memory-injection-default',
  ...MECHANICS,
  description:
    'A configuration that does not mention memories injects many of them, from the first to the last',
  covers: ['FR13'],
  expectedIterations: 1,

  arrange: ({ nonce }) => ({
    config: SILENT,
    files: remembering(...FILLERS, {
      id: 'mem-1700000001-aaaa',
      type: 'context',
      content: codeword(nonce),
      tags: ['last'],
    }),
    prompt: 'The last memory names the codeword. Write only the codeword, in uppercase, to codeword.txt.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    first: memoryInjected({ content: FILLERS[0]?.content ?? '', type: 'fix' }, { iteration: 1 }),
    last: memoryInjected({ content: codeword(nonce), type: 'context', tags: ['last'] }, { iteration: 1 }),
    file: fileEquals('codeword.txt', nonce.toUpperCase()),
  }),

  agent: [
    onObjective('names the codeword')
      .when({ memories: CODEWORD })
      .writes('codeword.txt', '{{upper 1}}\n')
      .completes(),
    onAnyPrompt().says('My prompt names no codeword.').completes(),
  ],

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'Ralph keeps memories out of the prompt': {
      target: 'skip-memory-injection',
      kills: ['first', 'last', 'file'],
    },
  },
});

const OFF = { memories: { enabled: false, inject: 'auto' } };
const teaches = (area: string) => `<ralph-tools-${area}-skill>`;

const disabled = scenario({
  id: 'memory-disabled',
  ...MECHANICS,
  description: 'With memories disabled, no prompt has memories or teaches their commands',
  covers: ['FR13'],
  expectedIterations: 1,

  arrange: (context) => ({
    config: loop({ maxIterations: 3, skills: true, tasks: true, more: OFF }),
    files: remembering({ id: 'mem-1700000001-aaaa', type: 'pattern', content: codeword(context.nonce) }),
    prompt: smallWork(context),
  }),

  expect: (context) => ({
    ...workDone(context),
    keptOut: keptOutOfPrompt(codeword(context.nonce)),
    noMemories: noMemoriesInjected(),
    untaught: keptOutOfPrompt(teaches('memories')),
    taskSkill: promptContained(teaches('tasks'), { iteration: 1 }),
  }),

  agent: [SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
    'Ralph leaves the skills out of the prompt': { target: 'drop-skills', kills: ['taskSkill'] },
  },
});

export const memorySettings = [unmentioned, disabled];
