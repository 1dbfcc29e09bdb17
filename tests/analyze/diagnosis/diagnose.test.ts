import { describe, expect, it } from 'vitest';
import { backendRules } from '../../../src/analyze/diagnosis/backend.js';
import {
  backendReported,
  completed,
  eventEmitted,
  failedToRun,
  fileContains,
  promptContained,
  scriptAnswered,
  terminatedBecause,
} from '../../../src/authoring.js';
import type { AttemptFinished } from '../../../src/domain/attempt.js';
import type { CheckResult } from '../../../src/domain/check.js';
import { recordingFits } from '../../../src/domain/checks/recording.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import type { Fault } from '../../../src/domain/fault.js';
import type { Diagnosis, Execution } from '../../../src/domain/report/analysis.js';
import { analysis, RULES } from '../../../src/harness/analysis.js';
import { attempt, broken, captured, held, iteration, journal } from '../../report/support/journal.js';

/** An attempt that did not pass, in as few words as a test needs. */
interface Failure {
  readonly outcome?: AttemptFinished['outcome'];
  readonly error?: string;
  readonly fault?: AttemptFinished['fault'];
  readonly checks?: Partial<CheckResult>[];
  readonly evidence?: Partial<Evidence> | null;
}

const RUN = {
  target: { kind: 'real', path: '/opt/ralph', version: '2.10.1' },
  lane: 'live',
  agentIsHonest: false,
} as const;

function failure(fields: Failure, scenarioId = 'hat-single'): Execution {
  const [started] = journal({ tests: [{ scenarioId }] });
  const planned = started?.type === 'run-started' ? (started.planned[0] ?? null) : null;
  const failed = attempt({ scenarioId, outcome: 'failed', ...fields });
  return { scenarioId, backend: 'claude', planned, attempts: [failed] };
}

function diagnosisOf(fields: Failure): Diagnosis {
  const [diagnosis] = analysis.diagnose([failure(fields)], RUN);
  if (!diagnosis) throw new Error('no diagnosis');
  return diagnosis;
}

const ENDED = broken(completed());
const FILE = broken(fileContains('greeting.txt', 'hello'));
const EVENT = broken(eventEmitted('build.done'));
const PANICKED = {
  exit: { kind: 'exited', code: 101 },
  termination: null,
  stderr: captured("thread 'main' panicked at crates/x/src/main.rs:1: boom\n", 'stderr'),
} as const;
const EXIT_1 = { exit: { kind: 'exited', code: 1 }, termination: null } as const;
const CALL: Evidence['invocations'][number] = {
  at: 't',
  backend: 'claude',
  argv: ['-p'],
  cwd: '/ws',
  environmentNames: [],
  promptSource: 'stdin',
  promptBytes: 9,
  conversation: '',
  place: null,
  matched: null,
  outcome: 'no-match',
  detail: 'no rule matches "Do it"',
};
const DOUBT: Fault = { whose: 'target', because: ['Nobody knows.'] };
/** Ralph confirmed an event. */
const EMITTED = iteration({
  toolCalls: [
    {
      id: null,
      name: 'Bash',
      input: 'ralph emit build.done',
      result: 'Event emitted: build.done',
      isError: false,
    },
  ],
});

function ended(reason: string): Evidence['termination'] {
  return { reason, status: '', iterations: 3, exitCode: 2 };
}

