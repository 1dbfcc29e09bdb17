import type { WorkflowDefinition } from '../../../domain/scenario/workflow.js';

const LOOKS = '**/*.{css,scss,html}';

/** The workflow of the visual-iteration plugin: screenshot, feedback and refine until it looks right, then commit. */
export const visualIteration: WorkflowDefinition = {
  name: 'visual-iteration',
  initial: 'idle',
  stages: {
    idle: { description: 'Nothing has started', next: ['capturing'], evidence: [] },
    capturing: {
      description: 'Takes a screenshot of the page with the browser tools',
      command: 'screenshot',
      next: ['analyzing', 'committing'],
      evidence: [{ kind: 'tool-named', suffix: 'screenshot' }],
      iterates: true,
    },
    analyzing: {
      description: 'Compares the screenshot with the design',
      command: 'feedback',
      next: ['feedback-provided', 'polished', 'refining', 'committing'],
      evidence: [],
      iterates: true,
    },
    'feedback-provided': {
      description: 'Lists the differences, in pixels and colors',
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
    complete: { description: 'The page looks right and is committed', next: ['capturing'], evidence: [] },
  },
};
