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
    format: 1,
    runId: '20261117-065049-abcdef',
    scenarioId: 'any',
    backend: 'claude',
    attempt: 1,
    at: '2026-11-17T06:50:49Z',
    target: { kind: 'real', path: '/bin/ralph', version: '2.10.1' },
    lane: 'live',
    drawn: { nonce: 'abcdef1234', numbers: [111, 222, 444], second: 'kiro' },
    workspace: '/old/place',
    calls: [{ iteration: 1, hat: null, prompt: 'Go.', deeds: [...deeds] }],
    files: [],
    obstacles: [],
    ...more,
  };
}

function stepsOf(recording: AgentRecording) {
  const written = scriptOf(recording, { ralphHooks: false });
  if (written.kind === 'cannot') throw new Error(written.why);
  return written.script.rules.map(({ respond }) => respond.steps);
}

const whyNot = (recording: AgentRecording, ralphHooks = false) => {
  const written = scriptOf(recording, { ralphHooks });
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
  expect(hows('/old/place/a.txt')).toEqual(['file']);
  expect(hows('a.txt')).toEqual(['file']);
  expect(hows('/etc/hosts')).toEqual(['show']);
  expect(hows('/old/place/../a.txt')).toEqual(['show']);
});

test('a command runs again, and must answer the same if it asks Ralph', () => {
  const [steps = []] = stepsOf(record([bash('npm test'), bash('ralph tools task list')]));
  expect(steps.map((step) => step.do === 'tool' && step.redo?.how)).toEqual([
    { kind: 'command', sameResult: false },
    { kind: 'command', sameResult: true },
  ]);
});

describe('what another tool left in files is written again', () => {
  const draw: Deed = { kind: 'used', tool: 'mcp__pens__draw', input: {}, result: 'ok', isError: false };
  const files: AgentRecording['files'] = [
    { path: 'made.txt', iteration: 1, content: { kind: 'text', text: 'made' } },
    { path: 'old.txt', iteration: 1, content: { kind: 'gone' } },
    { path: 'other.txt', iteration: 2, content: { kind: 'text', text: 'other' } },
  ];

  test('by the last such tool of its call', () => {
    const [steps = []] = stepsOf(record([draw, draw], { files }));
    expect(steps.map((step) => step.do === 'tool' && step.redo?.how)).toEqual([
      { kind: 'show', writes: [], removes: [] },
      { kind: 'show', writes: [{ path: 'made.txt', text: 'made' }], removes: ['old.txt'] },
    ]);
  });

  test('unless a command or a hook of Ralph may have left it', () => {
    expect(whyNot(record([draw, bash('make')], { files }))).toBe(
      'In iteration 1 nobody knows whether a tool or a command left made.txt.',
    );
    expect(whyNot(record([draw], { files }), true)).toBe(
      'In iteration 1 nobody knows whether a tool or a hook of Ralph left made.txt.',
    );
    expect(whyNot(record([bash('make')], { files }), true)).toBeNull();
  });

  test('unless nobody knows what it left', () => {
    const content = { kind: 'unknown' as const, why: 'it is not a text' };
    expect(whyNot(record([draw], { files: [{ path: 'big.bin', iteration: 1, content }] }))).toBe(
      'What a tool left in big.bin is not known: it is not a text.',
    );
  });
});

describe('a recording cannot be replayed', () => {
  test('if a tool left a file outside', () => {
    const draw: Deed = { kind: 'used', tool: 'mcp__pens__draw', input: {}, result: 'ok', isError: false };
    const files = [{ path: '../x', iteration: 1, content: { kind: 'gone' as const } }];
    expect(whyNot(record([draw], { files }))).toMatch(/is outside the workspace/);
  });

  test('if a credential was removed from what the agent did', () => {
    expect(whyNot(record([bash('echo [redacted] > key.txt')]))).toMatch(
      /^A credential was removed .* iteration 1,/,
    );
  });

  test('if its recording says so', () => {
    expect(whyNot(record([], { obstacles: ['Kiro does not say what it does.'] }))).toBe(
      'Kiro does not say what it does.',
    );
  });
});
