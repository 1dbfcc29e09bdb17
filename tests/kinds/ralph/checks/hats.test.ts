import { describe, expect, test } from 'vitest';
import * as checks from '../../../../src/authoring.js';
import type { Invocation } from '../../../../src/domain/agent-script.js';
import type { Check } from '../../../../src/domain/check.js';
import type { Evidence } from '../../../../src/domain/evidence/evidence.js';
import { attempt, iteration } from '../../../report/support/journal.js';

/** Ralph delegates, the builder works, Ralph ends it. */
const ITERATIONS: Evidence['iterations'] = [
  iteration({ number: 1, hat: 'ralph', prompt: 'Event: task.start - begin', form: 'claude-stream' }),
  iteration({ number: 2, hat: 'builder', prompt: 'Event: build.task - 7\nbuild it', form: 'text' }),
  iteration({ number: 3, hat: 'ralph', prompt: 'Event: build.odd - \nsee to it', form: 'claude-stream' }),
];

function evidence(fields: Partial<Evidence>): Evidence {
  const made = attempt({ evidence: { iterations: ITERATIONS, ...fields } }).evidence;
  if (made === null) throw new Error('an attempt with evidence was asked for');
  return made;
}

/** The same iterations, one of them changed. */
function changing(number: number, change: Partial<Evidence['iterations'][number]>): Partial<Evidence> {
  return {
    iterations: ITERATIONS.map((entry) => (entry.number === number ? { ...entry, ...change } : entry)),
  };
}

function call(backend: string, fields: Partial<Invocation> = {}): Invocation {
  return {
    at: '',
    backend,
    argv: ['chat', '--agent', 'mason', 'build it'],
    cwd: '',
    environmentNames: [],
    promptSource: 'argument',
    promptBytes: 8,
    conversation: '',
    place: null,
    matched: null,
    outcome: 'played',
    ...fields,
  };
}

function request(conversation: string, api: 'messages' | 'chat-completions'): Evidence['requests'][number] {
  return {
    at: '',
    api,
    method: 'POST',
    path: '/',
    conversation,
    model: null,
    kind: 'main',
    prompt: '',
    promptBytes: 0,
    toolsRun: 0,
    place: null,
    matched: null,
    outcome: 'answered',
    status: 200,
  };
}

const emitted = (topic: string): Evidence['events'][number] => ({
  topic,
  payload: null,
  timestamp: '',
  hat: null,
  iteration: null,
  source: 'agent',
});

const CALLS = [call('claude'), call('kiro'), call('claude')];
const REQUESTS = [
  request('a', 'messages'),
  request('b', 'chat-completions'),
  request('b', 'chat-completions'),
  request('c', 'messages'),
];

