import {
  completed,
  fileContains,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  pendingEvents,
  promptContained,
  promptLacked,
  scenario,
  toldOnlyTo,
  toldTimes,
} from '../../src/authoring.js';
import { replacing, withoutEmitting } from '../support/agent-changes.js';
import { changingHat } from '../support/arrangement-changes.js';
import { MECHANICS } from '../support/commands.js';
import { ignoresCompletion } from '../support/saboteurs.js';

const PAD = 'notes/opener.md';

/** The start of a workflow with hats, and the notes of each hat. */
export const start = scenario({
  id: 'hat-start',
  ...MECHANICS,
  description:
    'The starting event brings the objective to its hat; new events go before it; notes are kept where each hat has them',
  covers: ['FR15', 'FR17'],
  expectedIterations: 5,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        opener: {
          triggers: ['site.opened', 'site.again'],
          publishes: ['site.opened', 'wall.task', 'roof.task'],
          scratchpad: { path: PAD },
          instructions: '',
        },
        mason: {
          triggers: ['wall.task'],
          publishes: ['site.again'],
          scratchpad: { enabled: false, path: PAD },
          instructions: 'Publish site.again.',
        },
        roofer: {
          triggers: ['roof.task'],
          publishes: ['roof.finished'],
          instructions: 'Publish roof.finished.',
        },
      },
      {
        maxIterations: 7,
        requiredEvents: ['wall.task', 'roof.finished'],
        more: { core: { scratchpad: { enabled: false } } },
      },
    ).startingWith('site.opened'),
    prompt: `Open the site ${nonce}.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    hats: hatSequence('opener', 'mason', 'opener', 'roofer', 'ralph'),
    payload: promptContained(`\nEvent: site.opened - Open the site ${nonce}.\n`, { iteration: 1 }),
    noKickoff: pendingEvents(['site.opened'], { iteration: 1 }),
    fastPath: promptContained('**FAST PATH**: You MUST publish `site.opened` immediately', { iteration: 1 }),
    noFastPath: toldTimes(1, 'FAST PATH'),
    delegates: promptContained(/^## WORKFLOW\n[\s\S]*^### 2\. DELEGATE$/m, { iteration: 3 }),
    hint: toldOnlyTo('ralph', 'publish `site.opened` to start the workflow'),

    newFirst: pendingEvents(['wall.task', 'site.opened'], { iteration: 2 }),
    resumeHidden: pendingEvents(['roof.task'], { iteration: 4 }),

    ownPath: toldOnlyTo('opener', `### 0b. SCRATCHPAD\n\`${PAD}\``),
    ownNotes: promptContained(`<scratchpad path="${PAD}">\nsite ${nonce}\n\n</scratchpad>`, { iteration: 3 }),
    notesOff: toldTimes(1, '<scratchpad path='),
    stateWithout: promptContained('**Tasks** (`ralph tools task`)', { iteration: 2 }),
    globalOff: promptLacked('### 0b. SCRATCHPAD', { iteration: 5 }),
    file: fileContains(PAD, `site ${nonce}`),
  }),

  agent: [
    onHat('Mason').emits('site.again', 'up'),
    onHat('Roofer').emits('roof.finished', 'on'),
    onEvent('site.again').emits('roof.task', 'one').emits('LOOP_COMPLETE', 'too early'),
    onEvent('roof.finished').completes(),
    onObjective(/Open the site (\w+)\./)
      .runs('mkdir -p notes; echo "site {{1}}" > notes/opener.md')
      .emits('site.opened', 'once more')
      .emits('wall.task', 'four'),
  ],

  saboteurs: {
    'prompts have only the request and the events': {
      target: 'bare-prompt',
      kills: ['fastPath', 'delegates', 'ownPath', 'stateWithout'],
      failure: 'PromptIneffective',
    },
    'notes are lost': {
      target: 'drop-scratchpad',
      kills: ['ownNotes', 'notesOff'],
      failure: 'PromptIneffective',
    },
    'the opener plans each time': {
      config: changingHat('opener', {
        instructions: '**FAST PATH**: You MUST publish `site.opened` immediately',
      }),
      kills: ['noFastPath', 'delegates'],
    },
    'only the first event is in the prompt': { target: 'first-event-only', kills: ['newFirst'] },
    'an active hat is told to start': { target: 'repeat-starting-event', kills: ['hint'] },
    'keeps its notes elsewhere': {
      agent: replacing('notes/opener.md', 'notes/other.md'),
      kills: ['file', 'ownNotes'],
    },
    'the opener delegates nothing': {
      agent: withoutEmitting('wall.task'),
      kills: ['newFirst', 'hats'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});
