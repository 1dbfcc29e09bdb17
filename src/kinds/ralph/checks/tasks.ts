import type { Check } from '../../../domain/check.js';
import { list } from '../../../domain/checks/text.js';

/** Checks that the runtime task with this title has this status at the end. */
export function taskIs(title: string, status: 'open' | 'in_progress' | 'closed' | 'failed'): Check {
  return {
    kind: 'taskIs',
    judges: 'agent',
    name: `task "${title}" is ${status}`,
    about: { task: title },
    category: 'FileContains',
    judge: ({ tasks }) => ({
      passed: tasks.some((task) => task.title === title && task.status === status),
      expected: `task "${title}" with status ${status}`,
      actual: list(
        tasks.map((task) => `"${task.title}" is ${task.status}`),
        'no tasks',
      ),
    }),
  };
}