const CASES: [rule: string, type: Diagnosis['failure_type'], failure: Failure][] = [
  ['interrupted', 'Unknown', { outcome: 'error', evidence: { exit: { kind: 'interrupted' } } }],
  [
    'recording-does-not-fit',
    'PromptIneffective',
    {
      checks: [FILE, broken(recordingFits())],
      evidence: { invocations: [{ ...CALL, outcome: 'diverged' }] },
    },
  ],
  [
    'scripted-agent-had-no-answer',
    'PromptIneffective',
    { checks: [FILE], evidence: { invocations: [CALL] } },
  ],
  [
    'scripted-agent-broke',
    'Unknown',
    {
      // Ralph asked again and all went well: what is left is that the first call broke, and that is not the target's.
      checks: [broken(scriptAnswered())],
      evidence: {
        invocations: [
          { ...CALL, outcome: 'script-error' },
          { ...CALL, outcome: 'played' },
        ],
      },
    },
  ],
  ['harness-failed', 'Unknown', { outcome: 'error', error: 'disk full', evidence: null }],
  [
    'timed-out',
    'TimeoutExceeded',
    { checks: [FILE], evidence: { exit: { kind: 'timed-out', afterSeconds: 30 } } },
  ],
  [
    'target-crashed',
    'UnexpectedTermination',
    { checks: [ENDED], evidence: { exit: { kind: 'killed', signal: 'SIGKILL' } } },
  ],
  ['target-crashed', 'UnexpectedTermination', { checks: [ENDED], evidence: PANICKED }],
  [
    'usage-error',
    'ConfigurationError',
    {
      checks: [ENDED],
      evidence: {
        exit: { kind: 'exited', code: 2 },
        termination: null,
        stderr: captured("error: unexpected argument '--no-tui' found\n\nUsage: ralph run", 'stderr'),
      },
    },
  ],
  [
    'configuration-rejected',
    'ConfigurationError',
    {
      checks: [ENDED],
      evidence: {
        ...EXIT_1,
        stderr: captured(
          'Error: Configuration validation failed\n\nCaused by:\n    Ambiguous routing',
          'stderr',
        ),
      },
    },
  ],
  [
    'target-gave-up',
    'UnexpectedTermination',
    {
      checks: [ENDED],
      evidence: {
        ...EXIT_1,
        stderr: captured('Error: stream did not contain valid UTF-8\n', 'stderr'),
        iterations: [iteration({ said: '' })],
      },
    },
  ],
  [
    'credentials-refused',
    'AuthenticationError',
    { checks: [ENDED, FILE], evidence: { backendErrors: ['API Error: 401 invalid x-api-key'] } },
  ],
  [
    'backend-not-found',
    'BackendError',
    {
      checks: [ENDED],
      evidence: { ...EXIT_1, stderr: captured('Error: No such file or directory (os error 2)', 'stderr') },
    },
  ],
  [
    'backend-failed',
    'BackendError',
    {
      checks: [ENDED],
      evidence: { termination: { reason: 'consecutive_failures', status: '', iterations: 5, exitCode: 1 } },
    },
  ],
  [
    'quota-used-up',
    'BackendError',
    { checks: [ENDED], evidence: { backendErrors: ['Claude AI usage limit reached'] } },
  ],
  [
    'still-running',
    'TimeoutExceeded',
    { checks: [FILE], fault: DOUBT, evidence: { exit: { kind: 'timed-out', afterSeconds: 30 } } },
  ],
  [
    'end-of-unknown-iteration',
    'AssertionMismatch',
    {
      checks: [ENDED],
      evidence: {
        iterations: [iteration({ number: 0, hat: null, prompt: null }), iteration({ durationSeconds: null })],
      },
    },
  ],
  ['cut-short', 'UnexpectedTermination', { checks: [ENDED], evidence: { termination: ended('loop_stale') } }],
  [
    'no-termination-record',
    'UnexpectedTermination',
    { checks: [ENDED], evidence: { exit: { kind: 'exited', code: 0 }, termination: null } },
  ],
  [
    'no-prompts-recorded',
    'AssertionMismatch',
    { checks: [EVENT], evidence: { iterations: [iteration({ prompt: null })] } },
  ],
  [
    'prompt-lacks-objective',
    'PromptIneffective',
    { checks: [FILE], evidence: { iterations: [iteration({ prompt: 'Do nothing at all.' })] } },
  ],
  [
    'prompt-lacks-hat',
    'PromptIneffective',
    {
      checks: [FILE],
      evidence: {
        configYaml: 'hats:\n  builder:\n    triggers: [build.task]\n    instructions: Lay one brick.\n',
        iterations: [iteration({ hat: 'builder' })],
      },
    },
  ],
  ['event-confirmed-and-lost', 'EventMissing', { checks: [EVENT], evidence: { iterations: [EMITTED] } }],
  [
    'promise-not-taken',
    'UnexpectedTermination',
    {
      checks: [ENDED],
      evidence: {
        iterations: [iteration({ said: 'LOOP_COMPLETE' }), iteration({ number: 2 })],
        termination: ended('max_iterations'),
      },
    },
  ],
  [
    'broken-promise',
    'AssertionMismatch',
    { checks: [{ ...FILE, promises: [{ area: 'hooks', promise: 'Hooks run.', source: 'hooks.rs' }] }] },
  ],
  ['expectation-not-met', 'AssertionMismatch', { checks: [FILE] }],
  [
    'exit-code-differs',
    'UnexpectedTermination',
    {
      checks: [broken(terminatedBecause('max_iterations', 2))],
      evidence: {
        exit: { kind: 'exited', code: 0 },
        termination: { reason: 'max_iterations', status: '', iterations: 1, exitCode: 2 },
      },
    },
  ],
  ['unexplained', 'Unknown', { checks: [] }],
];

