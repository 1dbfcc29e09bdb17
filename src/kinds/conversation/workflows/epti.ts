import type { WorkflowDefinition } from '../../../domain/scenario/workflow.js';

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
