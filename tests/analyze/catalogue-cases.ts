import type { CheckResult } from '../../src/domain/check.js';
import type { Evidence } from '../../src/domain/evidence/evidence.js';
import type { AttemptFinished } from '../../src/domain/journal.js';
import type { Diagnosis } from '../../src/domain/report/analysis.js';
import { iteration } from '../report/support/journal.js';

/** An attempt that did not pass, in as few words as a test needs. */
export interface Failure {
  readonly outcome?: AttemptFinished['outcome'];
  readonly error?: string;
  readonly checks?: Partial<CheckResult>[];
  readonly evidence?: Partial<Evidence> | null;
}

type Category = CheckResult['category'];

function red(
  kind: string,
  category: Category,
  name: string,
  expected = '',
  actual = '',
): Partial<CheckResult> {
  return { kind, category, name, expected, actual, passed: false };
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

const COMPLETED = red('completed', 'TerminationReason', 'the loop completes');
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
      checks: [red('backendReported', 'OutputContains', 'the backend reports "401"')],
      evidence: { termination: ended('consecutive_failures') },
    },
  ],
  [
    'stream-broke-off',
    'BackendError',
    { checks: [red('usageReported', 'OutputContains', 'usage is reported')], evidence: { usage: null } },
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
      checks: [
        red('iterationCount', 'IterationCount', 'the loop takes 1 iteration', '1 finished', '2 finished'),
      ],
      evidence: { termination: ended('completed') },
    },
  ],
  [
    'output-cut',
    'UnexpectedTermination',
    { checks: [COMPLETED, red('printedAtLeast', 'OutputContains', 'at least 9 bytes are printed')] },
  ],
  [
    'hat-woken-too-often',
    'UnexpectedTermination',
    { checks: [COMPLETED, red('toldTimes', 'PromptContent', '"x" is told 2 times')] },
  ],
  [
    'ended-early',
    'UnexpectedTermination',
    {
      checks: [red('hatSequence', 'PromptContent', 'the hats are a, then b', 'a, b', 'a')],
      evidence: { termination: ended('completed') },
    },
  ],
  [
    'completed-with-open-tasks',
    'UnexpectedTermination',
    {
      checks: [red('iterationCount', 'IterationCount', 'the loop takes 2 iterations', '2', '1')],
      evidence: { termination: ended('completed'), tasks: [{ id: 't', title: 'Sweep', status: 'open' }] },
    },
  ],
  [
    'limit-reached-early',
    'UnexpectedTermination',
    {
      checks: [red('iterationCount', 'IterationCount', 'the loop takes 5 iterations', '5', '1')],
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
      checks: [red('memoryInjected', 'PromptContent', 'the memory stands in the prompt')],
      evidence: { configYaml: 'memories:\n  enabled: false\n' },
    },
  ],
  [
    'store-differs',
    'AssertionMismatch',
    {
      checks: [red('memoryInjected', 'PromptContent', 'the memory stands in the prompt')],
      evidence: { configYaml: 'memories:\n  enabled: true\n' },
    },
  ],
  [
    'event-confirmed-and-lost',
    'EventMissing',
    {
      checks: [red('eventEmitted', 'EventEmitted', 'event build.done is emitted')],
      evidence: {
        iterations: [iteration({ toolCalls: [call('ralph emit build.done', 'Event emitted: build.done')] })],
      },
    },
  ],
  [
    'gate-did-not-hold',
    'AssertionMismatch',
    {
      checks: [
        red(
          'pendingEvents',
          'PromptContent',
          'build.blocked is pending',
          'pending: build.blocked',
          'pending: build.done',
        ),
      ],
      evidence: { events: [agentEvent('build.done', 'trust me')] },
    },
  ],
  [
    'event-not-handed-on',
    'AssertionMismatch',
    {
      checks: [
        red(
          'promptContained',
          'PromptContent',
          'the prompt contains it',
          '"Event: step.one - 5" in the prompt',
        ),
      ],
      evidence: { events: [agentEvent('step.one', '5')] },
    },
  ],
  [
    'session-not-continued',
    'AssertionMismatch',
    { checks: [red('countsOnFrom', 'IterationCount', 'the first iteration is number 2')] },
  ],
  [
    'prompt-holds-too-much',
    'AssertionMismatch',
    { checks: [red('promptLacked', 'PromptContent', 'the prompt does not contain "abc"')] },
  ],
  [
    'agent-published-for-the-target',
    'PromptIneffective',
    {
      checks: [red('publishedByRalph', 'EventEmitted', 'ralph itself publishes work.over for iteration 2')],
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
