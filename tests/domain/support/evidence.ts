import type { Evidence } from '../../../src/domain/evidence/evidence.js';

/** Evidence of a run that completed in one iteration and left nothing, with these changes. */
export function makeEvidence(change: Partial<Evidence> = {}): Evidence {
  return {
    command: ['ralph', 'run'],
    cwd: '/workspace',
    configYaml: '',
    promptText: '',
    startedAt: '2026-11-15T00:00:00.000Z',
    durationSeconds: 1,
    exit: { kind: 'exited', code: 0 },
    stdout: { path: 'stdout.txt', bytes: 0, text: '', truncated: false },
    stderr: { path: 'stderr.txt', bytes: 0, text: '', truncated: false },
    termination: { reason: 'completed', status: '', iterations: 1, exitCode: 0 },
    iterations: [makeIteration('asked')],
    events: [],
    malformedLines: [],
    history: [],
    scratchpad: { before: null, after: null },
    memories: [],
    tasks: [],
    files: [],
    usage: null,
    backendErrors: [],
    invocations: [],
    requests: [],
    errands: [],
    leftBehind: [],
    readiness: null,
    ...change,
  };
}

/** An iteration with this prompt. */
export function makeIteration(prompt: string | null, number = 1): Evidence['iterations'][number] {
  return { number, hat: null, prompt, said: '', toolCalls: [], durationSeconds: 1 };
}
