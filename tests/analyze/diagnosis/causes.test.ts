import { describe, expect, it } from 'vitest';
import { completed, fileContains } from '../../../src/authoring.js';
import type { Planned } from '../../../src/domain/attempt.js';
import type { CheckResult } from '../../../src/domain/check.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import type { Diagnosis } from '../../../src/domain/report/analysis.js';
import { analysis } from '../../../src/harness/analysis.js';
import { attempt, broken, iteration, journal } from '../../report/support/journal.js';

/** Which of several signs is the cause. */

const RUN = {
  target: { kind: 'real', path: '/opt/ralph', version: '2.10.1' },
  lane: 'live',
  agentIsHonest: false,
} as const;
const ISSUE = { upTo: '2.10.1', reason: 'it kills itself', link: 'docs' };

interface Failure {
  readonly checks: Partial<CheckResult>[];
  readonly evidence: Partial<Evidence>;
}

function diagnosisOf(fields: Failure, knownIssue: Planned['knownIssue'] = null): Diagnosis {
  const [started] = journal({ tests: [{ scenarioId: 'x', knownIssue }] });
  const planned = started?.type === 'run-started' ? (started.planned[0] ?? null) : null;
  const failed = attempt({ scenarioId: 'x', outcome: 'failed', ...fields });
  const [diagnosis] = analysis.diagnose(
    [{ scenarioId: 'x', backend: 'claude', planned, attempts: [failed] }],
    RUN,
  );
  if (!diagnosis) throw new Error('no diagnosis');
  return diagnosis;
}

const ENDED = broken(completed());
const FILE = broken(fileContains('greeting.txt', 'hello'));
const PROMPT = 'Create greeting.txt. Then say LOOP_COMPLETE.';

describe('a known issue beside something else', () => {
  const killed = { exit: { kind: 'killed', signal: 'SIGKILL' }, termination: null } as const;
  const evidence = {
    ...killed,
    promptText: PROMPT,
    iterations: [iteration({ prompt: PROMPT, said: 'Done.' })],
  };

  it('is not the cause of what it does not break', () => {
    const diagnosis = diagnosisOf(
      { checks: [ENDED, FILE], evidence },
      { ...ISSUE, breaks: ['completed'], shows: { completed: '/./' } },
    );
    expect(diagnosis).toMatchObject({ rule: 'expectation-not-met' });
    expect(diagnosis.evidence.join('\n')).not.toContain('the loop completes');
  });

  it.each([
    ['nothing is known', null],
    [
      'what is known shows elsewhere',
      { ...ISSUE, breaks: ['memoryInjected'], shows: { memoryInjected: '/./' } },
    ],
    [
      'all of it is known',
      { ...ISSUE, breaks: ['completed', 'fileContains'], shows: { completed: '/./', fileContains: '/./' } },
    ],
  ])('a target that dies is the cause where %s', (_, issue) => {
    expect(diagnosisOf({ checks: [ENDED, FILE], evidence }, issue)).toMatchObject({ rule: 'target-crashed' });
  });
});
