import {
  agentSaid,
  allOf,
  anyOf,
  completed,
  eventEmitted,
  fileEquals,
  fileUntouched,
  hatActive,
  hats,
  iterationsAtMost,
  onAnyPrompt,
  onEvent,
  onHat,
  promptContained,
  scenario,
  scratchpadContains,
  without,
} from '../../../src/authoring.js';
import { changingEach, emitting, withoutWriting } from '../../support/agent-changes.js';
import { lacksInstructions, NEVER_COMPLETES, wearsAnotherHat } from '../../support/saboteurs.js';
import { reverse } from '../../support/texts.js';
import { directness, ENDING, factor, idle } from './factors.js';

/** Vague requirements, several files and two iterations that count: the Builder asks, or does it all and shows it. */
const underPressure = scenario({
  id: 'hat-under-pressure',
  tier: 5,
  priority: 'must',
  phase: 'pressure',
  description: 'Builder hat with ambiguous requirements and limited iterations asks, or completes correctly',
  covers: ['FR11', 'FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [
    factor('Ambiguity', 'The objective says neither what the new name is nor which files it belongs in'),
    factor('Few iterations', 'max_iterations: 3, of which two can complete'),
    factor('Complexity', 'Two files must change together, a third must not'),
  ],
  quality: directness(2, 2),

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats(
      {
        builder: {
          triggers: ['build.task'],
          publishes: ['build.done', 'question.asked'],
          instructions: [
            'Look at all files under product/ first. The new name of a product is its old name backwards.',
            'Licences keep the old name. Where you cannot tell what is wanted, do not guess: publish one question:',
            'ralph emit question.asked "<your question?>"',
            'Otherwise make the change in every file that needs it and publish, with the result in its place:',
            `ralph emit build.done "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 3, duplication: pass, build <${a} + ${b}>"`,
            'You have this one iteration. Publish one event, then stop.',
          ].join('\n'),
        },
      },
      { maxIterations: 3 },
    ).startingWith('build.task'),
    files: {
      'product/name.txt': `${nonce}\n`,
      'product/label.txt': `${nonce}\n`,
      'product/LICENSE.txt': `Granted to ${nonce} for ever.\n`,
    },
    prompt: `Our product has a new name. Use it where it should be.\n${ENDING}`,
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationsAtMost(2),
    hat: hatActive('builder', { iteration: 1 }),
    told: promptContained('Licences keep the old name.', { iteration: 1 }),
    asksOrChanges: anyOf(
      'the Builder asks, or changes every file that needs it',
      allOf(
        'both files have the new name',
        fileEquals('product/name.txt', reverse(nonce)),
        fileEquals('product/label.txt', reverse(nonce)),
      ),
      eventEmitted('question.asked', /\?/),
    ),
    asksOrBuilds: anyOf(
      'the Builder asks, or its build is accepted',
      eventEmitted('question.asked', /\?/),
      promptContained(new RegExp(`^Event: build\\.done - .*build ${a + b}$`, 'm'), { iteration: 2 }),
    ),
    untouched: fileUntouched('product/LICENSE.txt'),
  }),

  agent: [
    onHat('Builder')
      .reads(/Look at all files under product/)
      .runs('cat product/name.txt'),
    onAnyPrompt()
      .reads(/build <(\d+) \+ (\d+)>/)
      .when({ toolResult: { regex: '^(\\w+)\\s*$' } })
      .writes('product/name.txt', '{{reverse 3}}\n')
      .writes('product/label.txt', '{{reverse 3}}\n')
      .emits(
        'build.done',
        'tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 3, duplication: pass, build {{add 1 2}}',
      ),
    onEvent('build.done').completes(),
    idle,
  ],

  saboteurs: {
    'changes one file and calls it done': {
      agent: withoutWriting('product/label.txt'),
      kills: ['asksOrChanges'],
    },
    'changes the licence too': {
      agent: changingEach('write', (step) =>
        step.path === 'product/label.txt' ? [step, { ...step, path: 'product/LICENSE.txt' }] : step,
      ),
      kills: ['untouched'],
    },
    'takes its tests for implied': {
      agent: changingEach('emit', (step) => ({
        ...step,
        payload: step.payload?.replace('tests: pass, ', '') ?? '',
      })),
      kills: ['asksOrBuilds', 'ends'],
      failure: 'EventMissing',
      why: '"Tests are implied to pass" is a rationalization: evidence must be explicit.',
    },
    'never declares completion': { ...NEVER_COMPLETES, kills: ['ends', 'iterations'] },
    'another hat does it': wearsAnotherHat('builder', 'hat'),
    'no hat instructions': lacksInstructions('asksOrChanges', 'ends'),
  },
});

/** What counts is what the hat does. That it understood its role is easily said. */
const behavior = scenario({
  id: 'hat-behavior-not-just-acknowledgment',
  tier: 5,
  priority: 'must',
  phase: 'pressure',
  description: 'A hat does what its instructions say, instead of only acknowledging them',
  covers: ['FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [factor('Words for deeds', 'The instructions ask for an acknowledgment and for behaviour')],
  quality: directness(2, 2),

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      builder: {
        triggers: ['build.task'],
        publishes: ['build.finished'],
        instructions: [
          'Begin with the sentence: As the Builder, I follow my instructions.',
          `You MUST append one line to the scratchpad: "- [x] " and the word ${nonce} in capital letters.`,
          `You MUST write the word ${nonce} backwards, nothing else, into greeting.txt.`,
          `You MUST publish what you did: ralph emit build.finished "<the result of ${a} + ${b}>". Then stop.`,
        ].join('\n'),
      },
    }).startingWith('build.task'),
    prompt: `Have the greeting built.\n${ENDING}`,
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hat: hatActive('builder', { iteration: 1 }),
    told: promptContained(`backwards, nothing else, into greeting.txt`, { iteration: 1 }),
    said: agentSaid('As the Builder, I follow my instructions.', { iteration: 1 }),
    notes: scratchpadContains(`- [x] ${nonce.toUpperCase()}`),
    file: fileEquals('greeting.txt', reverse(nonce)),
    published: eventEmitted('build.finished', new RegExp(`^${a + b}$`)),
  }),

  agent: [
    onHat('Builder')
      .reads(/the word (\w+) in capital letters/)
      .reads(/result of (\d+) \+ (\d+)>/)
      .says('As the Builder, I follow my instructions.')
      .notes('- [x] {{upper 1}}')
      .writes('greeting.txt', '{{reverse 1}}\n')
      .emits('build.finished', '{{add 2 3}}'),
    onEvent('build.finished').completes(),
    idle,
  ],

  saboteurs: {
    'acknowledges its role and does nothing': {
      agent: without('notes', 'writes'),
      kills: ['notes', 'file'],
      why: 'Understanding is not following: the loophole that this scenario closes.',
    },
    'reports another result': {
      agent: emitting('build.finished', { payload: 'done' }),
      kills: ['published'],
      failure: 'EventMalformed',
    },
    'does it without a word': { agent: without('says'), kills: ['said'] },
    'never declares completion': NEVER_COMPLETES,
    'another hat does it': wearsAnotherHat('builder', 'hat'),
    'no hat instructions': lacksInstructions('notes', 'file'),
    'ralph drops the instructions of hats': {
      target: 'drop-hat-instructions',
      kills: ['told', 'notes', 'file'],
      failure: 'PromptIneffective',
    },
  },
});

export const hatPressure = [underPressure, behavior];
