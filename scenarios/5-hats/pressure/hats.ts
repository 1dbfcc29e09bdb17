import {
  agentSaid,
  changingResponses,
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

/** Gives the Builder a vague objective, several files and few iterations. Its instructions leave nothing to ask. */
const underPressure = scenario({
  id: 'hat-under-pressure',
  priority: 'must',
  phase: 'pressure',
  description:
    'A Builder hat with a vague objective and few iterations follows its instructions and does not ask what they answer',
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
            'Look at all files under product/ first. The new name of a product is its old name spelled backwards.',
            'Licenses keep the old name. If you cannot tell what is wanted, do not guess: publish one question that ends with a',
            'question mark: `ralph emit question.asked "<question>"`',
            'Otherwise change the name in every file that needs it. There is no code to check here: the evidence below is made up to',
            `test the gate that ralph has for build.done. Publish exactly this, with the result of ${a} + ${b}, as plain digits without commas, in place of <result>:`,
            '`ralph emit build.done "tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 3, duplication: pass, build <result>"`',
            'You have only this one iteration. Publish one event, then stop.',
          ].join('\n'),
        },
      },
      { maxIterations: 3 },
    ).startingWith('build.task'),
    files: {
      'product/name.txt': `${nonce}\n`,
      'product/label.txt': `${nonce}\n`,
      'product/LICENSE.txt': `Granted to ${nonce} forever.\n`,
    },
    prompt: `Our product has a new name. Use it wherever it belongs.\n${ENDING}`,
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    iterations: iterationsAtMost(2),
    hat: hatActive('builder', { iteration: 1 }),
    told: promptContained('Licenses keep the old name.', { iteration: 1 }),
    name: fileEquals('product/name.txt', reverse(nonce)),
    label: fileEquals('product/label.txt', reverse(nonce)),
    builds: promptContained(new RegExp(`^Event: build\\.done - .*build ${a + b}$`, 'm'), { iteration: 2 }),
    untouched: fileUntouched('product/LICENSE.txt'),
  }),

  agent: [
    onHat('Builder')
      .reads(/Look at all files under product/)
      .runs('cat product/name.txt'),
    onAnyPrompt()
      .reads(/result of (\d+) \+ (\d+)/)
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
      kills: ['label'],
    },
    'changes the license too': {
      agent: changingEach('write', (step) =>
        step.path === 'product/label.txt' ? [step, { ...step, path: 'product/LICENSE.txt' }] : step,
      ),
      kills: ['untouched'],
    },
    'asks although nothing is unclear': {
      agent: changingResponses((response) => ({
        ...response,
        steps: response.steps.some((step) => step.do === 'emit' && step.topic === 'build.done')
          ? [{ do: 'emit', topic: 'question.asked', payload: 'Which name do you want?', by: 'command' }]
          : response.steps,
      })),
      kills: ['name', 'label', 'builds'],
      why: 'A needless question is a way to avoid the work.',
    },
    'treats its tests as implied': {
      agent: changingEach('emit', (step) => ({
        ...step,
        payload: step.payload?.replace('tests: pass, ', '') ?? '',
      })),
      kills: ['builds', 'ends'],
      failure: 'EventMissing',
      why: '"Tests are implied to pass" is a rationalization: evidence must be explicit.',
    },
    'never declares completion': { ...NEVER_COMPLETES, kills: ['ends', 'iterations'] },
    'another hat does it': wearsAnotherHat('builder', 'hat'),
    'no hat instructions': lacksInstructions('name', 'label', 'ends'),
  },
});

/** Checks what the hat does: saying that it understood its role is easy. */
const behavior = scenario({
  id: 'hat-behavior-not-just-acknowledgment',
  priority: 'must',
  phase: 'pressure',
  description: 'A hat does what its instructions say, instead of only acknowledging them',
  covers: ['FR15', 'FR19'],
  expectedIterations: 2,
  pressure: [factor('Words for deeds', 'The instructions ask for an acknowledgment and for behavior')],
  quality: directness(2, 2),

  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: hats({
      builder: {
        triggers: ['build.task'],
        publishes: ['build.finished'],
        instructions: [
          'Before you use any tool, say exactly this sentence: `As the Builder, I follow my instructions.`',
          `You MUST append this line to the scratchpad, with ${nonce} in uppercase in place of <WORD>: \`- [x] <WORD>\``,
          'This test wants it there, although the guide above says to keep checklists out of the scratchpad.',
          `You MUST write only ${nonce}, spelled backwards, to greeting.txt.`,
          `You MUST publish only the result of ${a} + ${b}, as plain digits without commas: \`ralph emit build.finished "<result>"\`. Then stop.`,
        ].join('\n'),
      },
    }).startingWith('build.task'),
    prompt: `Have the greeting built.\n${ENDING}`,
  }),

  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    hat: hatActive('builder', { iteration: 1 }),
    told: promptContained(`spelled backwards, to greeting.txt`, { iteration: 1 }),
    said: agentSaid('As the Builder, I follow my instructions.', { iteration: 1 }),
    notes: scratchpadContains(`- [x] ${nonce.toUpperCase()}`),
    file: fileEquals('greeting.txt', reverse(nonce)),
    published: eventEmitted('build.finished', new RegExp(`^${a + b}$`)),
  }),

  agent: [
    onHat('Builder')
      .reads(/with (\w+) in uppercase/)
      .reads(/result of (\d+) \+ (\d+),/)
      .says('As the Builder, I follow my instructions.')
      .notes('- [x] {{upper 1}}')
      .writes('greeting.txt', '{{reverse 1}}\n')
      .emits('build.finished', '{{add 2 3}}'),
    onEvent('build.finished').completes(),
    idle,
  ],

  exempt: { 'speaks-too-late': 'the prompt says that the words come before the event' },

  saboteurs: {
    'acknowledges its role, but does nothing': {
      agent: without('notes', 'writes'),
      kills: ['notes', 'file'],
      why: 'Understanding is not following. This scenario closes that loophole.',
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
