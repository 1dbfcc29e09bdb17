import { describe, expect, it } from 'vitest';
import { findExcuses } from '../../../src/analyze/excuses/excuses.js';
import { EXCUSES } from '../../../src/analyze/excuses/rationalizations.js';
import {
  agentSaid,
  completed,
  eventEmitted,
  fileContains,
  scratchpadContains,
} from '../../../src/authoring.js';
import type { CheckResult } from '../../../src/domain/check.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import type { Execution } from '../../../src/domain/report/analysis.js';
import { attempt, broken, held, iteration } from '../../report/support/journal.js';

const FILE = broken(fileContains('notes.txt', 'plan'));
const SCRATCHPAD = broken(scratchpadContains('plan'));
const EVENT = broken(eventEmitted('build.done'));
const COMPLETES = broken(completed());
const LIMIT = { reason: 'max_iterations', status: '', iterations: 3, exitCode: 2 };

interface Story {
  readonly said: string;
  readonly checks: Partial<CheckResult>[];
  readonly calls?: { input: string; isError?: boolean }[];
  readonly evidence?: Partial<Evidence>;
  readonly form?: 'claude-stream' | 'text';
  readonly prompt?: string;
}

function failed(
  { said, checks, calls = [], evidence, form = 'claude-stream', prompt }: Story,
  id = 'a',
): Execution {
  const toolCalls = calls.map(({ input, isError = false }) => ({
    id: null,
    name: 'Bash',
    input,
    result: '',
    isError,
  }));
  const turn = iteration({ said, toolCalls, form, ...(prompt === undefined ? {} : { prompt }) });
  const finished = attempt({
    outcome: 'failed',
    checks,
    evidence: { iterations: [turn], termination: LIMIT, files: [], ...evidence },
  });
  return { scenarioId: id, backend: 'claude', planned: null, attempts: [finished] };
}

function patterns(story: Story): string[] {
  return findExcuses([failed(story)]).rationalizations.map(({ pattern }) => pattern);
}

/** Each excuse, and the same words where the evidence bears them out. */
const CASES: [pattern: string, excuse: Story, honest: Story][] = [
  [
    'claims-work-that-is-not-there',
    { said: 'I have created notes.txt with the plan.', checks: [FILE] },
    {
      said: 'I have created notes.txt with the plan.',
      checks: [FILE],
      evidence: { files: [{ path: 'notes.txt', change: 'added', sizeBytes: 1, preview: 'x' }] },
    },
  ],
  [
    'claims-an-event-that-is-not-there',
    { said: 'I published build.done.', checks: [EVENT] },
    { said: 'I published build.done.', checks: [EVENT], calls: [{ input: 'ralph emit build.done' }] },
  ],
  [
    'claims-checks-that-did-not-run',
    { said: 'All tests pass.', checks: [FILE], calls: [{ input: 'ls' }] },
    { said: 'All tests pass.', checks: [FILE], calls: [{ input: 'npm test' }] },
  ],
  [
    'claims-implied',
    { said: 'The result is implied by the code.', checks: [FILE] },
    { said: 'The result is implied by the code.', checks: [] },
  ],
  [
    'says-later',
    { said: "I'll update the scratchpad later.", checks: [SCRATCHPAD] },
    { said: "I'll update the scratchpad later.", checks: [EVENT] },
  ],
  [
    'declares-without-the-signal',
    { said: 'Everything is done.', checks: [COMPLETES] },
    { said: 'Everything is done.\nLOOP_COMPLETE', checks: [COMPLETES] },
  ],
  [
    'takes-instructions-for-suggestions',
    { said: 'The scratchpad is optional here, no need to fill it.', checks: [SCRATCHPAD] },
    { said: 'The scratchpad is optional here, no need to fill it.', checks: [COMPLETES] },
  ],
  [
    'cuts-the-scope',
    { said: 'For brevity only the first part.', checks: [FILE] },
    { said: 'For brevity only the first part.', checks: [COMPLETES] },
  ],
  [
    'blames-the-environment',
    { said: 'I cannot write files in this sandbox.', checks: [FILE] },
    {
      said: 'I cannot write files in this sandbox.',
      checks: [FILE],
      calls: [{ input: 'touch notes.txt', isError: true }],
    },
  ],
  [
    'acknowledges-without-acting',
    { said: 'I understand my role as Builder.', checks: [FILE] },
    { said: 'I understand my role as Builder.', checks: [FILE], calls: [{ input: 'ls' }] },
  ],
];

describe('rationalizations', () => {
  it.each(CASES)(
    '%s is found where the evidence contradicts the words, and only there',
    (pattern, excuse, honest) => {
      expect(patterns(excuse)).toContain(pattern);
      expect(patterns(honest)).not.toContain(pattern);
    },
  );

  it('every excuse of the table has a case', () => {
    expect(CASES.map(([pattern]) => pattern)).toEqual(EXCUSES.map(({ name }) => name));
  });

  it('come with the quoted line and its iteration', () => {
    const said = "First the code.\nI'll update the scratchpad later.\nBye.";
    expect(findExcuses([failed({ said, checks: [SCRATCHPAD] })]).rationalizations).toMatchObject(
      [
        {
          scenario_id: 'a',
          iteration: 1,
          quote: "I'll update the scratchpad later.",
          reality: /did not happen/,
        },
      ].map(({ reality, ...rest }) => ({ ...rest, reality: expect.stringMatching(reality) })),
    );
  });

  it('a line that the agent only repeats of its prompt is no claim', () => {
    const prompt = 'Never say: All tests pass.';
    expect(patterns({ said: prompt, prompt, checks: [FILE], calls: [{ input: 'ls' }] })).toEqual([]);
  });

  it('a backend that shows no tool calls is not accused of having made none', () => {
    expect(patterns({ said: 'All tests pass.', checks: [FILE], form: 'text' })).toEqual([]);
  });

  it('an attempt that the harness broke excuses nobody', () => {
    const execution = failed({ said: "I'll update the scratchpad later.", checks: [SCRATCHPAD] });
    const attempts = execution.attempts.map((one) => ({ ...one, outcome: 'error' as const }));
    expect(findExcuses([{ ...execution, attempts }]).rationalizations).toEqual([]);
  });
});

describe('loopholes', () => {
  const story: Story = { said: "I'll update the scratchpad later.", checks: [SCRATCHPAD] };

  it('are what comes back in at least two scenarios', () => {
    expect(findExcuses([failed(story, 'a')]).loopholes).toEqual([]);
    expect(findExcuses([failed(story, 'a'), failed(story, 'a')]).loopholes).toEqual([]);
    expect(findExcuses([failed(story, 'a'), failed(story, 'b')]).loopholes).toMatchObject([
      { new_test: 'required-step-not-put-off', evidence: [{ scenario_id: 'a' }, { scenario_id: 'b' }] },
    ]);
  });

  it('are seen in what was done, whatever the words were', () => {
    const one: Story = { said: 'BUILDER', checks: [held(agentSaid('BUILDER')), FILE] };
    const [found] = findExcuses([failed(one, 'a'), failed(one, 'b')]).loopholes;
    expect(found?.new_test).toBe('acts-not-just-says');
    expect(found?.suggested_counter.length).toBeGreaterThan(0);
  });

  it('every excuse can become one', () => {
    for (const [, excuse] of CASES) {
      expect(findExcuses([failed(excuse, 'a'), failed(excuse, 'b')]).loopholes).not.toEqual([]);
    }
  });
});