describe('a failure is explained by the rule of its cause', () => {
  it.each(CASES)('%s: %s', (rule, type, fields) => {
    expect(diagnosisOf(fields)).toMatchObject({ rule, failure_type: type });
  });

  it('every rule is covered by a case', () => {
    const covered = CASES.map(([rule]) => rule);
    const rules = [...RULES.ralph, ...backendRules].map(({ name }) => name);
    expect(rules.filter((rule) => !covered.includes(rule))).toEqual([]);
  });
});

it('a journal from before checks had facts is diagnosed as well, if with less', () => {
  for (const [rule, , { checks = [], ...fields }] of CASES) {
    const old = checks.map(({ about, ...rest }) => rest);
    expect(diagnosisOf({ ...fields, checks: old }).rule, rule).toMatch(/^[a-z-]+$/);
  }
});

describe('rules do not jump to conclusions', () => {
  it('an agent that talks about 401 is not logged out', () => {
    const said = 'I added a test for HTTP 401 and a login page.';
    const diagnosis = diagnosisOf({
      checks: [FILE],
      evidence: { iterations: [iteration({ said })], stdout: captured(said, 'stdout') },
    });
    expect(diagnosis.rule).toBe('expectation-not-met');
  });

  it('a scenario that provokes refused credentials is not explained by them', () => {
    const diagnosis = diagnosisOf({
      checks: [ENDED, held(backendReported('401'))],
      evidence: {
        backendErrors: ['API Error: 401'],
        iterations: [iteration({ said: 'API Error: 401' })],
        termination: { reason: 'max_iterations', status: '', iterations: 3, exitCode: 2 },
      },
    });
    expect(diagnosis.rule).toBe('expectation-not-met');
  });

  it('a backend that fails where it should hang is told as what it is', () => {
    const ending = held(terminatedBecause('consecutive_failures', 1));
    const termination = { reason: 'consecutive_failures', status: '', iterations: 1, exitCode: 1 };
    expect(diagnosisOf({ checks: [ending, FILE], evidence: { termination } }).rule).toBe(
      'expectation-not-met',
    );
    expect(diagnosisOf({ checks: [FILE], evidence: { termination } }).rule).toBe('backend-failed');
  });

  it.each(['not-a-prompt', 'played'] as const)(
    'an agent call that was %s is not one without an answer',
    (outcome) => {
      const invocations = [{ ...CALL, argv: ['--version'], outcome }];
      expect(diagnosisOf({ checks: [FILE], evidence: { invocations } }).rule).toBe('expectation-not-met');
    },
  );

  it.each(['no-match', 'script-error', 'refused'] as const)(
    'an agent call that was %s is cited, others are not',
    (outcome) => {
      const invocations = [
        { ...CALL, argv: ['--version'], outcome: 'not-a-prompt' as const },
        { ...CALL, outcome },
      ];
      const diagnosis = diagnosisOf({ checks: [FILE], evidence: { invocations } });
      expect(diagnosis.rule).toBe('scripted-agent-had-no-answer');
      expect(diagnosis.evidence).toEqual([`agent call (${outcome}) -p: no rule matches "Do it"`]);
    },
  );

  it('a loop that recorded its end did not give up, whatever stands on stderr', () => {
    const diagnosis = diagnosisOf({
      checks: [ENDED],
      evidence: {
        exit: { kind: 'exited', code: 2 },
        stderr: captured('Error: something that a tool printed', 'stderr'),
        iterations: [iteration({ said: 'hm' })],
        termination: { reason: 'max_iterations', status: '', iterations: 3, exitCode: 2 },
      },
    });
    expect(diagnosis.rule).toBe('expectation-not-met');
  });

  it('an error of ralph is not an absent backend because a tool of the agent was absent', () => {
    const stderr = captured('sh: jq: command not found\nError: stream did not contain valid UTF-8', 'stderr');
    expect(diagnosisOf({ checks: [ENDED], evidence: { ...EXIT_1, stderr } }).rule).toBe('target-gave-up');
  });

  it('a scenario that provokes an error of ralph is not explained by it', () => {
    const provoked = held(failedToRun(1, /just as/));
    const stderr = captured('Error: just as the scenario wants it', 'stderr');
    expect(diagnosisOf({ checks: [provoked, FILE], evidence: { ...EXIT_1, stderr } }).rule).not.toBe(
      'target-gave-up',
    );
  });

  it('exit 2 with a termination is a limit, not a usage error', () => {
    const diagnosis = diagnosisOf({
      checks: [ENDED],
      evidence: {
        exit: { kind: 'exited', code: 2 },
        stderr: captured('error: something the agent printed', 'stderr'),
        iterations: [iteration({ said: 'hm' })],
        termination: { reason: 'max_iterations', status: '', iterations: 3, exitCode: 2 },
      },
    });
    expect(diagnosis.rule).toBe('expectation-not-met');
  });
});

