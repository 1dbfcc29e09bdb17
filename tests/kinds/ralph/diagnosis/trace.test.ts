import { describe, expect, it } from 'vitest';
import {
  completed,
  errandAnswered,
  eventEmitted,
  hatActive,
  hatSequence,
  iterationsAtMost,
  promptContained,
  terminatedBecause,
  toldTimes,
} from '../../../../src/authoring.js';
import type { CheckResult } from '../../../../src/domain/check.js';
import type { IterationTrace } from '../../../../src/domain/diagnosis/trace.js';
import type { EventRecord, Evidence } from '../../../../src/domain/evidence/evidence.js';
import { analysis } from '../../../../src/harness/analysis.js';
import { attempt, broken, iteration } from '../../../report/support/journal.js';

const RUN = {
  target: { kind: 'real', path: '/opt/ralph', version: '2.10.1' },
  lane: 'sim',
  agentIsHonest: true,
} as const;

function trace(evidence: Partial<Evidence>, ...checks: Partial<CheckResult>[]): IterationTrace | null {
  const attempts = [attempt({ outcome: 'failed', checks, evidence })];
  return analysis.trace({ scenarioId: 'hat-single', backend: 'claude', planned: null, attempts }, RUN);
}

/** A prompt with the sections that Ralph writes for a hat. */
const promptOf = (...events: readonly string[]) =>
  [
    '### GUARDRAILS',
    '999. Fresh context each iteration',
    '',
    '## OBJECTIVE',
    '> Have both sides done.',
    '',
    '## PENDING EVENTS',
    '',
    ...events.map((event) => `Event: ${event}`),
    '',
    '## ACTIVE HAT',
    '',
    '### Auditor Instructions',
    'Audit it.',
  ].join('\n');

const event = (topic: string, second: number, fields: Partial<EventRecord> = {}): EventRecord => ({
  topic,
  payload: null,
  timestamp: `2026-11-16T17:45:${String(second).padStart(2, '0')}.000000000+00:00`,
  hat: null,
  iteration: null,
  source: 'agent',
  ...fields,
});
const end = (number: number, second: number) =>
  event('iteration.summary', second, {
    hat: 'loop',
    iteration: number,
    source: 'ralph',
    payload: '{"duration_ms":10}',
  });

const HATS = `event_loop:
  starting_event: work.begin
hats:
  builder:
    triggers: [work.begin, build.*]
    publishes: [audit.wanted]
  auditor:
    triggers: ["audit.*"]
    publishes: [audit.done]
  anyone:
    triggers: ["*"]
    publishes: []
`;

/** Three iterations of a loop with hats; the auditor should have had the second. */
const routed: Partial<Evidence> = {
  configYaml: HATS.replace(/ {2}anyone:[\s\S]*/, ''),
  iterations: [
    iteration({
      number: 1,
      hat: 'builder',
      prompt: promptOf('work.begin - Have both sides done.'),
      said: 'Working.\nANSWER=1309\nLOOP_COMPLETE',
      texts: 2,
      textLengths: [8, 25],
      toolCalls: [
        { id: 't', name: 'Bash', input: '{"command":"x"}', result: 'Event emitted: audit.7', isError: false },
      ],
    }),
    iteration({
      number: 2,
      hat: 'ralph',
      prompt: promptOf('audit.7 - now', 'work.begin - Have both sides done.'),
    }),
    iteration({ number: 3, hat: 'builder', prompt: promptOf('build.again - ') }),
  ],
  events: [
    event('work.begin', 0, { hat: 'loop', iteration: 0, source: 'ralph' }),
    event('audit.7', 1, { payload: 'now' }),
    end(1, 2),
    event('build.again', 3),
    end(2, 4),
    end(3, 6),
  ],
  tasks: [
    { id: 'a', title: 'left over', status: 'open' },
    { id: 'b', title: 'over', status: 'closed' },
  ],
};