/** For each check: its topic, evidence on which it passes, and the smallest change that must make it fail. */
const CASES: [string, Check, Partial<Evidence>, Partial<Evidence>][] = [
  ['another hat', checks.hatSequence('ralph', 'builder', 'ralph'), {}, changing(2, { hat: 'tester' })],
  [
    'one iteration more',
    checks.hatSequence('ralph', 'builder', 'ralph'),
    {},
    { iterations: [...ITERATIONS, ...ITERATIONS] },
  ],
  [
    'one iteration less',
    checks.hatSequence('ralph', 'builder', 'ralph'),
    {},
    { iterations: ITERATIONS.slice(0, 2) },
  ],
  ['it is active', checks.hatNeverActive('tester'), {}, changing(3, { hat: 'tester' })],
  ['nothing ran', checks.hatNeverActive('tester'), {}, { iterations: [] }],
  ['the hat is not told', checks.toldOnlyTo('builder', 'build it'), {}, changing(2, { prompt: 'rest' })],
  ['another is told too', checks.toldOnlyTo('builder', 'build it'), {}, changing(3, { prompt: 'build it' })],
  [
    'one of two prompts lacks it',
    checks.toldOnlyTo('ralph', 'Event: '),
    changing(2, { prompt: '' }),
    {
      ...changing(2, { prompt: '' }),
      iterations: [
        iteration({ number: 1, hat: 'ralph', prompt: 'Event: x' }),
        iteration({ number: 2, hat: 'ralph', prompt: '' }),
      ],
    },
  ],
  ['the hat never ran', checks.toldOnlyTo('builder', 'build it'), {}, changing(2, { hat: 'ralph' })],
  ['somebody is told', checks.toldToNobody('deploy'), {}, changing(1, { prompt: 'deploy' })],
  [
    'no prompt is known',
    checks.toldToNobody('deploy'),
    {},
    { iterations: ITERATIONS.map((entry) => ({ ...entry, prompt: null })) },
  ],
  ['once more', checks.toldTimes(1, 'build it'), {}, changing(3, { prompt: 'build it' })],
  ['once less', checks.toldTimes(1, 'build it'), {}, changing(2, { prompt: '' })],
  ['missing later', checks.toldFrom(2, ' it'), {}, changing(3, { prompt: '' })],
  ['there already', checks.toldFrom(2, ' it'), {}, changing(1, { prompt: 'build it' })],
  ['no such prompt', checks.toldFrom(2, ' it'), {}, { iterations: ITERATIONS.slice(0, 1) }],
  [
    'an agent emitted it',
    checks.publishedByRalph('build.odd', { iteration: 3 }),
    {},
    { events: [emitted('build.odd')] },
  ],
  [
    'it is not pending',
    checks.publishedByRalph('build.odd', { iteration: 3 }),
    {},
    changing(3, { prompt: 'see build.odd' }),
  ],
  [
    'it is pending elsewhere',
    checks.publishedByRalph('build.odd', { iteration: 3 }),
    {},
    { iterations: ITERATIONS.map((entry) => ({ ...entry, number: entry.number + 1 })) },
  ],
  [
    'another stand-in was called',
    checks.hatRanOn('builder', 'kiro'),
    { invocations: CALLS },
    { invocations: [call('claude'), call('claude'), call('claude')] },
  ],
  [
    'the call is missing',
    checks.hatRanOn('builder', 'kiro'),
    { invocations: CALLS },
    { invocations: [call('claude')] },
  ],
  [
    'one of two is another',
    checks.hatRanOn('ralph', 'claude'),
    { invocations: CALLS },
    { invocations: [call('claude'), call('kiro'), call('kiro')] },
  ],
  [
    'another API was asked',
    checks.hatRanOn('builder', 'opencode'),
    { requests: REQUESTS },
    { requests: REQUESTS.map((entry) => ({ ...entry, api: 'messages' as const })) },
  ],
  [
    'live: the answer is in the form of Claude',
    checks.hatRanOn('builder', 'kiro'),
    {},
    changing(2, { form: 'claude-stream' }),
  ],
  ['live: the answer is plain text', checks.hatRanOn('ralph', 'claude'), {}, changing(3, { form: 'text' })],
  [
    'the hat never ran',
    checks.hatRanOn('builder', 'kiro'),
    { invocations: CALLS },
    { invocations: CALLS, ...changing(2, { hat: 'ralph' }) },
  ],
  [
    'another argument',
    checks.hatCalledWith('builder', '--agent', 'mason'),
    { invocations: CALLS },
    { invocations: [call('claude'), call('kiro', { argv: ['--agent', 'other', 'mason'] }), call('claude')] },
  ],
  [
    'the argument is there',
    checks.hatCalledWithout('builder', '--fast'),
    { invocations: CALLS },
    { invocations: [call('claude'), call('kiro', { argv: ['--agent', 'mason', '--fast'] }), call('claude')] },
  ],
  ['no call without it is known', checks.hatCalledWithout('builder', '--fast'), { invocations: CALLS }, {}],
  ['no call is known', checks.hatCalledWith('builder', '--agent', 'mason'), { invocations: CALLS }, {}],
];

describe('checks on hats', () => {
  test.each(CASES.map(([red, check, holds, breaks]) => ({ red, kind: check.kind, check, holds, breaks })))(
    '$kind holds, and is broken when $red',
    ({ check, holds, breaks }) => {
      expect(check.judge(evidence(holds)).passed).toBe(true);
      const verdict = check.judge(evidence(breaks));
      expect(verdict.passed).toBe(false);
      expect(verdict.expected).not.toBe('');
      expect(verdict.actual).not.toBe('');
    },
  );

  test('calls that ask for a version or continue after a tool are not iterations', () => {
    const invocations = [
      call('claude', { promptSource: 'none' }),
      ...CALLS.slice(0, 1),
      call('claude', { afterTool: true }),
      ...CALLS.slice(1),
    ];
    expect(checks.hatRanOn('builder', 'kiro').judge(evidence({ invocations })).passed).toBe(true);
  });

  test("a request of the CLI's own is not an iteration", () => {
    const requests = [{ ...request('title', 'messages'), kind: 'side' as const }, ...REQUESTS];
    expect(checks.hatRanOn('builder', 'opencode').judge(evidence({ requests })).passed).toBe(true);
  });
});
