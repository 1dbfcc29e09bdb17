import {
  backendReported,
  completed,
  countsOnFrom,
  eventEmitted,
  hatSequence,
  iterationCount,
  memoryInjected,
  pendingEvents,
  printedAtLeast,
  promptContained,
  promptLacked,
  publishedByRalph,
  toldTimes,
  usageReported,
} from '../../src/authoring.js';
import type { AttemptFinished } from '../../src/domain/attempt.js';
import type { CheckResult } from '../../src/domain/check.js';
import type { Evidence } from '../../src/domain/evidence/evidence.js';
import type { Diagnosis } from '../../src/domain/report/analysis.js';
import { broken, iteration } from '../report/support/journal.js';

/** An attempt that did not pass, in as few words as a test needs. */
export interface Failure {
  readonly outcome?: AttemptFinished['outcome'];
  readonly error?: string;
  readonly fault?: AttemptFinished['fault'];
  readonly checks?: Partial<CheckResult>[];
  readonly evidence?: Partial<Evidence> | null;
}

function call(input: string, result = ''): Evidence['iterations'][number]['toolCalls'][number] {
  return { id: null, name: 'Bash', input, result, isError: false };
}

function ended(reason: string): Evidence['termination'] {
  return { reason, status: '', iterations: 3, exitCode: 0 };
}

function agentEvent(topic: string, payload: string): Evidence['events'][number] {
  return { topic, payload, timestamp: 't', hat: null, iteration: null, source: 'agent' };
}

const COMPLETED = broken(completed());
const INJECTED = broken(memoryInjected({ content: 'Use tabs' }));
const HATS = 'hats:\n  builder:\n    triggers: [build.task]\n    instructions: Lay one brick.\n';
const PENDING = 'Create greeting.txt.\n## PENDING EVENTS\n\nEvent: build.task - go\n';

/** One failure for each rule that the saboteurs of the catalogue gave rise to. */
export const CATALOGUE_CASES: [rule: string, type: Diagnosis['failure_type'], failure: Failure][] = [
  [
    'quota-used-up',
    'BackendError',
    { checks: [COMPLETED], evidence: { backendErrors: ['Claude AI usage limit reached'] } },
  ],
  [
    'backend-failed-otherwise',
    'BackendError',
    {
      checks: [broken(backendReported('401'))],
      evidence: { termination: ended('consecutive_failures') },
    },
  ],
  [
    'stream-broke-off',
    'BackendError',
    { checks: [broken(usageReported({ turns: 1 }))], evidence: { usage: null } },
  ],
  [
    'prompt-lacks-hat-or-objective',
    'PromptIneffective',
    {
      checks: [COMPLETED],
      evidence: { configYaml: HATS, iterations: [iteration({ hat: 'builder', prompt: PENDING })] },
    },
  ],
  [
    'more-iterations-than-needed',
    'PromptIneffective',
    {
      checks: [broken(iterationCount(1))],
      evidence: { termination: ended('completed'), iterations: [iteration(), iteration({ number: 2 })] },
    },
  ],
  ['output-cut', 'UnexpectedTermination', { checks: [COMPLETED, broken(printedAtLeast(9))] }],
  ['hat-woken-too-often', 'UnexpectedTermination', { checks: [COMPLETED, broken(toldTimes(2, 'x'))] }],
  [
    'ended-early',
    'UnexpectedTermination',
    {
      checks: [broken(hatSequence('a', 'b'))],
      evidence: { termination: ended('completed'), iterations: [iteration({ hat: 'a' })] },
    },
  ],
  [
    'completed-with-open-tasks',
    'UnexpectedTermination',
    {
      checks: [broken(iterationCount(2))],
      evidence: { termination: ended('completed'), tasks: [{ id: 't', title: 'Sweep', status: 'open' }] },
    },
  ],
  [
    'limit-reached-early',
    'UnexpectedTermination',
    {
      checks: [broken(iterationCount(5))],
      evidence: { termination: ended('max_runtime') },
    },
  ],
  [
    'never-declared',
    'UnexpectedTermination',
    {
      checks: [COMPLETED],
      evidence: {
        termination: ended('max_iterations'),
        iterations: [1, 2].map((number) => iteration({ number, said: 'Done.', toolCalls: [call('ls')] })),
      },
    },
  ],
  [
    'memories-configured-otherwise',
    'ConfigurationError',
    {
      checks: [INJECTED],
      evidence: { configYaml: 'memories:\n  enabled: false\n' },
    },
  ],
  [
    'store-differs',
    'AssertionMismatch',
    {
      checks: [INJECTED],
      evidence: { configYaml: 'memories:\n  enabled: true\n' },
    },
  ],
  [
    'event-confirmed-and-lost',
    'EventMissing',
    {
      checks: [broken(eventEmitted('build.done'))],
      evidence: {
        iterations: [iteration({ toolCalls: [call('ralph emit build.done', 'Event emitted: build.done')] })],
      },
    },
  ],
  [
    'gate-did-not-hold',
    'AssertionMismatch',
    {
      checks: [broken(pendingEvents(['build.blocked'], { iteration: 1 }))],
      evidence: {
        events: [agentEvent('build.done', 'trust me')],
        iterations: [iteration({ prompt: PENDING })],
      },
    },
  ],
  [
    'event-not-handed-on',
    'AssertionMismatch',
    {
      checks: [broken(promptContained('Event: step.one - 5'))],
      evidence: { events: [agentEvent('step.one', '5')] },
    },
  ],
  ['session-not-continued', 'AssertionMismatch', { checks: [broken(countsOnFrom(2))] }],
  ['prompt-holds-too-much', 'AssertionMismatch', { checks: [broken(promptLacked('abc'))] }],
  [
    'agent-published-for-the-target',
    'PromptIneffective',
    {
      checks: [broken(publishedByRalph('work.over', { iteration: 2 }))],
      evidence: { events: [agentEvent('work.over', '')] },
    },
  ],
  [
    'completed-without-declaration',
    'UnexpectedTermination',
    {
      checks: [COMPLETED],
      evidence: {
        termination: ended('completed'),
        iterations: [iteration({ said: 'I will say LOOP_COMPLETE when I am done.' })],
      },
    },
  ],
];