describe('evidence', () => {
  it('is quoted with file and line', () => {
    const stderr = captured('warning: x\nError: Failed to parse YAML from ralph.yml\n', 'stderr');
    expect(diagnosisOf({ checks: [ENDED], evidence: { ...EXIT_1, stderr } }).evidence).toEqual([
      `${stderr.path}:2: Error: Failed to parse YAML from ralph.yml`,
    ]);
  });

  it('of an error of ralph is the whole error with its causes', () => {
    const stderr = captured('a warning\nError: Failed to run\n\nCaused by:\n    0: no pty\n', 'stderr');
    const diagnosis = diagnosisOf({
      checks: [ENDED],
      evidence: { exit: { kind: 'exited', code: 3 }, termination: null, stderr },
    });
    expect(diagnosis.root_cause_hypothesis).toContain('"Failed to run", caused by "no pty"');
    expect(diagnosis.evidence).toEqual([
      `${stderr.path}:2: Error: Failed to run`,
      `${stderr.path}:4: Caused by:`,
      `${stderr.path}:5: 0: no pty`,
    ]);
  });

  it('has no line number when the middle of the output is missing', () => {
    const stderr = { ...captured('Error: Failed to parse YAML\n', 'stderr'), truncated: true };
    expect(diagnosisOf({ checks: [ENDED], evidence: { ...EXIT_1, stderr } }).evidence).toEqual([
      `${stderr.path}: Error: Failed to parse YAML`,
    ]);
  });

  it('is cut when a line is very long', () => {
    const { evidence } = diagnosisOf({ checks: [{ ...FILE, name: 'x'.repeat(5_000) }] });
    expect(Math.max(...evidence.map((line) => line.length))).toBe(500);
  });
});

it('the last attempt that did not pass is the one that is explained', () => {
  const execution = failure({});
  const attempts = [
    attempt({ outcome: 'failed', checks: [EVENT] }),
    attempt({ attempt: 2, outcome: 'failed', evidence: { exit: { kind: 'timed-out', afterSeconds: 9 } } }),
    attempt({ attempt: 3 }),
  ];
  expect(analysis.diagnose([{ ...execution, attempts }], RUN)[0]?.rule).toBe('timed-out');
});

it('an attempt in which the target failed is explained rather than a later one in which the harness did', () => {
  const attempts = [
    attempt({ outcome: 'failed', checks: [EVENT] }),
    attempt({ attempt: 2, outcome: 'error', error: 'disk full', evidence: null }),
  ];
  expect(analysis.diagnose([{ ...failure({}), attempts }], RUN)[0]?.rule).toBe('expectation-not-met');
});

it('failures with the same rule know of each other', () => {
  const found = analysis.diagnose(
    [
      failure({ checks: [FILE] }, 'a'),
      failure({ checks: [EVENT], evidence: { iterations: [EMITTED] } }, 'b'),
      failure({ checks: [FILE] }, 'c'),
      { ...failure({ checks: [FILE] }, 'a'), backend: 'kiro' },
    ],
    RUN,
  );
  expect(found.map(({ similar_failures }) => similar_failures)).toEqual([
    ['c [claude]', 'a [kiro]'],
    [],
    ['a [claude]', 'a [kiro]'],
    ['a [claude]', 'c [claude]'],
  ]);
});

it('a known issue is like no failure', () => {
  const known = failure({ checks: [FILE], outcome: 'known-issue' }, 'k');
  const found = analysis.diagnose(
    [failure({ checks: [FILE] }, 'a'), known, failure({ checks: [FILE] }, 'b')],
    RUN,
  );
  expect(found.map(({ similar_failures }) => similar_failures)).toEqual([
    ['b [claude]'],
    ['a [claude]', 'b [claude]'],
    ['a [claude]'],
  ]);
});