describe('the trace of a failure', () => {
  it('shows the iteration of the first divergence and the one before, between which Ralph chose the hat', () => {
    const found = trace(routed, broken(completed()), broken(hatSequence('builder', 'auditor', 'ralph')));
    expect(found).toMatchObject({
      iteration: 2,
      decided_between: [1, 2],
      iterations: [
        {
          number: 1,
          hat: 'builder',
          expected_hats: ['builder'],
          events: [{ topic: 'audit.7', payload: 'now' }],
        },
        { number: 2, hat: 'ralph', expected_hats: ['auditor'], events: [{ topic: 'build.again' }] },
      ],
      after: { next_hat: 'builder', termination_reason: null, open_tasks: ['left over'] },
    });
    expect(found?.iterations[1]?.pending).toEqual([
      { topic: 'audit.7', payload: 'now', matching_hats: ['auditor'] },
      { topic: 'work.begin', payload: 'Have both sides done.', matching_hats: ['builder'] },
    ]);
  });

  it('expects Ralph itself if no hat waits for a pending event, and the first hat by id if several do', () => {
    const check = broken(hatActive('auditor', { iteration: 2 }));
    const nobody = { ...routed, iterations: [iteration({ number: 2, prompt: promptOf('odd.news - x') })] };
    expect(trace(nobody, check)?.iterations[0]?.expected_hats).toEqual(['ralph']);
    const several = trace({ ...nobody, configYaml: HATS }, check)?.iterations[0];
    expect(several).toMatchObject({ expected_hats: ['anyone'], pending: [{ matching_hats: ['anyone'] }] });
  });

  it('reads the hats of a collection that -H names, and expects none if it is not known', () => {
    const check = broken(hatActive('auditor', { iteration: 2 }));
    const file = {
      path: 'team.yml',
      change: 'added',
      sizeBytes: 9,
      preview: 'hats: {z: {triggers: [audit.7]}}',
    } as const;
    const called = { ...routed, command: ['ralph', 'run', '-H', 'team.yml'] };
    expect(trace({ ...called, files: [file] }, check)?.iterations[1]?.expected_hats).toEqual(['z']);
    expect(trace(called, check)?.iterations[1]?.expected_hats).toBeNull();
  });

  it('keeps the text blocks of the agent apart, as it printed them', () => {
    const found = trace(routed, broken(eventEmitted('audit.wanted')));
    expect(found?.iterations[0]?.said).toEqual(['Working.', 'ANSWER=1309\nLOOP_COMPLETE']);
    expect(found?.iterations[0]?.tool_calls).toMatchObject([
      { name: 'Bash', result: 'Event emitted: audit.7' },
    ]);
  });

  it('lists the sections of the prompt, and quotes the one that the check is about', () => {
    const prompt = trace(routed, broken(promptContained('Audit it.', { iteration: 2 })))?.iterations[1]
      ?.prompt;
    expect(prompt?.sections.map(({ heading }) => heading)).toEqual([
      '### GUARDRAILS',
      '## OBJECTIVE',
      '## PENDING EVENTS',
      '## ACTIVE HAT',
      '### Auditor Instructions',
    ]);
    expect(prompt?.excerpts).toEqual([{ heading: '### Auditor Instructions', text: 'Audit it.' }]);
  });

  it('shows the end of a loop that was over before the iteration of the check', () => {
    const cut = {
      ...routed,
      iterations: routed.iterations?.slice(0, 1) ?? [],
      termination: { reason: 'loop_stale', status: '', iterations: 1, exitCode: 1 },
    };
    expect(trace(cut, broken(promptContained('x', { iteration: 4 })))).toMatchObject({
      iteration: 1,
      decided_between: null,
      after: { next_hat: null, termination_reason: 'loop_stale' },
    });
  });

  it('shows where a loop went on although it should have ended', () => {
    expect(trace(routed, broken(iterationsAtMost(2)))).toMatchObject({
      iteration: 2,
      decided_between: [2, 3],
    });
    const reason = { termination: { reason: 'max_iterations', status: '', iterations: 3, exitCode: 2 } };
    const declared = trace({ ...routed, ...reason }, broken(terminatedBecause('completed', 0)));
    expect(declared).toMatchObject({ iteration: 1, decided_between: [1, 2] });
  });

  it('shows the first prompt too many of those that have a text', () => {
    expect(trace(routed, broken(toldTimes(2, 'Audit it.')))).toMatchObject({ iteration: 3 });
  });

  it('stays small, whatever an agent printed', () => {
    const long = 'x'.repeat(50_000);
    const calls = Array.from({ length: 90 }, () => ({
      id: null,
      name: 'Bash',
      input: long,
      result: long,
      isError: true,
    }));
    const flood = iteration({
      number: 1,
      prompt:
        promptOf(...Array.from({ length: 60 }, (_, i) => `topic.${i} - ${long}`)) + `\n## ${long}`.repeat(40),
      said: Array.from({ length: 50 }, () => long).join('\n'),
      textLengths: Array.from({ length: 50 }, () => long.length),
      toolCalls: calls,
    });
    const events = [...Array.from({ length: 70 }, () => event(long, 1, { payload: long })), end(1, 2)];
    const found = trace({ iterations: [flood], events }, broken(completed()));
    expect(JSON.stringify(found).length).toBeLessThan(5000);
    expect(found?.iterations[0]?.tool_calls_left_out).toBeGreaterThan(80);
    expect(found?.iterations[0]?.said[0]).toMatch(/^x+\[… \d+ characters …\]x+$/);
  });

  it('is null for a command outside of the loop, and without a loop', () => {
    expect(trace(routed, broken(errandAnswered('loops list', { exitCode: 0 })))).toBeNull();
    expect(trace({ iterations: [] }, broken(completed()))).toBeNull();
    const attempts = [attempt({ outcome: 'error', evidence: null })];
    expect(analysis.trace({ scenarioId: 'a', backend: 'claude', planned: null, attempts }, RUN)).toBeNull();
  });
});
