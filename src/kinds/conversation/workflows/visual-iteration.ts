import type { WorkflowDefinition } from '../../../domain/scenario/workflow.js';

const LOOKS = '**/*.{css,scss,html}';

/** Screenshot, feedback, refine, as often as it takes, then commit. */
export const visualIteration: WorkflowDefinition = {
  name: 'visual-iteration',
  initial: 'idle',
  stages: {
    idle: { description: 'Nothing has begun', next: ['capturing'], evidence: [] },
    capturing: {
      description: 'Takes a picture of the page through the browser tools',
      command: 'screenshot',
      next: ['analyzing', 'committing'],
      evidence: [{ kind: 'tool-named', suffix: 'screenshot' }],
      iterates: true,
    },
    analyzing: {
      description: 'Compares the picture with what it should be',
      command: 'feedback',
      next: ['feedback-provided', 'polished', 'refining', 'committing'],
      evidence: [],
      iterates: true,
    },
    'feedback-provided': {
      description: 'Says what differs, in pixels and colours',
      next: ['refining', 'polished'],
      evidence: [],
      iterates: true,
    },
    refining: {
      description: 'Applies the listed changes and no others',
      command: 'refine',
      next: ['capturing', 'polished', 'committing'],
      evidence: [{ kind: 'file-changed', glob: LOOKS }],
      iterates: true,
    },
    polished: { description: 'Nothing is left to change', next: ['committing', 'capturing'], evidence: [] },
    committing: {
      description: 'Commits the visual changes',
      command: 'commit-visual',
      next: ['complete'],
      evidence: [{ kind: 'commit', touches: LOOKS }],
      settles: 'complete',
    },
    complete: { description: 'The page is committed as it should look', next: ['capturing'], evidence: [] },
  },
};