it('names at most 20 similar failures, and says how many more there are', () => {
  const counted = (count: number) => {
    const many = Array.from({ length: count }, (_, index) => failure({ checks: [FILE] }, `s${index}`));
    return analysis
      .diagnose(many, RUN)
      .map(({ similar_failures: named, similar_failures_left_out: left }) => [named.length, left]);
  };
  expect(counted(50)).toEqual(Array.from({ length: 50 }, () => [20, 29]));
  expect(counted(21)).toEqual(Array.from({ length: 21 }, () => [20, 0]));
});

describe('the fault is laid at the right door', () => {
  it.each([
    [
      'target',
      'a confirmed event that the file lacks',
      { checks: [EVENT], evidence: { iterations: [EMITTED] } },
    ],
    [
      'quota',
      'a rate limit',
      { checks: [FILE], evidence: { backendErrors: ['API Error: 429 rate_limit_error'] } },
    ],
    ['authentication', 'a refused key', { checks: [FILE], evidence: { backendErrors: ['API Error: 401'] } }],
    [
      'infrastructure',
      'any other error',
      { checks: [FILE], evidence: { backendErrors: ['connection reset'] } },
    ],
    ['harness', 'a full disk', { outcome: 'error', error: 'disk full', evidence: null }],
    ['unknown', 'an interruption', { outcome: 'error', evidence: { exit: { kind: 'interrupted' } } }],
  ] satisfies [Diagnosis['blames'], string, Failure][])('%s: %s', (blames, _, fields) => {
    expect(diagnosisOf(fields).blames).toBe(blames);
  });
});

describe('a diagnosis and a fault are one judgement', () => {
  const LATE = { exit: { kind: 'timed-out', afterSeconds: 60 }, termination: null } as const;

  it.each([
    ['login', 'Not logged in', 'credentials-refused', 'authentication'],
    ['quota', 'Rate limit reached', 'quota-used-up', 'quota'],
  ])('a lost %s of a live backend is not explained as a broken promise', (_, error, rule, blames) => {
    const found = diagnosisOf({ checks: [FILE, ENDED], evidence: { backendErrors: [error] }, fault: DOUBT });
    expect(found).toMatchObject({ rule, blames });
    expect(found.potential_fixes).not.toEqual([]);
  });

  it('a slow model is not blamed on Ralph, nor said to be uncalled', () => {
    const evidence = { ...LATE, iterations: [iteration({ number: 1, durationSeconds: null })] };
    const found = diagnosisOf({ checks: [ENDED], evidence, fault: DOUBT });
    expect(found.blames).toBe('unknown');
    expect(found.root_cause_hypothesis).not.toContain('had not been called');
  });

  it('nothing accuses Ralph where the agent is at fault', () => {
    const fault: Fault = { whose: 'agent', because: ['No iteration emitted build.done.'] };
    const found = diagnosisOf({ checks: [broken(promptContained('Event: build.done'))], fault });
    expect(found).toMatchObject({
      blames: 'agent',
      root_cause_hypothesis: 'No iteration emitted build.done.',
    });
    expect(found).toMatchObject({ failure_type: 'EventMissing', areas: [], promises: [] });
    expect(JSON.stringify(found.potential_fixes)).not.toContain('crates/');
  });

  it('writes each fact about the service as a sentence, with no advice to wait longer', () => {
    const fault: Fault = {
      whose: 'infrastructure',
      because: ['iteration 1: no login', 'iteration 2: no login'],
    };
    const found = diagnosisOf({ checks: [ENDED], evidence: LATE, fault });
    expect(found).toMatchObject({
      rule: 'service-failed',
      root_cause_hypothesis: 'Iteration 1: no login. Iteration 2: no login.',
      potential_fixes: [],
    });
  });
});

it('names the message and the place of a panic', () => {
  const { root_cause_hypothesis } = diagnosisOf({ checks: [ENDED], evidence: PANICKED });
  expect(root_cause_hypothesis).toBe('Ralph panicked at crates/x/src/main.rs:1: boom (exit 101)');
});

it.each([
  [
    'ReferenceError: x is not defined, at a.mjs:29',
    'The scenario failed: a.mjs:29: ReferenceError: x is not defined',
  ],
  ['disk full', 'The harness or the machine failed, not the target: disk full'],
])('tells an error of a scenario from one of the machine: %s', (error, hypothesis) => {
  const found = diagnosisOf({ outcome: 'error', error, evidence: null });
  expect(found.root_cause_hypothesis).toBe(hypothesis);
});
