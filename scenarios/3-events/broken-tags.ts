import {
  completed,
  loop,
  onEvent,
  onObjective,
  promptContained,
  promptLacked,
  scenario,
} from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { EVENTS_BY_HAND, ignoresCompletion } from '../support/saboteurs.js';

const SPOKEN = [
  'Some words come first. <event>a tag without a topic</event>',
  'More words. <event topic="word.kept">whole</event>',
  'The last one stops short: <event topic="word.lost">half a',
].join('\n');

/** Tags as a model that is cut off prints them. */
export const brokenTags = scenario({
  id: 'broken-tags',
  ...MECHANICS,
  phase: 'red',
  description: 'An event tag without a topic or without an end is no event, and does not spoil the others',
  covers: ['FR6', 'FR9'],
  expectedIterations: 2,

  arrange: () => ({ config: loop({ maxIterations: 4 }), prompt: 'Say three words, then complete.' }),

  expect: () => ({
    ends: completed(),
    kept: promptContained('Event: word.kept - whole\n'),
    lost: promptLacked('word.lost'),
    nameless: promptLacked('a tag without'),
  }),

  agent: [
    onEvent('word.kept').completes(),
    onObjective('Say three words').once().says(SPOKEN),
    onObjective('Say three words').completes(),
  ],

  saboteurs: {
    'ends its last tag': {
      agent: replacing('half a', 'half a</event>'),
      kills: ['lost'],
      failure: 'AssertionMismatch',
    },
    'names its first tag': {
      agent: replacing('<event>', '<event topic="word.first">'),
      kills: ['nameless'],
      failure: 'AssertionMismatch',
    },
    'breaks its second tag too': {
      agent: replacing('<event topic="word.kept">', '<event>'),
      kills: ['kept'],
      failure: 'AssertionMismatch',
    },
    'Ralph does not see the promise': ignoresCompletion('ends'),
  },

  notApplicable: EVENTS_BY_HAND,
});
