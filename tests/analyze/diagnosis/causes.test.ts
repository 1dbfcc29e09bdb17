import { describe, expect, it } from 'vitest';
import {
  agentSaid,
  completed,
  fileContains,
  hatActive,
  iterationCount,
  memoryStored,
  promptContained,
} from '../../../src/authoring.js';
import type { Planned } from '../../../src/domain/attempt.js';
import type { Memory } from '../../../src/domain/evidence/evidence.js';
import type { Diagnosis } from '../../../src/domain/report/analysis.js';
import { analysis } from '../../../src/harness/analysis.js';
import { attempt, broken, iteration, journal } from '../../report/support/journal.js';
import type { Failure } from '../catalogue-cases.js';

/** Which of several signs is the cause. */

const RUN = {
  target: { kind: 'real', path: '/opt/ralph', version: '2.10.1' },
  lane: 'live',
  agentIsHonest: false,
} as const;
const ISSUE = { upTo: '2.10.1', reason: 'it kills itself', link: 'docs' };

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
const LIMIT = { reason: 'max_iterations', status: '', iterations: 2, exitCode: 2 };

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
    expect(diagnosis).toMatchObject({ rule: 'agent-did-not-do-it', blames: 'agent' });
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

describe('a backend that says nothing', () => {
  const lacking = (number: number) =>
    diagnosisOf({
      checks: [broken(promptContained('nonce', { iteration: number })), FILE],
      evidence: {
        promptText: PROMPT,
        termination: LIMIT,
        iterations: [
          iteration({ prompt: PROMPT, said: '' }),
          iteration({ number: 2, prompt: PROMPT, said: '' }),
        ],
      },
    }).rule;

  it('is not the cause of what its first prompt lacks', () => {
    expect(lacking(1)).toBe('prompt-lacks-instructions');
  });

  it('may be the cause of what a later prompt lacks', () => {
    expect(lacking(2)).toBe('backend-silent');
  });
});

describe('the word that ends the loop', () => {
  const evidence = {
    promptText: PROMPT,
    termination: LIMIT,
    iterations: [iteration({ prompt: PROMPT, said: 'Here you are.' })],
  };
  const word = broken(agentSaid(/^LOOP_COMPLETE$/m));

  it('is a question of the end, and of the agent, where it is all that lacks', () => {
    expect(diagnosisOf({ checks: [ENDED, word], evidence })).toMatchObject({
      failure_type: 'UnexpectedTermination',
      blames: 'agent',
    });
  });

  it('is not asked for where the work itself lacks', () => {
    expect(diagnosisOf({ checks: [ENDED, word, FILE], evidence })).toMatchObject({
      rule: 'agent-did-not-do-it',
    });
  });
});

it('blames no agent for the hat that has the first turn', () => {
  const diagnosis = diagnosisOf({
    checks: [broken(iterationCount(2)), broken(hatActive('builder', { iteration: 1 }))],
    evidence: {
      promptText: PROMPT,
      termination: { reason: 'completed', status: '', iterations: 3, exitCode: 0 },
      iterations: [1, 2, 3].map((number) => iteration({ number, hat: 'ralph', prompt: PROMPT, said: 'Go.' })),
    },
  });
  expect(diagnosis).toMatchObject({ rule: 'wrong-hat-active', blames: 'target' });
});

describe('a memory that ralph confirmed and that is not in its store', () => {
  const ASKED = 'Run: ralph tools memory add "The queue holds SUM jobs" --type decision > added.txt';
  const STORED = broken(memoryStored({ content: 'The queue holds SUM jobs' }));
  const answer = (preview: string) => [
    { path: 'added.txt', change: 'added' as const, preview, sizeBytes: preview.length },
  ];
  /** A CLI that prints plain text: no tool call shows. */
  const plain = (preview: string, said = 'LOOP_COMPLETE', memories: Memory[] = []) =>
    diagnosisOf({
      checks: [STORED],
      evidence: {
        promptText: ASKED,
        iterations: [iteration({ prompt: ASKED, said })],
        files: answer(preview),
        memories,
      },
    });

  it('is the fault of the target, also where no tool call shows', () => {
    const diagnosis = plain('Memory stored: mem-17-0a1b\n');
    expect(diagnosis).toMatchObject({ rule: 'store-differs', blames: 'target' });
    expect(diagnosis.root_cause_hypothesis).toContain('although it confirmed');
    expect(diagnosis.evidence).toContain(
      'added.txt: Memory stored: mem-17-0a1b, and the store has no mem-17-0a1b',
    );
  });

  it.each([
    ['ralph confirmed nothing', plain('error: no such command\n')],
    ['the agent deleted it', plain('Memory stored: mem-17-0a1b\n', 'Then I ran: ralph tools memory delete')],
    [
      'it is there, as something else',
      plain('Memory stored: mem-17-0a1b\n', 'Done.', [
        { id: 'mem-17-0a1b', type: 'pattern', content: 'x', tags: [], created: null },
      ]),
    ],
  ])('is not, where %s', (_, diagnosis) => {
    expect(diagnosis.blames).toBe('agent');
  });
});
