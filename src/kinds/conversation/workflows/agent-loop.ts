import type { WorkflowDefinition } from '../../../domain/scenario/workflow.js';

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
