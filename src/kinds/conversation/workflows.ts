import type { WorkflowDefinition } from '../../domain/scenario/workflow.js';

/** The workflow of the agent-loop plugin: explore, plan, code, commit. */
export const agentLoop: WorkflowDefinition = {
  name: 'agent-loop',
  initial: 'idle',
  stages: {
    idle: { description: 'Nothing has started', next: ['exploring'], evidence: [] },
    exploring: {
      description: 'Reads code, tests and documents before anything is decided',
      command: 'explore',
      next: ['planning'],
      evidence: [{ kind: 'tool-class', class: 'read' }],
    },
    planning: {
      description: 'Writes down which files change, in which order, and how to test them',
      command: 'plan',
      next: ['coding', 'exploring'],
      evidence: [{ kind: 'file-changed', glob: '**/{PLAN,.plan}.md' }],
    },
    coding: {
      description: 'Changes the code as planned and runs the tests',
      command: 'code',
      next: ['committing', 'planning'],
      evidence: [{ kind: 'tool-class', class: 'write' }],
    },
    committing: {
      description: 'Reviews and commits',
      command: 'commit',
      next: ['complete'],
      evidence: [{ kind: 'commit' }],
      settles: 'complete',
    },
    complete: { description: 'The change is committed', next: ['exploring'], evidence: [] },
  },
};

/** Matches test folders, and test files that a language keeps beside the code. */
const TESTS = '{{tests,test}/**,{,**/}*_test.go,{,**/}test_*.py,{,**/}*.{test,spec}.{js,mjs,ts,tsx}}';
const TEST_RUN = '(pytest|unittest|npm test|node --test|go test)';

/**
 * The workflow of the epti plugin, tests first: write tests, see them fail, commit them, implement, iterate, commit.
 */
export const epti: WorkflowDefinition = {
  name: 'epti',
  initial: 'idle',
  stages: {
    idle: { description: 'Nothing has started', next: ['writing-tests'], evidence: [] },
    'writing-tests': {
      description: 'Writes tests and no implementation',
      command: 'write-tests',
      next: ['verifying-failure'],
      evidence: [{ kind: 'file-changed', glob: TESTS }],
    },
    'verifying-failure': {
      description: 'Runs the tests and sees them fail because there is no implementation',
      command: 'verify-fail',
      next: ['committing-tests', 'writing-tests'],
      evidence: [{ kind: 'command-ran', pattern: TEST_RUN, fails: true }],
    },
    'committing-tests': {
      description: 'Commits the tests alone',
      command: 'commit-tests',
      next: ['committed-tests'],
      evidence: [{ kind: 'commit', touches: TESTS, only: true }],
      settles: 'committed-tests',
    },
    'committed-tests': { description: 'The tests are committed', next: ['implementing'], evidence: [] },
    implementing: {
      description: 'Writes the simplest code that passes the tests',
      command: 'implement',
      next: ['iterating'],
      evidence: [{ kind: 'tool-class', class: 'write' }],
    },
    iterating: {
      description: 'Runs the tests until they pass, then refactors on green',
      command: 'iterate',
      next: ['committing-code', 'implementing'],
      evidence: [{ kind: 'command-ran', pattern: TEST_RUN, fails: false }],
    },
    'committing-code': {
      description: 'Commits the implementation',
      command: 'commit-code',
      next: ['complete'],
      evidence: [{ kind: 'commit' }],
      settles: 'complete',
    },
    complete: { description: 'Two commits: tests, then code', next: ['writing-tests'], evidence: [] },
  },
};

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
