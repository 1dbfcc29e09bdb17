import { describe, expect, test } from 'vitest';
import type { AgentRecording, Deed } from '../../../src/domain/recording/recording.js';
import { scriptOf } from '../../../src/run/replay/script.js';

const bash = (command: string, result = ''): Deed => ({
  kind: 'used',
  tool: 'Bash',
  input: { command },
  result,
  isError: false,
});

function record(deeds: readonly Deed[], more: Partial<AgentRecording> = {}): AgentRecording {
  return {
    version: 1,
    runId: '20261117-065049-abcdef',
    scenarioId: 'any',
    backend: 'claude',
    attempt: 1,
    at: '2026-11-17T06:50:49Z',
    target: { kind: 'real', path: '/bin/ralph', version: '2.10.1' },
    lane: 'live',
    drawn: { nonce: 'abcdef1234', numbers: [111, 222, 444], second: 'kiro' },
    workspace: '/old/place',
    calls: [{ iteration: 1, hat: null, prompt: 'Go.', deeds: [...deeds], emitted: 0 }],
    files: [],
    obstacles: [],
    ...more,
  };
}

function stepsOf(recording: AgentRecording) {
  const written = scriptOf(recording, new Set());
  if (written.kind === 'cannot') throw new Error(written.why);
  return written.script.rules.map(({ respond }) => respond.steps);
}

const whyNot = (recording: AgentRecording) => {
  const written = scriptOf(recording, new Set());
  return written.kind === 'cannot' ? written.why : null;
};

test('what the agent said is said again, even if it looks like a template', () => {
  expect(stepsOf(record([{ kind: 'said', text: 'Use {{1}}.' }]))).toEqual([
    [{ do: 'say', text: 'Use {{=1}}.' }],
  ]);
});

test('a file tool runs again only in the workspace', () => {
  const write = (file_path: string): Deed => ({
    kind: 'used',
    tool: 'Write',
    input: { file_path, content: 'x' },
    result: 'ok',
    isError: false,
  });
  const hows = (path: string) =>
    stepsOf(record([write(path)]))
      .flat()
      .map((step) => step.do === 'tool' && step.redo?.how.kind);
  expect(hows('/old/place/a.txt')).toEqual(['run']);
  expect(hows('a.txt')).toEqual(['run']);
  expect(hows('/etc/hosts')).toEqual(['show']);
  expect(hows('/old/place/../a.txt')).toEqual(['show']);
});

describe('what a command left in files is written again', () => {
  const files: AgentRecording['files'] = [
    { path: 'made.txt', iteration: 1, content: { kind: 'text', text: 'made' } },
    { path: 'old.txt', iteration: 1, content: { kind: 'gone' } },
    { path: 'other.txt', iteration: 2, content: { kind: 'text', text: 'other' } },
  ];

  test('by the last command of its call that does not run again', () => {
    const [steps = []] = stepsOf(
      record([bash('npm install'), bash('npm test'), bash('cat made.txt')], { files }),
    );
    expect(steps.map((step) => step.do === 'tool' && step.redo?.how)).toEqual([
      { kind: 'show', commands: [], writes: [], removes: [] },
      { kind: 'show', commands: [], writes: [{ path: 'made.txt', text: 'made' }], removes: ['old.txt'] },
      { kind: 'run', sameResult: false },
    ]);
  });

  test('not at all if every command runs again', () => {
    const [steps = []] = stepsOf(record([bash('echo made > made.txt')], { files }));
    expect(steps).toMatchObject([{ redo: { how: { kind: 'run' } } }]);
  });

  test('and if nobody knows what it left, the recording cannot be replayed', () => {
    const unknown = {
      path: 'big.bin',
      iteration: 1,
      content: { kind: 'unknown' as const, why: 'it is not a text' },
    };
    expect(whyNot(record([bash('npm test')], { files: [unknown] }))).toBe(
      'What a command left in big.bin is not known: it is not a text.',
    );
  });
});

describe('a recording cannot be replayed', () => {
  test('if a credential was removed from what the agent did', () => {
    expect(whyNot(record([bash('echo [redacted] > key.txt')]))).toMatch(
      /^A credential was removed .* iteration 1,/,
    );
  });

  test('if a command that does not run again emitted an event', () => {
    const { calls, ...rest } = record([bash('python3 report.py')]);
    const emitting = { ...rest, calls: calls.map((call) => ({ ...call, emitted: 1 })) };
    expect(whyNot(emitting)).toMatch(/iteration 1 events were emitted by a command that is not run again/);
  });

  test('if its recording says so', () => {
    expect(whyNot(record([], { obstacles: ['Kiro does not say what it does.'] }))).toBe(
      'Kiro does not say what it does.',
    );
  });
});
